import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import type { ListedProvider } from '../../../src/catalogue/schemas.js';
import { startApi, type TestApi } from '../../support/api.js';
import { publish } from '../../support/coverage.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let api: TestApi;

beforeEach(async () => {
  database = await testDatabase();
  api = await startApi(database, { clock: () => new Date('2026-03-20T12:00:00Z') });
});

afterEach(async () => {
  await api?.close();
  await database?.close();
});

async function list(): Promise<ListedProvider[]> {
  await api.catchUp();
  const response = await fetch(`${api.url}/v2/providers`);
  expect(response.status).toBe(200);
  return (await response.json()) as ListedProvider[];
}

const one = async (key: string) => (await list()).find((provider) => provider.key === key);

describe('GET /v2/providers', () => {
  it('lists all before the first ingest', async () => {
    const listed = await list();
    const keys = listed.map(({ key }) => key);
    expect(keys).toEqual(providers.map(({ key }) => key).sort());
    for (const provider of listed) {
      expect(provider).toMatchObject({
        start_date: null,
        end_date: null,
        currencies: [],
        last_success_at: null,
        last_attempt_at: null,
        status: 'pending',
      });
    }
  });

  it('gives the fields in their order', async () => {
    expect(Object.keys((await list())[0] ?? {})).toEqual([
      'key',
      'name',
      'country_code',
      'rate_type',
      'pivot_currency',
      'homepage',
      'data_url',
      'terms_url',
      'terms_restrict',
      'start_date',
      'end_date',
      'kind',
      'period',
      'blended',
      'publish_cadence',
      'publish_schedule',
      'next_publish_at',
      'publishes_missed',
      'currencies',
      'last_success_at',
      'last_attempt_at',
      'status',
    ]);
  });

  it('says what terms are known to restrict, and nothing of the others', async () => {
    const restricted = (await list()).filter(({ terms_restrict }) => terms_restrict !== null);
    expect(restricted.map(({ key, terms_restrict }) => [key, terms_restrict])).toEqual(
      ['BDL', 'BFM', 'BM', 'BOMU', 'CBBH'].map((key) => [key, 'reproduction or commercial use']),
    );
    const document = await (await fetch(`${api.url}/openapi.json`)).json();
    expect(document).toHaveProperty('components.schemas.Provider.properties.terms_restrict', {
      type: ['string', 'null'],
      description: 'What its terms are known to restrict; null does not mean that they restrict nothing',
    });
  });

  it('says what each has published', async () => {
    await publish(database, [
      ['ECB', 'USD', '1999-01-04', '2026-03-18'],
      ['ECB', 'EUR', '1999-01-04', '2026-03-19'],
      ['BBK', 'DEM', '1948-06-21', '1998-12-31'],
    ]);
    await database.pool.query(
      `update providers set last_attempt_at = '2026-03-19T16:00:01Z', last_success_at = '2026-03-19T16:00:02Z'
       where key = 'ECB'`,
    );
    expect(await one('ECB')).toMatchObject({
      start_date: '1999-01-04',
      end_date: '2026-03-19',
      currencies: ['EUR', 'USD'],
      publishes_missed: 0,
      last_attempt_at: '2026-03-19T16:00:01.000Z',
      last_success_at: '2026-03-19T16:00:02.000Z',
      status: 'fresh',
    });
    expect(await one('BBK')).toMatchObject({ publishes_missed: null, status: 'archive' });
  });

  it('shows a failure that came without a data version, and never its text', async () => {
    await publish(database, [['ECB', 'USD', '1999-01-04', '2026-03-19']]);
    expect(await one('ECB')).toMatchObject({ status: 'fresh' });
    await database.pool.query(
      `update providers set last_error = 'secret text of an upstream' where key = 'ECB'`,
    );
    await api.catchUp();
    const body = await (await fetch(`${api.url}/v2/providers`)).text();
    expect(body).not.toContain('secret');
    expect(await one('ECB')).toMatchObject({ status: 'failing', end_date: '2026-03-19' });
  });

  it('refuses parameters', async () => {
    expect((await fetch(`${api.url}/v2/providers?key=ECB`)).status).toBe(422);
  });
});

describe('GET /v2/providers/{key}', () => {
  const get = (key: string, headers: Record<string, string> = {}) =>
    fetch(`${api.url}/v2/providers/${key}`, { headers });

  it('is the source as it is listed, by its key in any case', async () => {
    await publish(database, [
      ['ECB', 'EUR', '1999-01-04', '2026-03-19'],
      ['ECB', 'USD', '1999-01-04', '2026-03-19'],
    ]);
    const listed = await one('ECB');
    expect(listed).toMatchObject({ currencies: ['EUR', 'USD'], end_date: '2026-03-19' });
    const response = await get('ecb');
    expect(await response.json()).toEqual(listed);
    const held = await get('ECB', { 'if-none-match': response.headers.get('etag') ?? '' });
    expect([held.status, response.headers.get('cache-control')]).toEqual([
      304,
      'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400',
    ]);
  });

  it('is a 404 for what is no source, and takes no parameters', async () => {
    const unknown = await get('zzz');
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { success: false, status: 404, message: 'no such provider: ZZZ' },
    ]);
    expect((await get('ECB?expand=providers')).status).toBe(422);
  });
});
