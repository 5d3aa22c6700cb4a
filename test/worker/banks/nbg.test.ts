import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbg.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET nbg.gov.ge/gw/api/ct/monetarypolicy/currencies/';
const table = (day: string, ...currencies: [string, number, number][]) =>
  JSON.stringify([
    {
      date: `${day}T00:00:00.000Z`,
      currencies: currencies.map(([code, quantity, rate]) => ({ code, quantity, rate, name: 'ლარი' })),
    },
  ]);

test('lari for one unit under the date of the table, Sundays not asked for', async () => {
  const { rows, requests } = await readFeed(feed, '2026-02-28..2026-03-02', {
    [PLACE]: [
      table('2026-02-28', ['AED', 10, 7.2853], ['ZAR', 10, 1.6764]),
      table('2026-02-28', ['AED', 10, 7.2853], ['IRR', 0, 1], ['KZT', 100, 0]),
    ],
  });
  expect(rows).toEqual([
    ['2026-02-28', 'AED', 'GEL', 0.72853],
    ['2026-02-28', 'ZAR', 'GEL', 0.16764],
  ]);
  expect(requests.map(({ query }) => query.get('date'))).toEqual(['2026-02-28', '2026-03-02']);
});

test('an empty list is a day before the first table', async () => {
  expect((await readFeed(feed, '1990-01-01..1990-01-01', { [PLACE]: '[]' })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"error":"x"}', /documented form/],
  ['a table without currencies', '[{"date":"2026-03-02T00:00:00.000Z"}]', /currencies/],
  [
    'a value that is no number',
    '[{"date":"2026-03-02","currencies":[{"code":"USD","quantity":1,"rate":"-"}]}]',
    /rate/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-02..2026-03-02', { [PLACE]: answer })).rejects.toThrow(message);
});
