import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbp.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const [A, B, GOLD] = [
  'GET api.nbp.pl/api/exchangerates/tables/A/2026-03-01/2026-03-05/',
  'GET api.nbp.pl/api/exchangerates/tables/B/2026-03-01/2026-03-05/',
  'GET api.nbp.pl/api/cenyzlota/2026-03-01/2026-03-05/',
] as const;
const table = (effectiveDate: string, ...rates: [string, number | null][]) =>
  JSON.stringify([
    { table: 'A', effectiveDate, rates: rates.map(([code, mid]) => ({ currency: 'x', code, mid })) },
  ]);

test('both tables for one unit, gold for a troy ounce', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-01..2026-03-05', {
    [A]: table('2026-03-02', ['JPY', 0.022963], ['USD', null]),
    [B]: table('2026-03-04', ['IRR', 0.0000028]),
    [GOLD]: '[{"data":"2026-03-02","cena":595.71}]',
  });
  expect(rows).toEqual([
    ['2026-03-02', 'JPY', 'PLN', 0.022963],
    ['2026-03-04', 'IRR', 'PLN', 0.0000028],
    ['2026-03-02', 'XAU', 'PLN', 18528.6521645],
  ]);
  expect(requests[0]?.query.get('format')).toBe('json');
});

const none = { status: 404, body: '404 NotFound - Not Found - Brak danych' };
const nothing = Object.fromEntries(
  ['2026-03-01/2026-06-01/', '2026-06-02/2026-06-02/'].flatMap((days) =>
    ['exchangerates/tables/A', 'exchangerates/tables/B', 'cenyzlota'].map((list) => [
      `GET /api/${list}/${days}`,
      none,
    ]),
  ),
);

test('each list may be missing by itself, and a long window goes in steps of 93 days', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-01..2026-06-02', nothing);
  expect(rows).toEqual([]);
  expect(requests.map(({ path }) => path.replace(/.*\/(?=2026.*2026)/, ''))).toEqual([
    ...Array(3).fill('2026-03-01/2026-06-01/'),
    ...Array(3).fill('2026-06-02/2026-06-02/'),
  ]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"message":"x"}', /documented form/],
  ['a table without its rates', '[{"effectiveDate":"2026-03-02"}]', /rates/],
  ['a value that is no number', '[{"effectiveDate":"2026-03-02","rates":[{"code":"USD","mid":"x"}]}]', /mid/],
  ['a window that is refused', { status: 400 }, /responded with status 400/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-01..2026-03-05', { [A]: answer })).rejects.toThrow(message);
});
