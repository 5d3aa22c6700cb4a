import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbe.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET api.nbe.gov.et/api/filter-exchange-rates';
const day = (...rows: [string, string | null, string | number | null][]) =>
  JSON.stringify({
    success: true,
    data: rows.map(([date, code, weighted_average]) => ({
      date,
      weighted_average,
      currency: code && { name: 'x', code },
    })),
  });

test('the weighted average in birr, one request a weekday', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-15..2026-05-18', {
    [PLACE]: [
      day(['2026-05-15', 'JPY', '0.9965'], ['2026-05-15', null, '1'], ['2026-05-15', 'EUR', null]),
      day(['2026-05-18', 'USD', 157.227], ['2026-05-18', 'CHF', 'n/a'], ['2026-05-18', 'GBP', '0']),
    ],
  });
  expect(rows).toEqual([
    ['2026-05-15', 'JPY', 'ETB', 0.9965],
    ['2026-05-18', 'USD', 'ETB', 157.227],
  ]);
  expect(requests.map(({ query }) => query.get('date'))).toEqual(['2026-05-15', '2026-05-18']);
});

test('a closed day has no rows', async () => {
  expect((await readFeed(feed, '2026-05-15..2026-05-15', { [PLACE]: day() })).rows).toEqual([]);
});

test('the web site that answers 404 in place of the service is an error, not a closed day', async () => {
  const gone = {
    status: 404,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: '<!DOCTYPE html><html><head><title>Page not found</title></head><body></body></html>',
  };
  await expect(readFeed(feed, '2026-08-17..2026-08-17', { [PLACE]: gone })).rejects.toThrow(
    /responded with status 404/,
  );
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['no data', '{"success":true,"status":200}', /data/],
  ['a date in another form', day(['18.05.2026', 'USD', '157']), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-18..2026-05-18', { [PLACE]: answer })).rejects.toThrow(message);
});
