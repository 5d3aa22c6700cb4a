import { expect, test } from 'vitest';
import { pagesOf } from '../../../../worker/banks/brb.js';
import type { HttpClient } from '../../../../worker/feeds/http/client.js';
import { datedBulletins, walkNewestFirst } from '../../../../worker/feeds/toolbox/bulletins.js';
import { answerOf } from './answer.js';

/** Reads a list of these days of March 2026 from 2 to 4 March, each with the page that it is on: what was found, and asked for. */
async function walk(...pages: (readonly (number | string)[])[]) {
  const asked: number[] = [];
  const dateOf = (day: number | string) => (typeof day === 'string' ? day : `2026-03-0${day}`);
  async function* list() {
    for (const [number, days] of pages.entries()) {
      asked.push(number);
      const bulletins = days.map((day) => ({ date: dateOf(day), path: `/${day}-${number}` }));
      yield { answer: answerOf(String(number)), bulletins };
    }
  }
  const window = { from: '2026-03-02', to: '2026-03-04' };
  const { bulletins, oldest } = await walkNewestFirst(window, list());
  return { found: [...bulletins].map((one) => one.join(' ')), oldest: oldest.text(), asked };
}

test.each([
  ['down to before the window', [[5, 4], [4, 2], [1], ['2026-02-27']], ['4 0', '2 1'], '2', [0, 1, 2]],
  ['to its end, if that comes first', [[4], [3]], ['4 0', '3 1'], '1', [0, 1]],
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
  const file = (day: number) =>
    `<a href="/sites/default/files/2026-03/Cours%20de%20change%20du%200${day}-03-2026.pdf">${day}</a>`;
  const links = ['<a href="?page=1">2<a href="?page=2">3', '<a href="?x=1&amp;page=0">1', ''];
  const asked: unknown[] = [];
  const get: HttpClient['get'] = async (_, options) => {
    asked.push(options?.query?.page);
    return answerOf(`${links[asked.length - 1]}${file(asked.length)}`);
  };
  const days: string[] = [];
  for await (const { bulletins } of pagesOf({ get })) days.push(...bulletins.map(({ date }) => date));
  expect(days).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  expect(asked).toEqual([undefined, 1, 2]);
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
