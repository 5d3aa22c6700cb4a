import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/jpc.js';
import { blockedPage, makePdf, readFeed } from '../feeds/support.js';

const FOLDER = 'GET www.customs.go.jp/tetsuzuki/kawase';
const [NEW, OLD] = [`${FOLDER}/`, `${FOLDER}/list.htm`];
const PDF = `${FOLDER}/kawase2026/kouji-rate20260906-20260912.pdf`;
const WEEK = '2026-09-06..2026-09-12';
const LATER = { today: '2026-10-01' };
const index = (...files: string[]) => ({
  headers: { 'content-type': 'text/html' },
  body: `<html><body><table><tbody><tr>${files.map((file) => `<td><a href="/tetsuzuki/kawase/${file}">x</a></td>`).join('')}</tr></tbody></table></body></html>`,
});
const list = index('kawase2026/kouji-rate20260906-20260912.pdf', 'kawase2026/csv/260906-260912.csv');

/** A code, its figure for one unit, that for a hundred, a remark. */
type Line = [code: string, ...more: (string | undefined)[]];
/** Codes of no currency (JAA to JCH), so that there are as many figures as a list has. */
const FILLERS = Array.from({ length: 60 }, (_, at): Line => {
  const letter = (index: number) => String.fromCharCode(65 + index);
  return [`J${letter(Math.floor(at / 26))}${letter(at % 26)}`, '1.00', undefined];
});
/** Helvetica has equally wide figures and narrow marks. */
const widthOf = (text: string) => [...text].reduce((sum, mark) => sum + (/\d/.test(mark) ? 5.004 : 2.502), 0);
function table(lines: Line[], encrypted = false): Uint8Array {
  const all: Line[] = [['ISO'], ...lines, ...FILLERS];
  const pages = [all.slice(0, 35), all.slice(35)].map((part) =>
    part.flatMap(([code, single, hundred, remark], row) => {
      const y = 780 - 20 * row;
      const figure = (text: string, right: number) => ({ x: right - widthOf(text), y: y - 1, text });
      return [
        { x: 74, y, text: '304' },
        { x: 346, y, text: code },
        ...(single === undefined ? [] : [figure(single, 457)]),
        ...(hundred === undefined ? [] : [figure(hundred, 540)]),
        ...(remark === undefined ? [] : [{ x: 420, y, text: remark }]),
      ];
    }),
  );
  return makePdf({ encrypted }, ...pages);
}
const answers = (pdf: Uint8Array) => ({ [NEW]: list, [PDF]: pdf });

test.each([false, true])('yen for one or a hundred units, by column (encrypted: %s)', async (encrypted) => {
  const pdf = table(
    [
      ['USD', '1,155.39'],
      ['KRW', undefined, '11.41'],
      ['PLZ', '40.17'],
      ['BND', undefined, undefined, 'SGD'],
      ['USD', undefined, undefined, 'note'],
      ['GBP', '0'],
    ],
    encrypted,
  );
  const { rows, dropped, skipped } = await readFeed(feed, WEEK, answers(pdf), LATER);
  expect(rows).toEqual([
    ['2026-09-06', 'USD', 'JPY', 1155.39],
    ['2026-09-06', 'KRW', 'JPY', 0.1141],
    ['2026-09-06', 'PLN', 'JPY', 40.17],
  ]);
  expect(dropped).toEqual({ 'unknown-currency': 60 });
  expect(skipped).toEqual({ 'no rate': 1 });
});

test('weeks before 2008 are on their own page, and the week ahead is read once it is there', async () => {
  const old = index('kawase2007/kouji-rate20071230-20080105.pdf');
  const pdf = table([['KRW', undefined, '11.41']]);
  const given = { [OLD]: old, [`${FOLDER}/kawase2007/kouji-rate20071230-20080105.pdf`]: pdf };
  expect((await readFeed(feed, '2007-12-30..2008-01-05', given, LATER)).rows).toHaveLength(1);
  const { rows } = await readFeed(feed, '2026-09-03..', answers(pdf), { today: '2026-09-03' });
  expect(rows).toEqual([['2026-09-06', 'KRW', 'JPY', 0.1141]]);
});

test('a window in which no week begins is empty', async () => {
  expect(await readFeed(feed, '2026-09-08..2026-09-11', {}, LATER)).toMatchObject({
    requests: [],
    noData: ['no week begins in the window'],
  });
  expect(await readFeed(feed, '2026-09-14..2026-09-15', { [NEW]: list })).toMatchObject({
    rows: [],
    noData: ['the week ahead is not published yet'],
  });
});

test.each([
  ['a blocked page', { [NEW]: blockedPage }, /links no week/],
  ...['http://169.254.169.254', '//127.0.0.1', '/\\127.0.0.1', 'file://'].map(
    (place): [string, Record<string, string>, RegExp] => [
      `a week at ${place}`,
      { [NEW]: `<a href="${place}/tetsuzuki/kawase/kouji-rate20260906-20260912.pdf">x</a>` },
      /links no week/,
    ],
  ),
  ['a page for a list', { [NEW]: list, [PDF]: blockedPage }, /no PDF/],
  [
    'a week that is not linked',
    { [NEW]: index('kouji-rate20260830-20260905.pdf') },
    /week of 2026-09-06 is not linked/,
  ],
  ['one column of figures', answers(table([['USD', '155.39']])), /1 columns/],
  ['a code without figure and remark', answers(table([['USD'], ['KRW', undefined, '1']])), /USD has none/],
  ['two figures of a code', answers(table([['KRW', '1', '1']])), /KRW has two figures/],
  [
    'a code twice',
    answers(
      table([
        ['KRW', undefined, '1'],
        ['KRW', undefined, '2'],
      ]),
    ),
    /both 1 and 2/,
  ],
  [
    'a file of few figures',
    answers(
      makePdf([
        { x: 1, y: 1, text: 'USD' },
        { x: 50, y: 1, text: '1' },
      ]),
    ),
    /only 1 figures/,
  ],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, WEEK, given, LATER)).rejects.toThrow(message);
});

test('a week that is not linked, or whose list can not be read, costs itself', async () => {
  const week = (days: string) => `kawase2026/kouji-rate${days}.pdf`;
  const [first, second] = [week('20260830-20260905'), week('20260906-20260912')];
  const { rows, unread } = await readFeed(
    feed,
    '2026-08-23..2026-09-12',
    {
      [NEW]: index(first, second, week('20263030-20260905')),
      [`${FOLDER}/${first}`]: makePdf([{ x: 1, y: 1, text: 'redesigned' }]),
      [`${FOLDER}/${second}`]: table([['KRW', undefined, '11.41']]),
    },
    LATER,
  );
  expect(rows).toEqual([['2026-09-06', 'KRW', 'JPY', 0.1141]]);
  expect(unread).toEqual([
    expect.stringMatching(/^2026-08-23..2026-08-23 .*the week of 2026-08-23 is not linked/),
    expect.stringMatching(/^2026-08-30..2026-08-30 .*only 0 figures/),
  ]);
});
