import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbn.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.cbn.gov.ng/api/GetAllExchangeRates';
const history = (...records: [string, string, string | null][]) =>
  JSON.stringify(
    records.map(([currency, ratedate, centralrate]) => ({ id: 1, currency, ratedate, centralrate })),
  );

test('naira for one unit, names of all years, stray labels left out', async () => {
  const { rows } = await readFeed(feed, '2026-05-20..2026-05-21', {
    [PLACE]: history(
      ['CFA', '2026-05-21', '2.4200'],
      ['SWISS FRANC\t', '2026-05-21', '1700.5'],
      ['SDR', '2026-05-20', '1884.041'],
      ['WAUA', '2026-05-21', '1884.041'],
      ['EURO ', '2026-05-21', ''],
      ['YEN', '2026-05-21', null],
      ['US DOLLAR', '2026-05-19', '1371.8'],
    ),
  });
  expect(rows).toEqual([
    ['2026-05-21', 'XOF', 'NGN', 2.42],
    ['2026-05-21', 'CHF', 'NGN', 1700.5],
    ['2026-05-20', 'XDR', 'NGN', 1884.041],
  ]);
});

test('a history without newer days is an empty window', async () => {
  const old = history(['EURO', '2020-01-02', '400']);
  expect((await readFeed(feed, '2026-05-20..2026-05-21', { [PLACE]: old })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{}', /documented form/],
  ['an empty history', '[]', /no records that hold a rate/],
  ['a rate that is no number', history(['EURO', '2026-05-21', 'x']), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-20..2026-05-21', { [PLACE]: answer })).rejects.toThrow(message);
});
