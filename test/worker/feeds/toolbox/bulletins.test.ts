import { expect, test } from 'vitest';
import { pagedList } from '../../../../worker/banks/brb.js';
import {
  type Bulletin,
  datedBulletins,
  walkNewestFirst,
} from '../../../../worker/feeds/toolbox/bulletins.js';
import { answerOf } from './answer.js';

/** Reads a list of these days of March 2026 from 2 to 4 March, each with the page that it is on: what was found, and asked for. */
async function walk(...pages: (readonly (number | string)[])[]) {
  const asked: number[] = [];
  const dateOf = (day: number | string) => (typeof day === 'string' ? day : `2026-03-0${day}`);
  const get = async (number: number) => {
    asked.push(number);
    return number < pages.length ? answerOf(String(number)) : undefined;
  };
  const bulletinsOn = (page: { text(): string }): Bulletin[] => {
    const days = pages[Number(page.text())] ?? [];
    return days.map((day) => ({ date: dateOf(day), path: `/${day}-${page.text()}` }));
  };
  const window = { from: '2026-03-02', to: '2026-03-04' };
  const { bulletins, oldest } = await walkNewestFirst(window, { get, bulletinsOn });
  return { found: [...bulletins].map((one) => one.join(' ')), oldest: oldest.text(), asked };
}

test.each([
  ['down to before the window', [[5, 4], [4, 2], [1], ['2026-02-27']], ['4 0', '2 1'], '2', [0, 1, 2]],
  ['to its end, if that comes first', [[4], [3]], ['4 0', '3 1'], '1', [0, 1, 2]],
])('a list is read %s', async (_, pages, found, oldest, asked) => {
  const paths = found.map((one) => `2026-03-0${one[0]} /${one.replace(' ', '-')}`);
  expect(await walk(...pages)).toEqual({ found: paths, oldest, asked });
});

const endless = Array.from({ length: 501 }, (_, at) => [`9${String(at).padStart(3, '0')}-01-01`]);
test.each([
  ['without a page', [], /a list without a first page/],
  ['with an empty page', [[4], []], /lists no bulletin that earlier pages have not/],
  ['that repeats a page', [[4], [4]], /lists no bulletin that earlier pages have not/],
  ['without end', endless, /a list of more than 500 pages/],
])('a list %s is an error', async (_, pages, message) => {
  await expect(walk(...pages)).rejects.toThrow(message);
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
  const good = { day: '04-03-2026', path: '/a' };
  const odd = { day: '32-03-2026', path: '/b' };
  expect(datedBulletins([good, odd], 'DD-MM-YYYY', list)).toEqual([{ date: '2026-03-04', path: '/a' }]);
  expect(list.oddRecords).toEqual(['/b: no date in the form DD-MM-YYYY: 32-03-2026']);
  expect(datedBulletins([], 'DD-MM-YYYY', list)).toEqual([]);
  expect(() => datedBulletins([odd], 'DD-MM-YYYY', list)).toThrow('such as 32-03-2026');
});
