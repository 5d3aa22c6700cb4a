import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bdl.js';
import { blockedPage, makeXls, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.bdl.gov.lb/CB Com/Statistics And Research/Daily/BDL_DailyExchangeRates.xls';
const HEADINGS = ['Period', 'Currency', 'Bid', 'Ask', 'Mid'];
const DAYS = '2025-12-31..2026-01-02';
const serial = (date: string) => Date.parse(date) / 86_400_000 + 25_569;
const row = (date: string, code: string, mid: number | null) => [serial(date), code, mid, mid, mid];
type Rows = (string | number | null)[][];
const file = (first: Rows, second: Rows = [], headings = HEADINGS) =>
  makeXls({ 'Daily  2026': [headings, ...first], 'Daily 2025': [headings, ...second] });

test('the middle rate from every sheet', async () => {
  const { rows, skipped } = await readFeed(feed, DAYS, {
    [PLACE]: file(
      [row('2026-01-02', 'USD', 89_500), row('2026-01-02', ' jpy ', 579.33), row('2026-01-01', 'EUR', null)],
      [row('2025-12-31', 'USD', 89_500), row('2025-12-31', 'USD', 89_500), row('2025-12-30', 'USD', 1)],
    ),
  });
  expect(rows).toEqual([
    ['2026-01-02', 'USD', 'LBP', 89_500],
    ['2026-01-02', 'JPY', 'LBP', 579.33],
    ['2025-12-31', 'USD', 'LBP', 89_500],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
});

test('a window without rows is empty', async () => {
  expect((await readFeed(feed, DAYS, { [PLACE]: file([row('2024-01-02', 'USD', 15_000)]) })).rows).toEqual(
    [],
  );
});

test.each([
  ['a blocked page', blockedPage, /no workbook/],
  [
    'a changed layout',
    file([row('2026-01-02', 'USD', 1)], [], ['Date', 'Code', 'Bid', 'Ask', 'Mid']),
    /headings Period/,
  ],
  ['a file without rates', file([]), /no records that hold a rate/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: given })).rejects.toThrow(message);
});

test('two rates of one day are none, and an odd sheet costs itself', async () => {
  const { rows, dropped, unread } = await readFeed(feed, DAYS, {
    [PLACE]: makeXls({
      'Daily  2026': [
        HEADINGS,
        row('2026-01-02', 'USD', 1),
        row('2026-01-02', 'USD', 2),
        row('2026-01-02', 'EUR', 3),
      ],
      'Daily 2025': [['Date'], row('2025-12-31', 'USD', 1)],
      'Daily 2027': [HEADINGS],
    }),
  });
  expect(rows).toEqual([['2026-01-02', 'EUR', 'LBP', 3]]);
  expect(dropped).toEqual({ malformed: 2 });
  expect(unread).toEqual([expect.stringMatching(/^2025-01-01..2025-12-31 .*sheet Daily 2025/)]);
});
