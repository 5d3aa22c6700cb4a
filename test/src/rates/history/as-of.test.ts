import { describe, expect, it } from 'vitest';
import { lockData } from '../../../../core/database/locks.js';
import { inTransaction } from '../../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../../core/domain/providers.js';
import { applyAt } from '../../../support/changing-store.js';
import { databaseTime, testDatabase } from '../../../support/postgres.js';
import { publish } from '../../../support/rates.js';
import { ownApi } from '../../own-api.js';
import { ask, compareWithThen } from './random-questions.js';

it('as_of answers random questions as a store did into which only what was recorded by then was stored', async () => {
  await compareWithThen({ events: 18, count: 16, seed: 17 });
});

const own = ownApi(async () => {
  const database = await testDatabase();
  for (const [time, provider, from] of [
    ['2026-01-12T14:07:00Z', 'ECB', '2026-01-05'],
    ['2026-01-14T14:00:00Z', 'FRED', '2026-01-05'],
    ['2026-01-19T16:00:00Z', 'ECB', '2026-01-13'],
  ] as const) {
    const rows = publish(provider, ['EUR/USD', 'EUR/JPY'], from, time.slice(0, 10));
    await applyAt(database, { at: new Date(time), kind: 'rows', provider, rows });
  }
  return database;
});

describe('an answer as of an instant', () => {
  const AT = 'as_of=2026-01-15T10:00:00Z';

  it.each([
    ['/v2/rates?', undefined, 'public, max-age=86400'],
    ['/v2/convert?', '[]', 'no-store'],
  ])('may be cached for a day, but for many lines, and names its method: %s', async (path, body, caching) => {
    const { status, headers } = await ask(own.api.url, { path: path + AT, ...(body && { body }) });
    const found = [status, headers.get('cache-control'), headers.get('x-blend-method')];
    expect(found).toEqual([200, caching, String(BLEND_METHOD)]);
  });

  it.each([
    ['2999-01-01', 422, 'as_of is in the future'],
    ['2025-12-31', 404, 'nothing was known before 2026-01-12T14:07:00.000Z'],
  ])('of %s is a %i', async (instant, status, message) => {
    const refused = await ask(own.api.url, { path: `/v2/rates?as_of=${instant}` });
    const body = JSON.parse(refused.body);
    expect([refused.status, body.message]).toEqual([status, expect.stringContaining(message)]);
    if (status === 422) expect(body.errors).toMatchObject([{ parameter: 'as_of' }]);
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });

  it('waits for a transaction that may record rates at the instant, and not for what comes after it', async () => {
    const newestAt = (at: Date) => ask(own.api.url, { path: `/v2/rates?as_of=${at.toISOString()}` });
    const started = await databaseTime(own.database);
    await inTransaction(own.database, async (transaction) => {
      await lockData(transaction);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const during = await newestAt(await databaseTime(own.database));
      expect([during.status, during.headers.get('retry-after')]).toEqual([503, '1']);
      expect((await newestAt(new Date(Number(started) - 1))).status).toBe(200);
    });
    expect((await newestAt(await databaseTime(own.database))).status).toBe(200);
  });
});
