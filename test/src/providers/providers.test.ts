import { beforeAll, expect, it } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import type { ListedProvider } from '../../../src/catalogue/schemas.js';
import type { TestApi } from '../../support/api.js';
import { publish } from '../../support/coverage.js';
import { testDatabase } from '../../support/postgres.js';
import { sharedApi } from '../../support/shared.js';
import { ownApi } from '../own-api.js';

const now = '2026-03-20T12:00:00Z';
const FIELDS =
  'key,name,country_code,rate_type,pivot_currency,homepage,data_url,terms_url,terms_restrict,start_date,end_date,kind,period,' +
  'blended,publish_cadence,frequency,publish_schedule,next_publish_at,publishes_missed,currencies,unknown_currencies,last_success_at,last_attempt_at,status';

/** Without any rate. */
let empty: TestApi;
beforeAll(async () => {
  empty = await sharedApi([], { now });
});

const published = async () => {
  const database = await testDatabase();
  await publish(database, [
    ['ECB', 'USD', '1999-01-04', '2026-03-18'],
    ['ECB', 'EUR', '1999-01-04', '2026-03-19'],
    ['BBK', 'DEM', '1948-06-21', '1998-12-31'],
    ['BOC', 'CAD', '1999-01-04', '2026-03-19'],
  ]);
  await database.pool.query(
    `update providers set last_attempt_at = '2026-03-19T16:00:01Z', last_success_at = '2026-03-19T16:00:02Z'
     where key = 'ECB'`,
  );
  return database;
};
const own = ownApi(published, { clock: () => new Date(now) });

async function list({ url }: TestApi): Promise<ListedProvider[]> {
  const response = await fetch(`${url}/v2/providers`);
  expect(response.status).toBe(200);
  return (await response.json()) as ListedProvider[];
}

const one = async (key: string) => (await list(own.api)).find((provider) => provider.key === key);
const get = (key: string, headers?: Record<string, string>) => own.ask(`/v2/providers/${key}`, headers);

it('GET /v2/providers lists all before the first ingest, with their fields in order', async () => {
  const listed = await list(empty);
  expect(listed.map(({ key }) => key)).toEqual(providers.map(({ key }) => key).sort());
  expect(Object.keys(listed[0] ?? {}).join()).toBe(FIELDS);
  const times = { last_success_at: null, last_attempt_at: null };
  const nothing = {
    start_date: null,
    end_date: null,
    currencies: [],
    unknown_currencies: [],
    ...times,
    status: 'pending',
  };
  for (const provider of listed) expect(provider).toMatchObject(nothing);
});

it('GET /v2/providers says what terms are known to restrict, and nothing of the others', async () => {
  const restricted = (await list(empty)).filter(({ terms_restrict }) => terms_restrict !== null);
  expect(restricted.map(({ key, terms_restrict }) => [key, terms_restrict])).toEqual(
    ['BDL', 'BFM', 'BM', 'BOMU', 'CBBH'].map((key) => [key, 'reproduction or commercial use']),
  );
  const document = await (await fetch(`${empty.url}/openapi.json`)).json();
  expect(document).toHaveProperty('components.schemas.Provider.properties.terms_restrict', {
    type: ['string', 'null'],
    description: 'Known restrictions in its terms; null does not mean that there are none',
  });
});

it('GET /v2/providers says what each has published', async () => {
  expect(await one('ECB')).toMatchObject({
    ...{ start_date: '1999-01-04', end_date: '2026-03-19', currencies: ['EUR', 'USD'] },
    ...{ last_attempt_at: '2026-03-19T16:00:01.000Z', last_success_at: '2026-03-19T16:00:02.000Z' },
    ...{ publishes_missed: 0, status: 'fresh' },
  });
  expect(await one('BBK')).toMatchObject({ publishes_missed: null, status: 'archive' });
});

it('GET /v2/providers shows a failure that came without a data version, and never its text', async () => {
  expect(await one('BOC')).toMatchObject({ status: 'fresh' });
  await own.database.pool.query(`update providers set last_error = 'secret text' where key = 'BOC'`);
  await own.api.catchUp();
  expect(await (await own.ask('/v2/providers')).text()).not.toContain('secret');
  expect(await one('BOC')).toMatchObject({ status: 'failing', end_date: '2026-03-19' });
});

it('GET /v2/providers refuses parameters', async () => {
  expect((await own.ask('/v2/providers?key=ECB')).status).toBe(422);
});

it('GET /v2/providers/{key} is the source as it is listed, by its key in any case', async () => {
  const response = await get('ecb');
  expect(await response.json()).toEqual(await one('ECB'));
  const kept = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400';
  expect(response.headers.get('cache-control')).toBe(kept);
  expect((await get('ECB', { 'if-none-match': response.headers.get('etag') ?? '' })).status).toBe(304);
});

it('GET /v2/providers/{key} is a 404 for what is no source, and takes no parameters', async () => {
  const unknown = await get('zzz');
  const body = { success: false, status: 404, code: 'unknown_provider', message: 'no such provider: ZZZ' };
  expect([unknown.status, await unknown.json()]).toEqual([404, body]);
  expect((await get('ECB?expand=providers')).status).toBe(422);
});
