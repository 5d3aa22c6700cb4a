import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/boa.js';
import { blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

const PAGE = 'GET www.bank-of-algeria.dz/donnees-historiques/';
const PATH = '/stoodroa/2026/05/Cotation-DZD-2000-2026-journalier.xlsx';
const page = `<a href="/stoodroa/2026/05/autre.pdf">PDF</a><a href="https://www.bank-of-algeria.dz${PATH}">Cotation DZD</a>`;
const sheet = (title: string, ...days: [number | string, number | string | null][]) => [
  [null],
  [`${title} / DZD`],
  [null],
  ...days,
];
const read = (days: string, sheets: Parameters<typeof makeXlsx>[0]) =>
  readFeed(feed, days, { [PAGE]: page, [`GET ${PATH}`]: makeXlsx(sheets) });

test('dinars for one unit, by the names of the sheets', async () => {
  const { rows } = await read('2026-04-29..2026-04-30', {
    'EURO - DZD': sheet('EURO', [46140, 154.1], [46141, 154.5], [46142, 154.7637]),
    'JPY - DZD': sheet('100 JPY', [46141, 83.0386], [46142, null]),
    'USD - DZD': sheet('USD', [46141, 132.1], [46142, 0], ['note', 1]),
  });
  expect(rows).toEqual([
    ['2026-04-29', 'EUR', 'DZD', 154.5],
    ['2026-04-30', 'EUR', 'DZD', 154.7637],
    ['2026-04-29', 'JPY', 'DZD', 0.830386],
    ['2026-04-29', 'USD', 'DZD', 132.1],
  ]);
});

test('the ouguiya is the new one from 2018 on', async () => {
  const { rows } = await read('2017-12-31..2018-01-01', {
    'MRO - DZD': sheet('MRO', [43100, 0.325], [43101, 3.25]),
  });
  expect(rows).toEqual([
    ['2017-12-31', 'MRO', 'DZD', 0.325],
    ['2018-01-01', 'MRU', 'DZD', 3.25],
  ]);
});

test('a window newer than the workbook is empty', async () => {
  expect((await read('2026-05-04..2026-05-05', { 'USD - DZD': sheet('USD', [46142, 132]) })).rows).toEqual(
    [],
  );
});

test.each([
  ['a page without the link', { [PAGE]: blockedPage }, /none of its 0 links/],
  ['a page for the workbook', { [PAGE]: page, [`GET ${PATH}`]: blockedPage }, /no workbook/],
  [
    'a workbook in another layout',
    {
      [PAGE]: page,
      [`GET ${PATH}`]: makeXlsx({
        'USD - DZD': [
          ['Date', 'Cours'],
          ['2026-04-30', 132],
        ],
      }),
    },
    /the sheet USD - DZD has no title that names its currency/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2026-04-29..2026-04-30', answers)).rejects.toThrow(message);
});
