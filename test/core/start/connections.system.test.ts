import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { LOCKS } from '../../../core/database/locks.js';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import { openQueues } from '../../../core/queues/queues.js';
import { ask, withConnections } from '../../../tools/attack/requests.js';
import { freePort } from '../../../tools/rehearse/free-port.js';
import { event } from '../../support/event.js';
import { httpStub } from '../../support/http-stub.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { buildService, type ProgramOptions, startProgram } from '../../support/service.js';
import { endWithTest, newFolder } from '../support.js';

const TOKEN = '0123456789abcdef';
const POOL = 8;
const INGESTS = 8;
const headers = { authorization: `Bearer ${TOKEN}` };

beforeAll(buildService);

/** A database with rates, and a way to count the connections that programs have to it. */
async function watchedDatabase() {
  const database = await databaseWith(someRates('2026-03-01'));
  onTestFinished(() => database.close());
  const ownUrl = `${database.url}?application_name=counting`;
  const counting = openDatabase(ownUrl, { connections: 1 });
  onTestFinished(() => counting.close());
  const count = async (from: string) =>
    (await poolOf(counting).query<{ count: number }>(`select count(*)::int from ${from}`)).rows[0]?.count ??
    0;
  return {
    ownUrl,
    url: database.url,
    connections: () =>
      // Vacuuming and parallel queries have processes of the server, which are listed too.
      count(`pg_stat_activity where backend_type = 'client backend'
             and datname = current_database() and application_name <> 'counting'`),
    locks: () =>
      count(`pg_locks where locktype = 'advisory' and classid = ${LOCKS.provider}
             and database = (select oid from pg_database where datname = current_database())`),
  };
}

async function start(
  ready: string,
  entry: string,
  variables: Record<string, string>,
  options?: ProgramOptions,
) {
  const program = endWithTest(startProgram(entry, variables, options));
  await vi.waitFor(() => expect(program.output()).toContain(ready));
  return program;
}

// Only Linux says how many files may be open, and has more than one address of its own.
it.skipIf(process.platform !== 'linux')('an API that may open few files has few connections', async () => {
  const database = await watchedDatabase();
  const PORT = String(await freePort());
  const url = `http://127.0.0.1:${PORT}`;
  const variables = { DATABASE_URL: database.url, PORT, ADMIN_TOKEN: TOKEN };
  const api = await start('listening, try', 'src/main.js', variables, { openFiles: 192 });
  expect(api.output()).toContain('"openFiles":192,"most":66,"perClient":9,"msg":"fewer connections');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const statusOf = async (path: string, options: Parameters<typeof ask>[2] = {}) =>
    (await ask(url, path, { agent, headers, ...options })).status;
  expect(await statusOf('/health/live')).toBe(200);
  await withConnections(url, { count: 300, clients: 30 }, async () => {
    for (const path of ['/v2/rates?expand=providers', '/status', '/admin/queues', '/health/ready'])
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream, */*' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await statusOf('/mcp', { method: 'POST', body, headers: { ...headers, ...types } })).toBe(200);
  });
  await vi.waitFor(async () => expect((await ask(url, '/health/live')).status).toBe(200));
});

/** The connections of an API and a worker whose queues are on Redis or PostgreSQL. */
function connectionCases(redis: boolean): void {
  const queuesAt = async () => (redis ? { REDIS_URL: (await testRedis()).url } : {});

  it('an API takes its pool, and without Redis six more', async () => {
    const { url, connections } = await watchedDatabase();
    const PORT = String(await freePort());
    const variables = { DATABASE_URL: url, PORT, ADMIN_TOKEN: TOKEN, ...(await queuesAt()) };
    await start('listening, try', 'src/main.js', variables);
    // The last one of the pool is only opened for a refresh of many days.
    const most = POOL - 1 + (redis ? 0 : 2 + 4);
    // Those of the start may not have ended yet.
    await vi.waitFor(async () => expect(await connections()).toBeLessThanOrEqual(most));
    const counts: number[] = [];
    for (let round = 0; round < 6; round++) {
      const asked = Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0 ? 'admin/jobs/1' : `admin/providers/ECB/runs?limit=${at}`,
      );
      // The thread reads raw rows.
      for (const base of ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CAD'])
        asked.push(`v2/rates?expand=providers&date=2026-03-${10 + round}&base=${base}`);
      const responses = asked.map((path) => fetch(`http://127.0.0.1:${PORT}/${path}`, { headers }));
      counts.push(await connections());
      await Promise.all(responses);
      counts.push(await connections());
    }
    expect(Math.max(...counts)).toBe(most);
  });

  it('a worker takes its pool, one for each ingest, and without Redis twelve', async () => {
    const { url, ownUrl, connections, locks } = await watchedDatabase();
    const go = event();
    const bank = await httpStub({
      '/rates': async (_request, response) => {
        await go.happened;
        response.setHeader('content-type', 'text/csv').end('Day,Currency,Price\n2026-03-04,EUR,1.27\n');
      },
    });
    onTestFinished(() => bank.close());
    const folder = await newFolder();
    const keys = Array.from({ length: INGESTS + 1 }, (_, at) => `DESK${String.fromCharCode(65 + at)}`);
    for (const key of keys) await writeFile(join(folder, `${key}.yaml`), sourceAt(key, `${bank.url}/rates`));
    const variables = await queuesAt();
    const own = { DATABASE_URL: url, SOURCES_DIR: folder };
    await start('worker is running', 'worker/main.js', { ...own, ...variables });
    const store = { databaseUrl: ownUrl, redisUrl: variables.REDIS_URL };
    const queues = await openQueues(store, { log: pino({ level: 'silent' }) });
    onTestFinished(() => queues.close());
    for (const provider of keys)
      await enqueueIngest(queues.ingest, { provider, from: '2026-03-02', to: '2026-03-06' });
    await vi.waitFor(async () => expect(await locks()).toBe(INGESTS));
    const counts = [await connections()];
    go.happen();
    await vi.waitFor(async () => {
      counts.push(await connections());
      expect(await queues.ingest.getJobCounts('completed')).toEqual({ completed: keys.length });
    });
    expect(Math.max(...counts)).toBeLessThanOrEqual(POOL + INGESTS + (redis ? 0 : 12));
    expect(Math.max(...counts)).toBeGreaterThan(INGESTS);
  });
}
describe('with the queues on PostgreSQL', () => connectionCases(false));
describe.skipIf(redisMissing)('with the queues on Redis', () => connectionCases(true));

const sourceAt = (key: string, url: string) => `key: ${key}
name: Treasury desk
first_day: 2026-03-01
read:
  url: ${url}
  format: csv
  columns: { date: Day, base: Currency, rate: Price }
  quote: USD
`;
