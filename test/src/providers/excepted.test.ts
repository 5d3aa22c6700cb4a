import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exceptProviders, providers } from '../../../core/domain/providers.js';
import { claimBlends } from '../../../worker/blend/reblend.js';
import { startApi, type TestApi } from '../../support/api.js';
import { databaseTime, type TestDatabase } from '../../support/postgres.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';
import { openLog } from '../../worker/ingest/support.js';

const TOKEN = 'a-token-for-tests-only';
const NBU = { provider: 'NBU', base: 'USD', quote: 'UAH' };

let database: TestDatabase;
let api: TestApi;
/** Before any provider was excepted. */
let instant: string;

const ask = (path: string, init?: RequestInit) => fetch(`${api.url}${path}`, init);
const textOf = async (path: string) => (await ask(path)).text();
const rowsOf = async (path: string) => (await ask(path)).json() as Promise<Record<string, unknown>[]>;
const start = () => startApi(database, { variables: { ADMIN_TOKEN: TOKEN } });

/** As the programs are started anew, with other providers excepted. */
async function restartExcept(...keys: string[]): Promise<void> {
  await api?.close();
  exceptProviders(keys);
  await claimBlends(database, openLog().log);
  api = await start();
}

beforeAll(async () => {
  database = await databaseWith(someRates('2026-02-02'));
  // A rate that is held back, and one that is restated.
  await storeRows(database, [{ ...NBU, date: '2026-03-22', rate: 4.36 }]);
  await storeRows(database, [{ ...NBU, date: '2026-03-19', rate: 43.6 }]);
  instant = (await databaseTime(database)).toISOString();
  api = await start();
});
afterAll(async () => {
  exceptProviders([]);
  await api?.close();
  await database?.close();
});

const PLAIN = '/v2/rates?date=2026-03-20&quotes=UAH,GBP';
/** All that names providers. */
const LISTS = [
  '/v2/providers',
  '/v2/suspects?status=held,confirmed,corrected',
  '/v2/revisions',
  '/v2/currency/EUR',
  '/v2/rates?date=2026-03-20&base=USD&quotes=EUR,GBP&expand=providers',
  '/v2/rate/EUR/USD?date=2026-03-20&expand=receipt',
  '/metrics',
  '/status?state=all',
];

async function expectAll(): Promise<void> {
  for (const path of LISTS) expect(await textOf(path), path).toMatch(/\bNBU\b/);
  expect(await rowsOf(PLAIN)).toHaveLength(2);
}

it('all is shown of a provider that is not excepted', expectAll);

describe('of a provider that is excepted', () => {
  let before: { etag: string | null; rows: unknown };
  const past = () => `/v2/rates?date=2026-03-20&base=USD&quotes=EUR,UAH&as_of=${instant}`;

  beforeAll(async () => {
    const response = await ask(past());
    before = { etag: response.headers.get('etag'), rows: await response.json() };
    await restartExcept('NBU');
  });

  it.each(LISTS)('%s shows nothing', async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/\bNBU\b/);
  });

  it('nothing is blended, and the others go on', async () => {
    expect(await rowsOf(PLAIN)).toMatchObject([{ quote: 'GBP' }]);
    expect(await rowsOf('/v2/providers')).toHaveLength(providers.length);
    expect((await ask('/v2/currency/UAH')).status).toBe(404);
    expect((await ask('/provider/NBU')).status).toBe(404);
    expect(await textOf('/v2/currencies?scope=all')).not.toContain('UAH');
  });

  it('nothing is answered as of an instant at which it was not excepted, by another entity tag', async () => {
    expect(before.rows).toHaveLength(2);
    const response = await ask(past());
    expect(response.headers.get('etag')).not.toBe(before.etag);
    expect(await response.json()).toMatchObject([{ quote: 'EUR' }]);
  });

  it.each([
    '/v2/rates?providers=KEY',
    '/v2/rates?providers=ECB,KEY',
    '/v2/rates?exclude=KEY',
    '/v2/convert/USD/UAH?amount=1&providers=KEY',
    '/v2/providers/KEY',
    '/v2/providers/KEY/rates',
    '/v2/suspects?providers=KEY',
  ])('%s answers as of no provider', async (path) => {
    const answerAbout = async (key: string) => {
      const response = await ask(path.replace('KEY', key));
      const body = (await response.text()).replaceAll(/ \(did you mean [^?]*\?\)/g, '');
      return { status: response.status, body: body.replaceAll(key, 'KEY') };
    };
    const about = await answerAbout('NBU');
    expect(about).toEqual(await answerAbout('NXX'));
    expect(about.status).toBeGreaterThanOrEqual(400);
  });

  it('an operator learns why it is not asked', async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await ask('/admin/providers/nbu/ingest', { method: 'POST', headers });
    const message = 'PROVIDERS_EXCEPT leaves NBU out';
    const body = { success: false, status: 404, code: 'unknown_provider', message };
    expect([response.status, await response.json()]).toEqual([404, body]);
  });
});

it('the older routes have no rates where the European Central Bank is excepted', async () => {
  expect((await ask('/v1/2026-03-20')).status).toBe(200);
  await restartExcept('ECB');
  expect((await ask('/v1/2026-03-20')).status).toBe(404);
  expect(await rowsOf('/v1/currencies')).toEqual({});
});

it('all is there again once it is not excepted any more', async () => {
  await restartExcept();
  await expectAll();
});
