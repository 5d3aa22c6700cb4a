import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbi.js';
import { blockedPage, makeXlsx, readFeed } from '../feeds/support.js';

const PAGE = 'GET cbi.iq/page/144';
const PATH = '/static/uploads/up/file-2.xlsx';
const page = `<a href="https://cbi.iq/static/uploads/up/file-1.xlsx">اسعار صرف الدينار تجاه الدولار</a>
  <a href="https://cbi.iq/gold.pdf">الذهب</a>
  <a href="https://cbi.iq${PATH}">أسعار صرف الدينار <b>والذهب</b> (بيع ، شراء)</a>`;
type Line = (string | number | null)[];
const title: Line = ['Daily Exchange Rate for Iraqi Dinar Per Major Currencies and Gold (buy, sell)'];
const [buy, sell, sell2] = [
  '  Buy      ID            ',
  ' Sell         ID      ',
  ' Sell         ID 2      ',
];
/** The layout of 2009 to 2024: two columns a currency. */
const pairs = (...days: Line[]): Line[] => [
  title,
  ['Date', 'الدولار', null, 'الفرنك', null, 'الذهب'],
  [null, 'USD', null, 'S.FR', null, 'Gold'],
  [2024, buy, sell, buy, sell, ' ID '],
  ...days,
];
/** The layout since 2025: three columns a currency, its name over any of them. */
const triples = (...days: Line[]): Line[] => [
  title,
  ['Date', 'الين  JPY', null, null, null, 'الروبية  INR', null, 'حقوق السحب SDR'],
  [2026, buy, sell, sell2, buy, sell, sell2, buy, sell, sell2],
  ...days,
];
const read = (days: string, sheets: Record<string, Line[]>) =>
  readFeed(feed, days, { [PAGE]: page, [`GET ${PATH}`]: makeXlsx(sheets) });
const datesOf = ({ rows }: { rows: [string, string, string, number][] }) => rows.map(([date]) => date);

test('the middle of the two prices, in both layouts', async () => {
  const { rows } = await read('2024-12-31..2026-01-03', {
    '2024': pairs(['Dec.2024'], [31, 1300, 1310, '1529.592', '1541.358 ', 2676539.71]),
    '2025 ': [],
    '2026': triples(
      [2026],
      [1, 'عطلة', null, null, 14.4],
      ['2', 5.286, 8.35, 8.42, 14.402, 14.512, 14.623, 1772.992, 1786.63, 1800.269],
      ['Average', 1, 1, 1, 1, 1],
      [3, 0, 8.35, null, 'x', 14.5],
    ),
    Notes: [['2', 1, 2]],
  });
  expect(rows).toEqual([
    ['2024-12-31', 'USD', 'IQD', 1305],
    ['2024-12-31', 'CHF', 'IQD', 1535.475],
    ['2026-01-02', 'JPY', 'IQD', 6.818],
    ['2026-01-02', 'INR', 'IQD', 14.457],
    ['2026-01-02', 'XDR', 'IQD', 1779.811],
  ]);
});

test('gold, a pair until 2018, is not read', async () => {
  const goldPair = (name: string): Line[] => [
    title,
    ['Date', 'الدولار', null, 'الذهب'],
    [null, 'USD', null, name],
    [2012, buy, sell, buy, sell],
    ['Jan. 2012'],
    [1, 1164, 1166, 63_000, 64_000],
  ];
  const { rows } = await read('2012-01-01..2012-12-31', { '2012': goldPair('  Gold ') });
  expect(rows).toEqual([['2012-01-01', 'USD', 'IQD', 1165]]);
  await expect(read('2012-01-01..2012-12-31', { '2012': goldPair('Silver') })).rejects.toThrow(
    /the sheet 2012 names no currency above its column Buy 2/,
  );
});

test('months begin at their labels, however written, and where the days begin anew', async () => {
  const day = (number: number | string): Line => [number, 1300, 1310];
  const unlabelled = await read('2024-01-01..2024-12-31', {
    '2024': pairs(day(1), day(31), day(1), day(29), day(30), day(1), ['Mar. 2024'], day(2), [45413], day(1)),
  });
  expect(datesOf(unlabelled)).toEqual([
    '2024-01-01',
    '2024-01-31',
    '2024-02-01',
    '2024-02-29',
    '2024-03-01',
    '2024-03-02',
    '2024-05-01',
  ]);
  const labelled = await read('2024-01-01..2024-12-31', {
    '2024': pairs(
      ['*Mar. 2024'],
      day('4'),
      ['July  2024'],
      day(1),
      ['Mart closed'],
      day(2),
      ['Spet.2024'],
      day(1),
      ['sept.'],
      day(2),
    ),
  });
  expect(datesOf(labelled)).toEqual(['2024-03-04', '2024-07-01', '2024-07-02', '2024-09-01', '2024-09-02']);
});

test('a window without prices is empty', async () => {
  expect((await read('2024-01-05..2024-01-06', { '2024': pairs(['Jan. 2024'], [5], [6]) })).rows).toEqual([]);
});

test.each([
  ['a page without links', { [PAGE]: blockedPage }, /none of its 0 links/],
  ...[
    'http://169.254.169.254/a.xlsx',
    'https://cbi.iq.example/a.xlsx',
    'https://cbi.iq@127.0.0.1/a.xlsx',
  ].map((link): [string, Record<string, string>, RegExp] => [
    `a workbook at ${link}`,
    { [PAGE]: `<a href="${link}">الذهب</a>` },
    /none of its 1 links/,
  ]),
  ['a page for the workbook', { [PAGE]: page, [`GET ${PATH}`]: blockedPage }, /no workbook/],
  [
    'a workbook without years',
    { [PAGE]: page, [`GET ${PATH}`]: makeXlsx({ '2024': [], A: pairs() }) },
    /named after a year/,
  ],
  [
    'a year without heads',
    { [PAGE]: page, [`GET ${PATH}`]: makeXlsx({ '2024': [title, [1, 1300, 1310]] }) },
    /the sheet 2024/,
  ],
  [
    'a thirteenth month',
    { [PAGE]: page, [`GET ${PATH}`]: makeXlsx({ '2024': pairs(['Dec.2024'], [1], [2], [1]) }) },
    /twelfth month/,
  ],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2024-01-05..2024-01-06', answers)).rejects.toThrow(message);
});

test('an odd sheet costs itself', async () => {
  const { rows, unread } = await read('2024-12-31..2026-01-03', {
    '2024': [title, ['Date', 'USD'], [2024, 'Bid', 'Ask'], [31, 1300, 1310]],
    '2026': triples([2026], [2, 5.286, 8.35, 8.42]),
  });
  expect(rows).toEqual([['2026-01-02', 'JPY', 'IQD', 6.818]]);
  expect(unread).toEqual([
    expect.stringMatching(/^2024-01-01..2024-12-31 .*the sheet 2024 has 0 columns Buy/),
  ]);
});
