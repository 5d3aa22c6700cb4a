import { expect, test } from 'vitest';
import {
  type Bulletin,
  datedBulletins,
  pagedList,
  walkNewestFirst,
} from '../../../../worker/feeds/toolbox/bulletins.js';
import { answerOf } from './answer.js';

const WINDOW = { from: '2026-03-02', to: '2026-03-04' };

/** A list of these days, each with the page that it is on, and what was done in which order. */
function listOf(...pages: (readonly string[])[]) {
  const done: string[] = [];
  const list = {
    async get(number: number) {
      done.push(`page ${number}`);
      return number < pages.length ? answerOf(String(number)) : undefined;
    },
    bulletinsOn: (page: { text(): string }): Bulletin[] =>
      (pages[Number(page.text())] ?? []).map((date) => ({ date, path: `/${date}-${page.text()}` })),
  };
  return { done, walk: () => walkNewestFirst(WINDOW, list) };
}

test('a list is read down to before the window', async () => {
  const { done, walk } = listOf(
    ['2026-03-05', '2026-03-04'],
    ['2026-03-04', '2026-03-02'],
    ['2026-03-01'],
    ['2026-02-27'],
  );
  const { bulletins, oldest } = await walk();
  expect([...bulletins]).toEqual([
    ['2026-03-04', '/2026-03-04-0'],
    ['2026-03-02', '/2026-03-02-1'],
  ]);
  expect(oldest.text()).toBe('2');
  expect(done).toEqual(['page 0', 'page 1', 'page 2']);
});

test('a list that ends first is read to its end', async () => {
  const { bulletins, oldest } = await listOf(['2026-03-04'], ['2026-03-03']).walk();
  expect([...bulletins.keys()]).toEqual(['2026-03-04', '2026-03-03']);
  expect(oldest.text()).toBe('1');
});

test.each([
  ['without a page', [], /a list without a first page/],
  ['with an empty page', [['2026-03-04'], []], /lists no bulletin that earlier pages have not/],
  ['that repeats a page', [['2026-03-04'], ['2026-03-04']], /lists no bulletin that earlier pages have not/],
  [
    'without end',
    Array.from({ length: 501 }, (_, at) => [`9${String(at).padStart(3, '0')}-01-01`]),
    /a list of more than 500 pages/,
  ],
])('a list %s is an error', async (_, pages, message) => {
  await expect(listOf(...pages).walk()).rejects.toThrow(message);
});

test('a list in numbered pages ends with the highest number that any links', async () => {
  const asked: number[] = [];
  const links = ['<a href="?page=1">2<a href="?page=2">3', '<a href="?x=1&amp;page=0">1', ''];
  const { get, bulletinsOn } = pagedList(
    async (page) => {
      asked.push(page);
      return answerOf(links[page] ?? '');
    },
    (page) => [{ date: '2026-03-02', path: page.text() }],
  );
  for (let number = 0; ; number++) {
    const page = await get(number);
    if (!page) break;
    expect(bulletinsOn(page)).toEqual([{ date: '2026-03-02', path: links[number] }]);
  }
  expect(asked).toEqual([0, 1, 2]);
});

test('a link whose day is misprinted is odd in its list, and a list of such links is an error', () => {
  const list = answerOf('');
  const entries = [
    { day: '04-03-2026', path: '/a' },
    { day: '32-03-2026', path: '/b' },
  ];
  expect(datedBulletins(entries, 'DD-MM-YYYY', list)).toEqual([{ date: '2026-03-04', path: '/a' }]);
  expect(list.oddRecords).toEqual(['/b: no date in the form DD-MM-YYYY: 32-03-2026']);
  expect(datedBulletins([], 'DD-MM-YYYY', list)).toEqual([]);
  expect(() => datedBulletins(entries.slice(1), 'DD-MM-YYYY', list)).toThrow('such as 32-03-2026');
});
