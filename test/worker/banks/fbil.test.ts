import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/fbil.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.fbil.org.in/wasdm/refrates/fetchfiltered';
const fixings = (...rows: [string | null, string | null, number | string | null][]) =>
  JSON.stringify(
    rows.map(([processRunDate, subProdName, rate]) => ({ processRunDate, subProdName, rate, comments: '' })),
  );

test('rupees for one unit, by the units in the product', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-17..2026-03-18', {
    [PLACE]: fixings(
      ['2026-03-17 00:00:00', 'INR / 1 USD', 92.457],
      ['2026-03-17 00:00:00', 'INR / 100 JPY', 57.99],
      ['2026-03-17 00:00:00', 'INR / 10000 IDR', 54.4093],
      ['2026-03-17 00:00:00', 'INR / 0 EUR', 1],
      ['2026-03-17 00:00:00', 'Overnight', 5],
      ['2026-03-18 00:00:00', 'INR / 1 GBP', 'N/A'],
      [null, 'INR / 1 EUR', 100],
      ['2026-03-18 00:00:00', null, 100],
    ),
  });
  expect(rows).toEqual([
    ['2026-03-17', 'USD', 'INR', 92.457],
    ['2026-03-17', 'JPY', 'INR', 0.5799],
    ['2026-03-17', 'IDR', 'INR', 0.00544093],
  ]);
  expect(requests[0]?.query.toString()).toBe('fromDate=2026-03-17&toDate=2026-03-18&authenticated=false');
});

test('an empty list is an empty window', async () => {
  expect((await readFeed(feed, '2026-03-21..2026-03-22', { [PLACE]: '[]' })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"error":"x"}', /documented form/],
  ['a date in another form', fixings(['17-03-2026', 'INR / 1 USD', 92]), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-17..2026-03-18', { [PLACE]: answer })).rejects.toThrow(message);
});
