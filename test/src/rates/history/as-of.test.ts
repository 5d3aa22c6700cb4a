import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockData } from '../../../../core/database/locks.js';
import { inTransaction } from '../../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../../core/domain/blend/method.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { applyAt } from '../../../support/changing-store.js';
import { databaseTime, type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { publish, storeRows } from '../../../support/rates.js';
import { ask, compareWithThen } from './random-questions.js';

it('as_of answers random questions as a store did into which only what was recorded by then was stored', async () => {
  await compareWithThen({ events: 18, count: 16, seed: 17 });
});

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await testDatabase();
  for (const [time, provider, from] of [
    ['2026-01-12T14:07:00Z', 'ECB', '2026-01-05'],
    ['2026-01-14T14:00:00Z', 'FRED', '2026-01-05'],
    ['2026-01-19T16:00:00Z', 'ECB', '2026-01-13'],
  ] as const) {
    const rows = publish(provider, ['EUR/USD', 'EUR/JPY'], from, time.slice(0, 10));
    await applyAt(database, { at: new Date(time), kind: 'rows', provider, rows });
  }
  api = await startApi(database);
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

describe('an answer as of an instant', () => {
  const AT = 'as_of=2026-01-15T10:00:00Z';

  it.each([
    '/v2/rates?',
    '/v2/rates.csv?providers=ECB&from=2026-01-12&',
    '/v2/rates?updated_after=2026-01-12&',
    '/v2/rate/EUR/USD?',
    '/v2/rate/EUR/USD.txt?',
    '/v2/rate/EUR/USD?expand=receipt&date=2026-01-14&',
    '/v2/providers/ECB/rates?',
    '/v2/convert/EUR/USD?amount=1&',
    '/v2/convert/EUR/USD?amount=1&expand=receipt&date=2026-01-14&',
  ])('may be cached for a day, as another method may come, and names its method: %s', async (path) => {
    const { status, headers } = await ask(api.url, { path: path + AT });
    expect([status, headers.get('cache-control'), headers.get('x-blend-method')]).toEqual([
      200,
      'public, max-age=86400',
      String(BLEND_METHOD),
    ]);
    const tag = headers.get('etag') ?? '';
    expect((await fetch(`${api.url}${path}${AT}`, { headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  it('to a list of lines is not cached', async () => {
    const { headers } = await ask(api.url, { path: `/v2/convert?${AT}`, body: '[]' });
    expect([headers.get('cache-control'), headers.get('x-blend-method')]).toEqual([
      'no-store',
      String(BLEND_METHOD),
    ]);
  });

  it('takes a date as its end, and any offset from UTC', async () => {
    const body = async (instant: string) =>
      (await ask(api.url, { path: `/v2/rates?precision=full&as_of=${encodeURIComponent(instant)}` })).body;
    expect(await body('2026-01-19')).toBe(await body('2026-01-19T23:59:59.999Z'));
    expect(await body('2026-01-20T01:30:00+09:30')).toBe(await body('2026-01-19T16:00:00Z'));
    expect(await body('2026-01-19T15:59:59Z')).not.toBe(await body('2026-01-19T16:00:00Z'));
  });

  it.each([
    ['2026-02-30', 422, 'must be a date or an instant'],
    ['2026-02-20T16:00Z', 422, 'must be a date or an instant'],
    ['2026-02-20T16:00:00', 422, 'must be a date or an instant'],
    ['2999-01-01', 422, 'as_of is in the future'],
    ['2025-12-31', 404, 'nothing was known before 2026-01-12T14:07:00.000Z'],
  ])('of %s is a %i', async (instant, status, message) => {
    for (const path of ['/v2/rates?', '/v2/rate/EUR/USD?', '/v2/convert/EUR/USD?amount=1&']) {
      const refused = await ask(api.url, { path: `${path}as_of=${instant}` });
      const body = JSON.parse(refused.body);
      expect([refused.status, body.message]).toEqual([status, expect.stringContaining(message)]);
      if (status === 422) expect(body.errors).toMatchObject([{ parameter: 'as_of' }]);
      expect(refused.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('waits for a transaction that may record rates at the instant, and not for what comes after it', async () => {
    const newestAt = (at: Date) => ask(api.url, { path: `/v2/rates?as_of=${at.toISOString()}` });
    const started = await databaseTime(database);
    await inTransaction(database, async (transaction) => {
      await lockData(transaction);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const during = await newestAt(await databaseTime(database));
      expect([during.status, during.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await newestAt(new Date(Number(started) - 1))).status).toBe(200);
    });
    expect((await newestAt(await databaseTime(database))).status).toBe(200);
  });

  it('is the same after further changes of its days and of the days after them', async () => {
    const at = (await databaseTime(database)).toISOString();
    const answers = new Set<string>();
    for (const [from, to, times] of [
      ['2026-01-18', '2026-01-18', 1],
      ['2026-01-16', '2026-01-16', 1.01],
      ['2026-01-20', '2026-01-20', 1],
      ['2026-01-15', '2026-01-18', 1.02],
    ] as const) {
      await storeRows(database, publish('ECB', ['EUR/USD'], from, to, { times }));
      await api.catchUp();
      answers.add((await ask(api.url, { path: `/v2/rate/EUR/USD?date=2026-01-19&as_of=${at}` })).body);
    }
    expect([...answers]).toEqual([expect.stringContaining('"date":"2026-01-19"')]);
  });
});
