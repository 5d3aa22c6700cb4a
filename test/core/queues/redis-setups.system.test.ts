import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CANNOT_START } from '../../../core/process/lifecycle.js';
import { enqueueBlend } from '../../../core/queues/enqueue.js';
import { openQueues, waitForQueues } from '../../../core/queues/queues.js';
import { pingRedis, refuseUnusable } from '../../../core/queues/redis.js';
import { freePort } from '../../../tools/rehearse/free-port.js';
import { testDatabase } from '../../support/postgres.js';
import { ALL_SLOTS, startCluster, startNode } from '../../support/redis-cluster.js';
import { redisServerMissing, startRedisProcess } from '../../support/redis-server.js';
import { openRedisUses } from '../../support/redis-uses.js';
import { buildService, startProgram } from '../../support/service.js';
import { newFolder } from '../support.js';

const NOTHING_ON_DISK = ['--save', '', '--appendonly', 'no'];
const log = pino({ level: 'silent' });

async function start(options: readonly string[] = NOTHING_ON_DISK) {
  const server = await startRedisProcess(options);
  if (!server) throw new Error('Redis did not start');
  onTestFinished(() => server.stop());
  const client = new Redis(server.url);
  client.on('error', () => undefined); // Some are stopped before it is.
  onTestFinished(() => client.disconnect());
  return { ...server, client, port: new URL(server.url).port };
}

async function open(redisUrl: string) {
  const uses = await openRedisUses(redisUrl);
  onTestFinished(() => uses.close());
  return uses;
}

describe.skipIf(redisServerMissing)('Redis by its Sentinels', () => {
  async function startSentinel(master: string): Promise<string> {
    const settings = ['down-after-milliseconds main 500', 'failover-timeout main 3000'];
    const lines = [`monitor main 127.0.0.1 ${master} 1`, ...settings].map((line) => `sentinel ${line}\n`);
    const file = join(await newFolder(), 'sentinel.conf');
    await writeFile(file, lines.join(''));
    return (await start([file, '--sentinel'])).url;
  }

  it('goes on with jobs, announcements and all else on the new master once the old one is dead', async () => {
    const master = await start();
    const replica = await start([...NOTHING_ON_DISK, '--replicaof', '127.0.0.1', master.port]);
    const sentinelUrl = await startSentinel(master.port);
    const sentinel = new Redis(sentinelUrl);
    onTestFinished(() => sentinel.disconnect());
    const known = () => sentinel.call('SENTINEL', 'REPLICAS', 'main').then(String);
    await expect.poll(known).toContain('master-link-status,ok');

    // The first Sentinel is down.
    const sentinels = `127.0.0.1:${await freePort()},${new URL(sentinelUrl).host}`;
    const uses = await open(`redis+sentinel://${sentinels}/main`);
    await uses.useAll();
    expect(await master.client.exists('almanac:blend:meta')).toBe(1);
    await master.stop();
    await uses.useAll();
    const address = await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main');
    expect(address).toEqual(['127.0.0.1', replica.port]);
    expect(await replica.client.role()).toContain('master');
  });

  it('fails within seconds where no Sentinel responds', async () => {
    const url = `redis+sentinel://127.0.0.1:${await freePort()}/main`;
    await expect(pingRedis(url)).rejects.toThrow('All sentinels are unreachable');
  });
});

it.skipIf(redisServerMissing)('a prefix keeps environments on one Redis apart', async () => {
  const { url, client } = await start();
  const [unset, other] = [await open(url), await open(`${url}?prefix=other`)];
  await unset.useAll();
  expect([other.done, other.heard.mock.calls]).toEqual([[], []]);
  await other.useAll();
  const keys = await client.keys('*');
  expect(keys.filter((key) => !/^(almanac|other):/.test(key))).toEqual([]);
  for (const kind of ['blend:meta', 'cache:body', 'limit:utility:client'])
    expect(keys).toEqual(expect.arrayContaining([`almanac:${kind}`, `other:${kind}`]));
  const channels = (await client.pubsub('CHANNELS')) as string[];
  expect(channels.sort()).toEqual(['almanac_data_version', 'other_data_version']);
});

describe.skipIf(redisServerMissing)('a Cluster', () => {
  it('of one node does, with a prefix that puts all keys into one slot', async () => {
    const { url, client, stop } = await startNode(ALL_SLOTS);
    onTestFinished(stop);
    await expect.poll(() => client.cluster('INFO')).toContain('cluster_state:ok');
    await (await open(`${url}?prefix={almanac}`)).useAll();
    const slots = await Promise.all((await client.keys('*')).map((key) => client.cluster('KEYSLOT', key)));
    expect(slots.length).toBeGreaterThan(5);
    expect(new Set(slots).size).toBe(1);
    // Without it the keys of a job are in several, which a Cluster refuses.
    const queues = await openQueues({ databaseUrl: '', redisUrl: url }, { log });
    onTestFinished(() => queues.close());
    await expect(enqueueBlend(queues.blend, { window: null })).rejects.toThrow(/slot/);
  });

  it('of two is refused, also among others that cannot be reached, and keeps the programs from starting', async () => {
    const { url, stop } = await startCluster();
    onTestFinished(stop);
    const line = `Redis at ${new URL(url).host} is one of 2 nodes of a Cluster, `;
    await expect(pingRedis(url)).rejects.toThrow(line);
    const nowhere = `redis://127.0.0.1:${await freePort()}`;
    await refuseUnusable(nowhere);
    await expect(refuseUnusable(url)).rejects.toThrow(line);
    const { signal } = new AbortController();
    await expect(waitForQueues({ databaseUrl: '', redisUrl: url }, log, signal)).rejects.toThrow(line);

    const database = await testDatabase();
    onTestFinished(() => database.close());
    await buildService();
    const variables = { DATABASE_URL: database.url, REDIS_URL: `${url}?prefix={almanac}` };
    const stderr = expect.stringMatching(new RegExp(`^almanac: ${line}.*\n$`));
    for (const entry of ['worker/main.js', 'src/main.js'])
      expect(await startProgram(entry, variables).ended).toMatchObject({ code: CANNOT_START, stderr });
  });
});
