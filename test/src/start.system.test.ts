import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { LOCKS } from '../../core/database/locks.js';
import { applyMigrations } from '../../core/database/migrate.js';
import { readMigrations } from '../../core/database/migrations.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { freePort } from '../../tools/rehearse/free-port.js';
import { temporaryFolder } from '../support/edge.js';
import { httpStub } from '../support/http-stub.js';
import { emptyDatabase, testDatabase } from '../support/postgres.js';
import { databaseWith, someRates, storeRows } from '../support/rates.js';
import { buildService, buildWithFewRates, type StartedProgram, startProgram } from '../support/service.js';
import { readiness, scrape } from './operations/support.js';
import { upstreamAnswers } from './utilities/payloads.js';
import { upstreamsAt } from './utilities/support.js';

beforeAll(buildService);

const soon = { timeout: 40_000, interval: 100 };

/** The API as a program on a port that is free now. */
async function startApi(variables: Record<string, string>): Promise<{ api: StartedProgram; url: string }> {
  const port = await freePort();
  const api = startProgram('src/main.js', { PORT: String(port), ...variables });
  onTestFinished(async () => {
    api.process.kill('SIGTERM');
    await api.ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/health/live`)).status).toBe(200), soon);
  return { api, url };
}

/** Closes it after the test. */
function closing<Part extends { close(): Promise<unknown> }>(part: Part): Part {
  onTestFinished(async () => void (await part.close()));
  return part;
}

/** The address of a database at another port of this machine. */
const addressAt = (port: number, { url }: { url: string }) =>
  Object.assign(new URL(url), { port: String(port), hostname: '127.0.0.1' }).href;

/** Makes the server at a URL reachable at another port too, until the function that is returned is called. */
async function forward(port: number, url: string): Promise<() => void> {
  const open = new Set<Socket>();
  const { hostname, port: target } = new URL(url);
  const forwarder = createServer((client) => {
    const upstream = connect(Number(target), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from.on('error', () => to.destroy()).on('close', () => open.delete(from)));
      from.pipe(to);
    }
  }).listen(port, '127.0.0.1');
  await once(forwarder, 'listening');
  const close = () => {
    forwarder.close();
    for (const socket of open) socket.destroy();
  };
  onTestFinished(async () => close());
  return close;
}

/** The migration before the newest, which alters a table. */
const ACCEPTED_JOBS = '20261123050100_accepted_jobs';

const statusOf = async (url: string) => (await fetch(url)).status;
const READY = { code: 200, status: 'ready' };
const STARTING = { code: 503, status: 'loading' };
const untilReady = (url: string, state = READY) =>
  vi.waitFor(async () => expect(await readiness(url)).toMatchObject(state), soon);
const LAT_LON = 'lat=48.2081&lon=16.3743';
const LOADING = {
  ...{ success: false, status: 503, code: 'unavailable' },
  message: 'the first rates are being loaded',
};

test('without PostgreSQL an API serves what needs no database, and all else once it is there', async () => {
  const database = closing(await emptyDatabase());
  const stub = closing(await httpStub(upstreamAnswers(new Date().toISOString())));
  const port = await freePort();
  const DATABASE_URL = addressAt(port, database);
  const { api, url } = await startApi({ DATABASE_URL, ...upstreamsAt(stub.url), OPENCAGE_API_KEY: 'key' });

  expect(await readiness(url)).toMatchObject({ code: 503, status: 'down' });
  const ofPlaces = ['/weather/search?q=Vienna', `/weather/current?${LAT_LON}`, `/detect/location?${LAT_LON}`];
  const others = ['/sg/bus-arrivals?code=83139', '/translate/text?text=Hi&from=en&to=pt', '/random/hangman'];
  for (const path of [...ofPlaces, ...others])
    expect([path, await statusOf(`${url}${path}`)]).toEqual([path, 200]);
  expect(await statusOf(`${url}/no`)).toBe(502);
  expect(await statusOf(`${url}/v2/rates`)).toBe(503);
  await vi.waitFor(() => expect(api.output()).toContain('waiting for the database'), soon);
  expect(api.process.exitCode).toBeNull();

  await forward(port, database.url);
  await untilReady(url);
  expect(await statusOf(`${url}/no`)).toBe(200);
  expect(await (await fetch(`${url}/v2/rates`)).json()).toEqual([]);
});

test('without PostgreSQL an API serves the rates of its local copy, newer ones once it is there, and these when it leaves', async () => {
  const database = closing(await databaseWith(someRates()));
  const { path: folder } = closing(await temporaryFolder());
  const port = await freePort();
  const variables = { DATABASE_URL: addressAt(port, database), DATA_DIR: folder };
  const paths = ['/v2/rates', '/v2/rates?from=2025-12-01&group=week', '/v2/currencies', '/v2/rate/EUR/USD'];
  const responses = (url: string) =>
    Promise.all(
      paths.map(async (path) => {
        const response = await fetch(`${url}${path}`);
        return [response.status, response.headers.get('etag'), await response.json()];
      }),
    );

  const away = await forward(port, database.url);
  const first = await startApi(variables);
  await untilReady(first.url);
  const served = await responses(first.url);
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual(['catalogue', 'rates']), soon);
  first.api.process.kill('SIGKILL');
  away();

  const { api, url } = await startApi(variables);
  expect(await readiness(url)).toMatchObject({ status: 'degraded', snapshot: 'stale', database: 'down' });
  expect(await responses(url)).toEqual(served);
  expect(api.output()).toContain('rates come from a local copy until they can be read');
  expect((await scrape(url)).almanac_snapshot_age_seconds).toBeGreaterThan(0);

  const [last] = someRates().slice(-1) as [RawRow];
  await storeRows(database, [{ ...last, rate: last.rate * 1.001 }]);
  const leave = await forward(port, database.url);
  await untilReady(url);
  expect(await readiness(url)).toMatchObject({ snapshot: 'up' });
  expect((await responses(url))[0]?.[1]).not.toEqual(served[0]?.[1]);
  await vi.waitFor(async () => expect(await scrape(url)).toHaveProperty('almanac_data_version'), soon);

  leave();
  const withoutData = async () => expect(await scrape(url)).not.toHaveProperty('almanac_data_version');
  await vi.waitFor(withoutData, soon);
  const series = await scrape(url);
  expect(Object.keys(series).join(' ')).not.toContain('almanac_provider');
  expect(series['almanac_dependency_up{dependency="database"}']).toBe(0);
  expect(series.almanac_snapshot_version).toBeGreaterThan(0);
  const degraded = { code: 200, status: 'degraded', snapshot: 'up', database: 'down', raw_rows: 'down' };
  expect(await readiness(url)).toMatchObject(degraded);
  expect(await statusOf(`${url}/v2/rates?date=2026-03-18`)).toBe(200);
});

test('an API that is stopped while it waits for PostgreSQL ends at once', async () => {
  const DATABASE_URL = `postgres://user:hidden@127.0.0.1:${await freePort()}/almanac`;
  const { api } = await startApi({ DATABASE_URL });
  await vi.waitFor(() => expect(api.output()).toContain('waiting for the database'), soon);
  const asked = performance.now();
  api.process.kill('SIGTERM');
  expect((await api.ended).code).toBe(0);
  expect(performance.now() - asked).toBeLessThan(20_000);
  expect(api.output()).not.toContain('hidden');
});

test('an API listens while a table keeps its migration from running, and is ready once that has run', async () => {
  const database = closing(await emptyDatabase());
  const names = (await readMigrations()).map(({ name }) => name);
  await applyMigrations(database, { only: names.filter((name) => name < ACCEPTED_JOBS) });
  const reader = await database.pool.connect();
  onTestFinished(async () => reader.release(true));
  await reader.query('begin; select from operator_acts');
  const { api, url } = await startApi({ DATABASE_URL: database.url });
  await vi.waitFor(() => expect(api.output()).toContain('a migration waits for a table'), soon);
  const { url: second } = await startApi({ DATABASE_URL: database.url });
  for (const waiting of [url, second]) {
    await untilReady(waiting, STARTING);
    expect(await statusOf(`${waiting}/random/hangman`)).toBe(200);
  }
  await reader.query('rollback');
  for (const ready of [url, second]) await untilReady(ready);
});

test('an API that is stopped while its migration waits ends at once', async () => {
  const database = closing(await emptyDatabase());
  const migrating = await database.pool.connect();
  onTestFinished(async () => migrating.release(true));
  await migrating.query('begin');
  await migrating.query('select pg_advisory_xact_lock($1)', [LOCKS.migrations]);
  const { api, url } = await startApi({ DATABASE_URL: database.url });
  expect(await statusOf(`${url}/no`)).toBe(502);
  api.process.kill('SIGTERM');
  expect(await api.ended).toMatchObject({ code: 0, stderr: '' });
});

test('an API ends where its configuration is wrong', async () => {
  const { code, stderr } = await startProgram('src/main.js', { PUBLICATION_URL: '/nowhere' }).ended;
  expect(stderr).toContain('PUBLICATION_KEY');
  expect(code).toBe(78);
});

test('an API ends where PostgreSQL refuses its password', async () => {
  const database = closing(await testDatabase());
  const { href: DATABASE_URL } = Object.assign(new URL(database.url), { password: 'hidden' });
  const { code, stderr } = await startProgram('src/main.js', { DATABASE_URL }).ended;
  expect(stderr).toMatch(/^almanac: the database refuses: password.*\n$/);
  expect(code).toBe(78);
});

test('the first rates are being loaded until the worker has loaded them', async () => {
  const database = closing(await testDatabase());
  const build = await buildWithFewRates();
  const variables = { DATABASE_URL: database.url, BOOTSTRAP: 'on' };
  const { api, url } = await startApi(variables);
  await untilReady(url, STARTING);
  for (const path of ['/v2/rates', '/v2/rates.csv?date=2026-03-02', '/v2/rate/EUR/USD']) {
    const response = await fetch(`${url}${path}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await response.json()).toEqual(LOADING);
  }
  // It is expected: one warning for all requests, in a line without a stack.
  const lines = () => api.output().split('\n');
  const said = () => lines().filter((line) => line.includes(LOADING.message));
  await vi.waitFor(() => expect(said()).toHaveLength(1), soon);
  for (const line of said()) expect(JSON.parse(line)).toMatchObject({ level: 40, msg: LOADING.message });
  expect(api.output()).not.toMatch(/"level":50|"stack"/);

  const worker = startProgram('worker/main.js', variables, { build });
  onTestFinished(async () => {
    worker.process.kill('SIGTERM');
    await worker.ended;
  });
  const seen = new Set<number>();
  await vi.waitFor(async () => {
    const response = await fetch(`${url}/v2/rates`);
    seen.add(response.status);
    expect(response.status).toBe(200);
    expect(((await response.json()) as unknown[]).length).toBeGreaterThan(100);
  }, soon);
  expect([...seen].sort()).toEqual([200, 503]);
  expect(await readiness(url)).toMatchObject(READY);
}, 90_000);
