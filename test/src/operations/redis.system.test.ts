import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseWith, someRates } from '../../support/rates.js';
import { redisMissing } from '../../support/redis.js';
import { redisServerMissing, startRedis, startRedisProcess } from '../../support/redis-server.js';
import { testJobs } from './both-stores.js';
import { apiOnRedis, log, readiness, scrape, TOKEN } from './support.js';

const patiently = { interval: 200 };

describe.skipIf(redisMissing)('jobs on Redis', () => testJobs(true));

/** A Redis to be stopped, and a client of it. */
async function ownRedis(port?: number, start = (at?: number) => startRedis(at)) {
  const server = await start(port);
  if (!server) throw new Error('no Redis');
  const client = new Redis(server.url);
  client.on('error', () => undefined); // It may be stopped before its client is.
  onTestFinished(async () => {
    client.disconnect();
    await server.stop();
  });
  return { ...server, client, port: Number(new URL(server.url).port) };
}

/** An API with its queues, limits and caches on a Redis. */
async function apiOn(url: string, ownLog = log) {
  const database = await databaseWith(someRates('2026-03-16'));
  onTestFinished(() => database.close());
  const api = await apiOnRedis(database, url, { variables: { RATE_LIMITS: 'utility=2' }, ownLog });
  const send = (path: string, method = 'GET') =>
    fetch(api.url + path, { method, headers: { authorization: `Bearer ${TOKEN}`, accept: 'text/html' } });
  const until = (expected: object) =>
    expect.poll(() => readiness(api.url), patiently).toMatchObject(expected);
  return { url: api.url, send, until, statusOf: async (path: string) => (await send(path)).status };
}

const WELL = { code: 200, status: 'ready', redis: 'up', queue: 'up' };

describe.skipIf(redisMissing)('an API whose Redis stops', () => {
  it('is degraded, counts in its process and refuses jobs, until Redis is back', async () => {
    const { port, url, stop } = await ownRedis();
    await stop();
    const { send, statusOf, until } = await apiOn(url);
    await until({ code: 200, status: 'degraded', snapshot: 'up', redis: 'down', queue: 'down' });
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push(await statusOf('/random/hangman'));
    expect(statuses).toEqual([200, 200, 429]);
    const posted = ['POST /admin/providers/ECB/ingest', 'POST /admin/blend/rebuild'];
    for (const request of [...posted, 'GET /admin/jobs/1', 'GET /admin/queues']) {
      const [method = '', path = ''] = request.split(' ');
      const refused = await send(path, method);
      expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(await refused.text()).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
    }
    await ownRedis(port);
    await until(WELL);
    expect((await send('/admin/blend/rebuild', 'POST')).status).toBe(202);
    await expect.poll(() => statusOf('/random/hangman'), patiently).toBe(200);
  });

  it('responds in bounded time where a server accepts connections and never replies', async () => {
    const mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    const { url } = await apiOn(`redis://127.0.0.1:${(mute.address() as AddressInfo).port}`);
    const started = performance.now();
    expect(await readiness(url)).toMatchObject({ status: 'degraded', redis: 'down', queue: 'down' });
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

/** Stores until nothing more is taken. */
async function fill(client: Redis): Promise<void> {
  await client.config('SET', 'maxmemory', '6mb');
  const refusal = async () => {
    for (;;) await client.rpush('filling', Buffer.alloc(64_000));
  };
  await expect(refusal()).rejects.toThrow('OOM');
  // The last write took less than what its buffers took, which are free again.
  await client.config('SET', 'maxmemory', '5mb');
}

/** Makes a Redis unable to save. */
async function breakSaving(client: Redis): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-redis-'));
  await client.config('SET', 'dir', folder);
  await rm(folder, { recursive: true });
  await client.config('SET', 'save', '3600 1');
  await client.bgsave();
  await expect.poll(() => client.info('persistence'), patiently).toContain('rdb_last_bgsave_status:err');
}

type Act = (client: Redis) => Promise<unknown>;
const follow: Act = (client) => client.replicaof('127.0.0.1', 1);
const lead: Act = (client) => client.replicaof('NO', 'ONE');

/** Each is what a Redis that responds to PING may do with writes, how that begins and how it ends. */
const REFUSALS: [reason: string, state: string, message: RegExp, begin: Act, end: Act][] = [
  ['OOM ', 'full', /is full$/, fill, (client) => client.del('filling')],
  ['READONLY ', 'refuses_writes', /refuses writes: READONLY /, follow, lead],
  [
    'MISCONF ',
    'refuses_writes',
    /writes: MISCONF /,
    breakSaving,
    (client) => client.config('SET', 'save', ''),
  ],
];

it.skipIf(redisServerMissing).each(REFUSALS)(
  'an API whose Redis refuses writes with %s refuses jobs, and serves rates',
  async (reason, state, message, begin, end) => {
    const options = ['--save', '', '--enable-protected-configs', 'local'];
    const { client, url: redis } = await ownRedis(undefined, (at) => startRedisProcess(options, at));
    const lines: { msg: string; reason?: string }[] = [];
    const own = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const { url, send, statusOf, until } = await apiOn(redis, own);
    await until(WELL);
    lines.length = 0;

    await begin(client);
    await until({ code: 200, status: 'degraded', snapshot: 'up', redis: state, queue: state });
    for (const path of ['/v2/rates', '/v2/rates?expand=providers', '/random/hangman'])
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    const refused = await send('/admin/providers/ECB/ingest', 'POST');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    const series = (dependency: string) => ({
      [`almanac_dependency_up{dependency="${dependency}"}`]: 0,
      [`almanac_dependency_state{dependency="${dependency}",state="${state}"}`]: 1,
    });
    await expect.poll(() => scrape(url), patiently).toMatchObject({ ...series('redis'), ...series('queue') });
    expect(lines.filter(({ msg }) => msg.startsWith('redis (limits)'))).toMatchObject([
      { msg: expect.stringMatching(message), reason: expect.stringMatching(`^${reason}`) },
    ]);

    await end(client);
    await until(WELL);
    expect((await send('/admin/providers/ECB/ingest', 'POST')).status).toBe(202);
    expect(lines.map(({ msg }) => msg)).toContain('redis (limits) takes writes again');
  },
);
