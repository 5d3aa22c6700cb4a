import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/fred.js';
import { CredentialsRefused } from '../../../worker/feeds/feed.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET api.stlouisfed.org/fred/series/observations';
const series = (values: Record<string, [string, string][]>) => (request: { query: URLSearchParams }) =>
  JSON.stringify({
    observations: (values[request.query.get('series_id') ?? ''] ?? []).map(([date, value]) => ({
      date,
      value,
    })),
  });

test('each series in its own direction, holidays left out', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-02..2026-03-04', {
    [PLACE]: series({
      DEXBZUS: [
        ['2026-03-02', '5.1901'],
        ['2026-03-03', '.'],
      ],
      DEXUSEU: [['2026-03-02', '1.1444']],
    }),
  });
  expect(rows).toEqual([
    ['2026-03-02', 'USD', 'BRL', 5.1901],
    ['2026-03-02', 'EUR', 'USD', 1.1444],
  ]);
  expect(requests).toHaveLength(22);
  expect(requests[0]?.query.get('observation_start')).toBe('2026-03-02');
});

test('no observations are an empty window', async () => {
  expect((await readFeed(feed, '2026-03-14..2026-03-15', { [PLACE]: series({}) })).rows).toEqual([]);
});

test('a key that is refused is told apart, and not shown', async () => {
  const refusal = readFeed(
    feed,
    '2026-03-02..2026-03-04',
    {
      [PLACE]: {
        status: 400,
        body: '{"error_code":400,"error_message":"The value for variable api_key is not registered."}',
      },
    },
    { credentials: { FRED_API_KEY: 'sesame' } },
  );
  await expect(refusal).rejects.toThrow(CredentialsRefused);
  await expect(refusal).rejects.not.toThrow(/sesame/);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"seriess":[]}', /observations/],
  [
    'another bad request',
    { status: 400, body: '{"error_code":400,"error_message":"Bad series."}' },
    /Bad series/,
  ],
  ['a value that is no number', series({ DEXBZUS: [['2026-03-02', 'n/a']] }), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-02..2026-03-04', { [PLACE]: answer })).rejects.toThrow(message);
});
