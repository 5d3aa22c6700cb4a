import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../../core/database/database.js';
import { startApi } from '../../../support/api.js';
import { databaseWith, LONG_PAIRS, longHistory, publish, storeRows } from '../../../support/rates.js';
import { readNothing } from '../../../support/slow-reader.js';
import { openProxy } from '../../../support/tcp-proxy.js';
import { ownApi } from '../../own-api.js';

const clock = () => new Date('2026-03-20T18:00:00Z');
const LONG = '/v2/rates?from=2005-01-01&expand=providers';

const own = ownApi(() => databaseWith(longHistory()), { clock });

async function get(path: string): Promise<string> {
  const response = await fetch(`${own.api.url}${path}`);
  const text = await response.text();
  expect([path, response.status]).toEqual([path, 200]);
  return text;
}

async function openTransactions(): Promise<number> {
  const { rows } = await own.database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  );
  return rows[0]?.count ?? -1;
}

it('slow readers hold no transaction and nobody up', async () => {
  const clients = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
  const readers = await Promise.all(clients.map((client) => readNothing(own.api.url, [LONG], client)));
  try {
    // As much as the system's buffers take is made first.
    let quiet = 0;
    const look = async () => {
      quiet = (await openTransactions()) === 0 ? quiet + 1 : 0;
      return quiet;
    };
    await expect.poll(look, { timeout: 90_000, interval: 50 }).toBeGreaterThan(10);
    const started = performance.now();
    await get('/v2/rates?date=2015-05-06&expand=providers');
    await get('/v2/rates?from=2015-05-06&to=2015-06-01&providers=ECB,BOC');
    expect(performance.now() - started).toBeLessThan(20_000);
  } finally {
    for (const reader of readers) reader.close();
  }
});

it('a stream is of one data version from its first byte to its last', async () => {
  const path = '/v2/rates.csv?from=2017-01-01&expand=providers&base=USD';
  const before = await get(path);
  expect(before.length).toBeGreaterThan(2 ** 21);
  const response = await fetch(`${own.api.url}${path}`);
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  const first = await reader?.read();
  if (first?.value) chunks.push(first.value);
  // What is still to be read is corrected, is added to, and is corrected again.
  for (const times of [1.01, 1.02]) {
    for (const day of ['2024-06-03', '2025-06-03', '2026-03-20'])
      await storeRows(own.database, publish('ECB', LONG_PAIRS, day, day, { times }));
    await storeRows(
      own.database,
      publish('FRED', ['USD/CHF', 'USD/JPY'], '2025-01-06', '2026-03-20', { times }),
    );
  }
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) chunks.push(next.value);
  expect(Buffer.concat(chunks).toString()).toBe(before);
  await own.api.catchUp();
  const after = await get(path);
  expect(after).not.toBe(before);
  expect(after).toContain('FRED:');
});

it('work ends with its client', async () => {
  const path = '/v2/rates?from=2005-01-01&group=month&expand=providers&quotes=USD,JPY';
  const readers = await Promise.all(Array.from({ length: 6 }, () => readNothing(own.api.url, [path])));
  await sleep(300);
  for (const reader of readers) reader.close();
  await sleep(1_000);
  const before = process.cpuUsage();
  await sleep(500);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(200);
});

it('a stalled network costs two seconds, then a 503', async () => {
  const network = await openProxy(own.database.url);
  const behind = openDatabase(network.url, { connections: 6 });
  const stalled = await startApi(behind, { clock });
  const ask = async (path: string) => {
    const started = performance.now();
    const response = await fetch(`${stalled.url}${path}`);
    await response.arrayBuffer();
    const { status, headers } = response;
    return { status, retryAfter: Number(headers.get('retry-after')), ms: performance.now() - started };
  };
  try {
    expect((await ask('/v2/rates?providers=BOC')).status).toBe(200);
    network.stall();
    const days = Array.from(
      { length: 12 },
      (_, index) => `/v2/rates?providers=ECB,BOC&date=2015-05-${10 + index}`,
    );
    const refused = await Promise.all([...days, '/v2/rates?providers=IMF', LONG].map(ask));
    for (const { status, retryAfter, ms } of refused) {
      expect(status).toBe(503);
      expect(retryAfter).toBeGreaterThan(0);
      expect(ms).toBeLessThan(6_000);
    }
    expect((await ask('/v2/rates')).status).toBe(200);
    network.resume();
    const status = async () => (await ask('/v2/rates?providers=IMF')).status;
    await expect.poll(status, { interval: 200 }).toBe(200);
  } finally {
    network.resume();
    await stalled.close();
    await behind.close();
  }
});
