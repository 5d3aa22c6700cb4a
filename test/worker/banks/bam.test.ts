import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bam.js';
import { CredentialsRefused } from '../../../worker/feeds/feed.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET api.centralbankofmorocco.ma/cours/Version1/api/CoursVirement';
const day = (...rows: object[]) => JSON.stringify(rows);
const mid = (date: string, libDevise: string, moyen: number | null, uniteDevise: number) => ({
  date: `${date}T12:30:00`,
  libDevise,
  moyen,
  uniteDevise,
});

test('dirhams for one unit, one request for each weekday', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-27..2026-03-30', {
    [PLACE]: [
      day(
        mid('2026-03-27', 'NOK', 95.938, 100),
        mid('2026-03-27', 'DZD', 0.7032, 10),
        mid('2026-03-27', 'NOK', 95.938, 100),
      ),
      day(mid('2026-03-30', 'USD', 9.3261, 1)),
    ],
  });
  expect(rows).toEqual([
    ['2026-03-27', 'NOK', 'MAD', 0.95938],
    ['2026-03-27', 'DZD', 'MAD', 0.07032],
    ['2026-03-30', 'USD', 'MAD', 9.3261],
  ]);
  expect(requests.map(({ query }) => query.get('date'))).toEqual([
    '2026-03-27T12:30:00',
    '2026-03-30T12:30:00',
  ]);
  expect(requests[0]?.headers['ocp-apim-subscription-key']).toBe('<BAM_API_KEY>');
});

test('the exact middle of buying and selling in older years', async () => {
  const old = {
    date: '1999-01-04T14:00:00',
    libDevise: 'USD',
    achat: 9.2125,
    vente: 9.2679,
    uniteDevise: 1,
  };
  const half = { ...old, libDevise: 'GBP', vente: null };
  const { rows } = await readFeed(feed, '1999-01-04..1999-01-04', { [PLACE]: day(old, half) });
  expect(rows).toEqual([['1999-01-04', 'USD', 'MAD', 9.2402]]);
});

test('the ouguiya is the new one from 2018', async () => {
  const { rows } = await readFeed(feed, '2017-12-29..2018-01-01', {
    [PLACE]: [day(mid('2017-12-29', 'MRO', 2.6, 100)), day(mid('2018-01-01', 'MRO', 26, 100))],
  });
  expect(rows).toEqual([
    ['2017-12-29', 'MRO', 'MAD', 0.026],
    ['2018-01-01', 'MRU', 'MAD', 0.26],
  ]);
});

test('a day without a table, and prices and units of zero', async () => {
  const { rows, dropped } = await readFeed(feed, '2026-03-26..2026-03-27', {
    [PLACE]: [
      '[]',
      day(
        { ...mid('2026-03-27', 'USD', 0, 1), achat: 9, vente: 10 },
        mid('2026-03-27', 'EUR', 10.8, 0),
        mid('2026-03-27', 'GBP', null, 1),
        mid('2026-03-27', 'CHF', 11, 1),
        { ...mid('2026-03-27', '', 8, 1), libDevise: null },
      ),
    ],
  });
  expect(rows).toEqual([['2026-03-27', 'CHF', 'MAD', 11]]);
  expect(dropped).toEqual({ malformed: 3 });
});

test('a key that is refused is told apart', async () => {
  const answers = { [PLACE]: { status: 401, body: '{"statusCode":401}' } };
  await expect(readFeed(feed, '2026-03-27..2026-03-27', answers)).rejects.toThrow(CredentialsRefused);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a message about the quota', '{"statusCode":200,"message":"Quota exceeded"}', /documented form/],
  ['a row without its unit', '[{"date":"2026-03-27T12:30:00","libDevise":"USD","moyen":9}]', /uniteDevise/],
  ['a date in another form', day(mid('27/03/2026', 'USD', 9, 1)), /not a date/],
])('%s is an error', async (_, body, message) => {
  await expect(readFeed(feed, '2026-03-27..2026-03-27', { [PLACE]: body })).rejects.toThrow(message);
});
