import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nrb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.nrb.org.np/api/forex/v1/rates';
const days = (
  pages: number,
  ...payload: [string, ...[string, number | string, string | null, string | null][]][]
) =>
  JSON.stringify({
    status: { code: 200 },
    data: {
      payload: payload.map(([date, ...rates]) => ({
        date,
        rates: rates.map(([iso3, unit, buy, sell]) => ({ currency: { iso3, name: 'x', unit }, buy, sell })),
      })),
    },
    pagination: { page: 1, pages, per_page: 100 },
  });

test('midpoints for one unit, page by page', async () => {
  const { rows, requests } = await readFeed(feed, '2026-04-01..2026-04-05', {
    [PLACE]: [
      days(2, ['2026-04-01', ['INR', 100, '160.00', '160.15'], ['KRW', '100', '9.92', '9.96']]),
      days(
        2,
        ['2026-04-04', ['USD', 1, '151.44', null], ['EUR', 1, '0', '0'], ['GBP', 1, '200', '201']],
        ['2020-06.25', ['USD', 1, '1', '1']],
      ),
    ],
  });
  expect(rows).toEqual([
    ['2026-04-01', 'INR', 'NPR', 1.60075],
    ['2026-04-01', 'KRW', 'NPR', 0.0994],
    ['2026-04-04', 'GBP', 'NPR', 200.5],
  ]);
  expect(requests.map(({ query }) => query.toString())).toEqual([
    'from=2026-04-01&to=2026-04-05&page=1&per_page=100',
    'from=2026-04-01&to=2026-04-05&page=2&per_page=100',
  ]);
});

test('no days are an empty window', async () => {
  expect((await readFeed(feed, '2026-04-01..2026-04-05', { [PLACE]: days(0) })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"status":{"code":500},"data":null}', /data/],
  ['a price that is no number', days(1, ['2026-04-01', ['USD', 1, 'x', '1']]), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-04-01..2026-04-05', { [PLACE]: answer })).rejects.toThrow(message);
});
