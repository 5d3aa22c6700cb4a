import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../../../core/database/database.js';
import { openProxy } from '../../../../tools/rehearse/proxy.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith, LONG_PAIRS, longHistory, publish, storeRows } from '../../../support/rates.js';
import { readNothing } from '../../../support/slow-reader.js';

const CLOCK = () => new Date('2026-03-20T18:00:00Z');

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await databaseWith(longHistory());
  api = await startApi(database, { clock: CLOCK });
}, 120_000);

afterAll(async () => {
  await api?.close();
  await database?.close();
});

const get = async (path: string, limitMs = 100_000) => {
  const response = await fetch(`${api.url}${path}`, { signal: AbortSignal.timeout(limitMs) });
  return { status: response.status, text: await response.text() };
};

async function openTransactions(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  );
  return rows[0]?.count ?? -1;
}

const LONG = '/v2/rates?from=2005-01-01&expand=providers';

it('slow readers hold no transaction and nobody up', async () => {
  const readers = await Promise.all(
    Array.from({ length: 4 }, (_, index) => readNothing(api.url, [LONG], `127.0.0.${2 + index}`)),
  );
  try {
    // As much as the system's buffers take is made first.
    let quiet = 0;
    const look = async () => {
      quiet = (await openTransactions()) === 0 ? quiet + 1 : 0;
      return quiet;
    };
    await expect.poll(look, { timeout: 90_000, interval: 50 }).toBeGreaterThan(10);
    const started = performance.now();
    expect((await get('/v2/rates?date=2015-05-06&expand=providers')).status).toBe(200);
    expect((await get('/v2/rates?from=2015-05-06&to=2015-06-01&providers=ECB,BOC')).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(20_000);
  } finally {
    for (const reader of readers) reader.close();
  }
}, 120_000);

it('a stream is of one data version from its first byte to its last', async () => {
  const path = '/v2/rates.csv?from=2017-01-01&expand=providers&base=USD';
  const { text: before } = await get(path);
  expect(before.length).toBeGreaterThan(2 ** 21);
  const response = await fetch(`${api.url}${path}`);
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  const first = await reader?.read();
  if (first?.value) chunks.push(first.value);
  // What is still to be read is corrected, is added to, and is corrected again.
  const days = ['2024-06-03', '2025-06-03', '2026-03-20'];
  for (const times of [1.01, 1.02]) {
    for (const day of days) await storeRows(database, publish('ECB', LONG_PAIRS, day, day, { times }));
    await storeRows(database, publish('FRED', ['USD/CHF', 'USD/JPY'], '2025-01-06', '2026-03-20', { times }));
  }
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) chunks.push(next.value);
  expect(Buffer.concat(chunks).toString()).toBe(before);
  await api.catchUp();
  const { text: after } = await get(path);
  expect(after).not.toBe(before);
  expect(after).toContain('FRED:');
}, 120_000);

it.each(['week', 'month'] as const)(
  'a %s of a long range is the same as in a short one',
  async (group) => {
    for (const selection of [
      'expand=providers',
      'providers=ECB,BOC',
      'providers=ECB,BOC&expand=providers&base=JPY',
    ]) {
      const ask = async (range: string) => {
        const { status, text } = await get(`/v2/rates?${range}&group=${group}&${selection}`, 120_000);
        expect(status).toBe(200);
        return JSON.parse(text) as { date: string }[];
      };
      const long = await ask('from=2014-01-10&to=2026-03-18');
      const short = await ask('from=2017-02-13&to=2017-03-31');
      expect(short.length).toBeGreaterThan(10);
      const dates = new Set(short.map(({ date }) => date));
      expect(long.filter(({ date }) => dates.has(date))).toEqual(short);
      const ends = [await ask('from=2014-01-10&to=2014-01-10'), await ask('from=2026-03-18&to=2026-03-18')];
      expect(long.slice(0, ends[0]?.length)).toEqual(ends[0]);
      expect(long.slice(-(ends[1]?.length ?? 0))).toEqual(ends[1]);
    }
  },
  120_000,
);

it('ranges of any length with sources and of subsets are answered, day by day', async () => {
  const { status, text } = await get(
    '/v2/rates.ndjson?from=1990-01-01&quotes=USD&providers=ECB,BOC',
    120_000,
  );
  expect(status).toBe(200);
  expect(text.split('\n').length).toBeGreaterThan(5_000);
  expect(text).toContain('"date":"2005-01-04"');
}, 120_000);

it('work ends with its client', async () => {
  const readers = await Promise.all(
    Array.from({ length: 6 }, () =>
      readNothing(api.url, ['/v2/rates?from=2005-01-01&group=month&expand=providers&quotes=USD,JPY']),
    ),
  );
  await sleep(300);
  for (const reader of readers) reader.close();
  await sleep(1_000);
  const before = process.cpuUsage();
  await sleep(500);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(200);
});

it('a stalled network costs two seconds, then a 503', async () => {
  const { port } = new URL(database.url);
  const network = await openProxy(Number(port));
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String(network.port);
  const behind = openDatabase(url.href, { connections: 6 });
  const stalled = await startApi(behind, { clock: CLOCK });
  const ask = async (path: string) => {
    const started = performance.now();
    const response = await fetch(`${stalled.url}${path}`);
    await response.arrayBuffer();
    const { status, headers } = response;
    return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - started };
  };
  try {
    expect((await ask('/v2/rates?providers=BOC')).status).toBe(200);
    network.stall();
    const paths = Array.from(
      { length: 12 },
      (_, index) => `/v2/rates?providers=ECB,BOC&date=2015-05-${10 + index}`,
    );
    const refused = await Promise.all([...paths, '/v2/rates?providers=IMF', LONG].map(ask));
    for (const { status, retryAfter, ms } of refused) {
      expect(status).toBe(503);
      expect(Number(retryAfter)).toBeGreaterThan(0);
      expect(ms).toBeLessThan(6_000);
    }
    expect((await ask('/v2/rates')).status).toBe(200);
    network.resume();
    await expect
      .poll(async () => (await ask('/v2/rates?providers=IMF')).status, { timeout: 10_000, interval: 200 })
      .toBe(200);
  } finally {
    network.resume();
    await stalled.close();
    await behind.close();
    await network.close();
  }
}, 120_000);
