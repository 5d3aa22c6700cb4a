import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { KEYED_LOCKS } from '../../../core/database/locks.js';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import { openQueues } from '../../../core/queues/queues.js';
import { ask, withConnections } from '../../../tools/attack/requests.js';
import { freePort } from '../../../tools/rehearse/free-port.js';
import { event } from '../../support/event.js';
import { httpStub } from '../../support/http-stub.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { testRedis } from '../../support/redis.js';
import { buildService, type ProgramOptions, startProgram } from '../../support/service.js';

const closings: (() => Promise<unknown>)[] = [];
const soon = { timeout: 40_000, interval: 20 };
const TOKEN = '0123456789abcdef';
const POOL = 2;
const INGESTS = 8;

beforeAll(buildService);
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** A database with rates, and a way to count the connections that programs have to it. */
async function watchedDatabase() {
  const database = await databaseWith(someRates('2026-03-01'));
  closings.push(() => database.close());
  const url = `${database.url}?application_name=counting`;
  const counting = openDatabase(url, { connections: 1 });
  closings.push(() => counting.close());
  const read = async (query: string) =>
    (await poolOf(counting).query<{ count: number }>(query)).rows[0]?.count;
  return {
    ownUrl: url,
    url: database.url,
    connections: () =>
      // Vacuuming and parallel queries have processes of the server, which are listed too.
      read(`select count(*)::int from pg_stat_activity where backend_type = 'client backend'
            and datname = current_database() and application_name <> 'counting'`),
    locks: () =>
      read(`select count(*)::int from pg_locks where locktype = 'advisory' and classid = ${KEYED_LOCKS.provider}
            and database = (select oid from pg_database where datname = current_database())`),
  };
}

async function start(
  entry: string,
  variables: Record<string, string>,
  ready: string,
  options?: ProgramOptions,
) {
  const program = startProgram(entry, variables, options);
  closings.push(async () => {
    program.process.kill('SIGTERM');
    await program.ended;
  });
  await vi.waitFor(() => expect(program.output()).toContain(ready), soon);
  return program;
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

// Only Linux says how many files may be open, and has more than one address of its own.
test.skipIf(process.platform !== 'linux')(
  'an API that may open few files has few connections, and files left for all else',
  async () => {
    const { url: databaseUrl } = await watchedDatabase();
    const url = `http://127.0.0.1:${await freePort()}`;
    const variables = { DATABASE_URL: databaseUrl, PORT: new URL(url).port, ADMIN_TOKEN: TOKEN };
    const api = await start('src/main.js', variables, 'listening, try', { openFiles: 192 });
    expect(api.output()).toContain('"openFiles":192,"most":66,"perClient":9,"msg":"fewer connections');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    closings.push(async () => agent.destroy());
    expect((await ask(url, '/health/live', { agent })).status).toBe(200);
    await withConnections(url, { count: 300, clients: 30 }, async () => {
      const headers = {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream, */*',
      };
      for (const path of ['/v2/rates?expand=providers', '/status', '/admin/queues', '/health/ready']) {
        expect([path, (await ask(url, path, { agent, headers })).status]).toEqual([path, 200]);
      }
      expect(await ask(url, '/mcp', { agent, headers, method: 'POST', body: ping })).toMatchObject({
        status: 200,
      });
    });
    await vi.waitFor(async () => expect((await ask(url, '/health/live')).status).toBe(200), soon);
  },
);

describe.each([{ redis: true }, { redis: false }])('with Redis: $redis', ({ redis }) => {
  const queuesAt = async () => (redis ? { REDIS_URL: (await testRedis()).url } : {});

  test('an API takes its pool, and without Redis two to listen and four for the queues', async () => {
    const { url, connections } = await watchedDatabase();
    const port = await freePort();
    const settings = { DATABASE_CONNECTIONS: String(POOL), PORT: String(port), ADMIN_TOKEN: TOKEN };
    await start('src/main.js', { DATABASE_URL: url, ...(await queuesAt()), ...settings }, 'listening, try');
    const authorization = `Bearer ${TOKEN}`;
    const most = redis ? POOL : POOL + 2 + 4;
    // Those of the start may not have ended yet.
    await vi.waitFor(async () => expect(await connections()).toBeLessThanOrEqual(most), soon);
    const counts: (number | undefined)[] = [];
    for (let round = 0; round < 10; round++) {
      const asked = Array.from({ length: 20 }, (_, at) => {
        const path = at % 2 === 0 ? '/admin/jobs/1' : `/admin/providers/ECB/runs?limit=${at}`;
        return fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } });
      });
      counts.push(await connections());
      await Promise.all(asked);
      counts.push(await connections());
    }
    expect(Math.max(...counts.map(Number))).toBe(most);
  });

  test('a worker takes its pool and one for each ingest, and without Redis twelve for the queues', async () => {
    const { url, ownUrl, connections, locks } = await watchedDatabase();
    const go = event();
    const bank = await httpStub({
      '/rates': async (_request, response) => {
        await go.happened;
        response.setHeader('content-type', 'text/csv').end('Day,Currency,Price\n2026-03-04,EUR,1.27\n');
      },
    });
    closings.push(() => bank.close());
    const folder = await mkdtemp(join(tmpdir(), 'almanac-sources-'));
    closings.push(() => rm(folder, { recursive: true }));
    const keys = Array.from({ length: INGESTS + 1 }, (_, at) => `DESK${String.fromCharCode(65 + at)}`);
    for (const key of keys) await writeFile(join(folder, `${key}.yaml`), sourceAt(key, `${bank.url}/rates`));
    const variables = await queuesAt();
    const settings = { DATABASE_CONNECTIONS: String(POOL), SOURCES_DIR: folder };
    await start('worker/main.js', { DATABASE_URL: url, ...variables, ...settings }, 'worker is running');
    const store = { databaseUrl: ownUrl, redisUrl: variables.REDIS_URL };
    const queues = await openQueues(store, { log: pino({ level: 'silent' }) });
    closings.push(() => queues.close());
    for (const provider of keys) {
      await enqueueIngest(queues.ingest, {
        provider,
        from: '2026-03-02',
        to: '2026-03-06',
      });
    }
    await vi.waitFor(async () => expect(await locks()).toBe(INGESTS), soon);
    const counts = [await connections()];
    go.happen();
    await vi.waitFor(async () => {
      counts.push(await connections());
      expect(await queues.ingest.getJobCounts('completed')).toEqual({ completed: keys.length });
    }, soon);
    const most = POOL + INGESTS + (redis ? 0 : 12);
    expect(Math.max(...counts.map(Number))).toBeLessThanOrEqual(most);
    expect(Math.max(...counts.map(Number))).toBeGreaterThan(INGESTS);
  });
});

const sourceAt = (key: string, url: string) => `key: ${key}
name: Treasury desk
first_day: 2026-03-01
read:
  url: ${url}
  format: csv
  columns: { date: Day, base: Currency, rate: Price }
  quote: USD
`;
