import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bcch.js';
import { CredentialsRefused } from '../../../worker/feeds/feed.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const WINDOW = '2026-03-06..2026-03-07';
const PLACE = 'GET si3.bcentral.cl/SieteRestWS/SieteRestWS.ashx';
const answer = (seriesId: string | null, Obs: object[] | null, Codigo = 0, Descripcion = 'Success') =>
  JSON.stringify({ Codigo, Descripcion, Series: { descripEsp: '', seriesId, Obs }, SeriesInfos: [] });
const series =
  (values: Record<string, [day: string, value: string, status: string][]>) =>
  ({ query }: { query: URLSearchParams }) => {
    const id = query.get('timeseries') ?? '';
    return answer(
      id,
      (values[id] ?? []).map(([indexDateString, value, statusCode]) => ({
        indexDateString,
        value,
        statusCode,
      })),
    );
  };

test('pesos for one unit, days marked ND left out', async () => {
  const { rows, requests } = await readFeed(feed, WINDOW, {
    [PLACE]: series({
      'F073.TCO.PRE.Z.D': [
        ['06-03-2026', '1,916.36', 'OK'],
        ['07-03-2026', 'NaN', 'ND'],
      ],
      'F072.CLP.JPY.N.O.D': [['06-03-2026', '5.59', 'OK']],
    }),
  });
  expect(rows).toEqual([
    ['2026-03-06', 'USD', 'CLP', 1916.36],
    ['2026-03-06', 'JPY', 'CLP', 5.59],
  ]);
  expect(requests).toHaveLength(8);
  expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
    user: '<BCCH_USER>',
    pass: '<BCCH_PASS>',
    function: 'GetSeries',
    timeseries: 'F073.TCO.PRE.Z.D',
    firstdate: '2026-03-06',
    lastdate: '2026-03-07',
  });
});

test('a series without observations, and a value of zero', async () => {
  expect((await readFeed(feed, WINDOW, { [PLACE]: answer(null, null) })).rows).toEqual([]);
  const zero = series({ 'F072.CLP.EUR.N.O.D': [['06-03-2026', '0', 'OK']] });
  expect((await readFeed(feed, WINDOW, { [PLACE]: zero })).rows).toEqual([]);
});

test('a refused login is told apart, and not shown', async () => {
  const reading = readFeed(
    feed,
    WINDOW,
    { [PLACE]: answer(null, null, -5, 'Invalid username or password') },
    { credentials: { BCCH_USER: 'me@example.org', BCCH_PASS: 'sesame' } },
  );
  await expect(reading).rejects.toThrow(CredentialsRefused);
  await expect(reading).rejects.not.toThrow(/sesame|example\.org/);
});

test('an unknown series is an error, but no refused login', async () => {
  const unknown = '{"Codigo":-50,"Descripcion":"Invalid series","Series":null,"SeriesInfos":[]}';
  const reading = readFeed(feed, WINDOW, { [PLACE]: unknown });
  await expect(reading).rejects.not.toThrow(CredentialsRefused);
  await expect(reading).rejects.toThrow(/code -50: Invalid series/);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"Codigo":0,"Descripcion":"Success"}', /documented form at Series/],
  [
    'another series than asked for',
    answer('F072.CLP.EUR.N.O.D', [{ indexDateString: '06-03-2026', value: '1', statusCode: 'OK' }]),
    /responded with the series F072\.CLP\.EUR\.N\.O\.D/,
  ],
  [
    'a value that is no number',
    series({ 'F073.TCO.PRE.Z.D': [['06-03-2026', 'NaN', 'OK']] }),
    /not a number/,
  ],
])('%s is an error', async (_, body, message) => {
  await expect(readFeed(feed, WINDOW, { [PLACE]: body })).rejects.toThrow(message);
});
