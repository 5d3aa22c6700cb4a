import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, longHistory } from '../../support/rates.js';
import { readNothing } from '../../support/slow-reader.js';
import { ask } from './support.js';

const LONG = '/v2/rates?from=1999-01-01&base=USD';

let database: TestDatabase;
beforeAll(async () => {
  database = await databaseWith(longHistory());
});
afterAll(() => database?.close());

async function start(bufferedMegabytes = 128): Promise<TestApi> {
  const parts = { admissionLimits: { bufferedBytes: bufferedMegabytes * 1024 * 1024 } };
  const api = await startApi(database, { clock: () => new Date('2026-03-20T18:00:00Z'), parts });
  onTestFinished(api.close);
  return api;
}

const statusOf = async (url: string, localAddress = '127.0.0.1') => (await ask(url, { localAddress })).status;

const REFUSED = { status: 503, headers: { 'retry-after': '2' } };

// A busy machine may not have begun a stream within the half seconds below.
it('bounds what responses hold for slow readers, fairly by client, and lets cheap requests pass', {
  retry: 3,
}, async () => {
  const { url } = await start(7);
  // Each client may hold a quarter: one stream.
  const readers = [await readNothing(url, [LONG], '127.0.0.2')];
  await sleep(500);
  const started = performance.now();
  expect(await ask(url + LONG, { localAddress: '127.0.0.2' })).toMatchObject(REFUSED);
  expect(performance.now() - started).toBeGreaterThan(1_900);
  for (const path of ['/v2/rates', '/v2/rates?from=2025-01-01&quotes=USD'])
    expect(await statusOf(url + path, '127.0.0.2')).toBe(200);
  expect(await statusOf(url + LONG, '127.0.0.9')).toBe(200);
  for (const last of [3, 4, 5]) readers.push(await readNothing(url, [LONG], `127.0.0.${last}`));
  await sleep(500);
  expect(await ask(url + LONG, { localAddress: '127.0.0.9' })).toMatchObject(REFUSED);
  const waiting = statusOf(url + LONG, '127.0.0.9');
  await sleep(300);
  for (const reader of readers) reader.close();
  expect(await waiting).toBe(200);
});

it('releases all that requests hold on a connection that closes', async () => {
  const { url } = await start();
  const range = '/v2/rates?from=2022-01-01&expand=providers';
  const abandon = async (afterMs: number) => {
    const reader = await readNothing(url, Array(8).fill(range));
    await sleep(afterMs);
    reader.close();
  };
  await Promise.all([200, 400, 600].map(abandon));
  const idleInTransaction = async () => {
    const { rows } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
    );
    return rows.length;
  };
  await expect.poll(idleInTransaction).toBe(0);
  // The API responds with 503 where the store takes long, as it may on a busy machine.
  for (const path of [`${range}&to=2022-06-30`, '/v2/rates?date=2024-05-06&expand=providers'])
    await vi.waitFor(async () => expect(await statusOf(url + path)).toBe(200), { interval: 1_000 });
});
