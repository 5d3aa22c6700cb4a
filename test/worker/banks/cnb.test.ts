import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cnb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET api.cnb.cz/cnbapi/exrates/daily-year';
const year = (...rows: [string, number, string, number | string][]) =>
  JSON.stringify({
    rates: rows.map(([currencyCode, amount, validFor, rate]) => ({ currencyCode, amount, validFor, rate })),
  });

test('koruny for one unit, one request a year', async () => {
  const { rows, requests } = await readFeed(feed, '2025-12-31..2026-01-02', {
    [PLACE]: [
      year(['HUF', 100, '2025-12-30', 6.2], ['HUF', 100, '2025-12-31', 6.26]),
      year(['XDR', 1, '2026-01-02', 28.902], ['EUR', 1, '2026-01-02', 0], ['USD', 0, '2026-01-02', 21]),
    ],
  });
  expect(rows).toEqual([
    ['2025-12-31', 'HUF', 'CZK', 0.0626],
    ['2026-01-02', 'XDR', 'CZK', 28.902],
  ]);
  expect(requests.map(({ query }) => query.get('year'))).toEqual(['2025', '2026']);
});

test('a year without a fixing yet is an empty window', async () => {
  expect((await readFeed(feed, '2026-01-01..2026-01-01', { [PLACE]: year() })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"errorCode":"x"}', /rates/],
  ['a date that is none', year(['USD', 1, 'not-a-date', 21]), /not a date/],
  ['a rate that is no number', year(['USD', 1, '2026-01-02', 'x']), /rate/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-01-01..2026-01-02', { [PLACE]: answer })).rejects.toThrow(message);
});
