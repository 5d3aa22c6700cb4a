import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { CANNOT_START } from '../../../core/process/lifecycle.js';
import { pingRedis } from '../../../core/queues/redis.js';
import { testDatabase } from '../../support/postgres.js';
import { startCluster } from '../../support/redis-cluster.js';
import { freePort, redisServerMissing, startRedisProcess } from '../../support/redis-server.js';
import { openRedisUses } from '../../support/redis-uses.js';
import { buildService, startProgram } from '../../support/service.js';

const NOTHING_ON_DISK = ['--save', '', '--appendonly', 'no'];
const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function start(options: readonly string[] = NOTHING_ON_DISK) {
  const server = await startRedisProcess(options);
  if (!server) throw new Error('Redis did not start');
  closings.push(() => server.stop());
  const client = new Redis(server.url);
  client.on('error', () => undefined); // Some are stopped before it is.
  closings.push(() => client.disconnect());
  return { ...server, client, port: Number(new URL(server.url).port) };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-redis-'));
  closings.push(() => rm(folder, { recursive: true }));
  return folder;
}

async function open(redisUrl: string, redisPrefix?: string) {
  const uses = await openRedisUses({ redisUrl, redisPrefix });
  closings.push(() => uses.close());
  return uses;
}

describe.skipIf(redisServerMissing)('Redis by its Sentinels', () => {
  async function startSentinel(master: number): Promise<string> {
    const file = join(await temporaryFolder(), 'sentinel.conf');
    await writeFile(
      file,
      `sentinel monitor main 127.0.0.1 ${master} 1
       sentinel down-after-milliseconds main 500
       sentinel failover-timeout main 3000`,
    );
    return (await start([file, '--sentinel'])).url;
  }

  it('goes on with jobs, announcements and all else on the new master once the old one is dead', async () => {
    const master = await start();
    const replica = await start([...NOTHING_ON_DISK, '--replicaof', '127.0.0.1', String(master.port)]);
    const sentinelUrl = await startSentinel(master.port);
    const sentinel = new Redis(sentinelUrl);
    closings.push(() => sentinel.disconnect());
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
    expect(address).toEqual(['127.0.0.1', String(replica.port)]);
    expect(await replica.client.role()).toContain('master');
  });

  it('fails within seconds where no Sentinel responds', async () => {
    const url = `redis+sentinel://127.0.0.1:${await freePort()}/main`;
    await expect(pingRedis(url)).rejects.toThrow('All sentinels are unreachable');
  });
});

describe.skipIf(redisServerMissing)('a prefix of keys and channels', () => {
  it('keeps two environments on one Redis apart', async () => {
    const { url, client } = await start();
    const [one, other] = [await open(url, 'one'), await open(url, 'other')];
    await one.useAll();
    expect([other.done, other.heard.mock.calls]).toEqual([[], []]);
    await other.useAll();
    const keys = await client.keys('*');
    expect(keys.filter((key) => !/^(one|other):/.test(key))).toEqual([]);
    for (const kind of ['blend:meta', 'cache:body', 'limit:utility:client']) {
      expect(keys).toEqual(expect.arrayContaining([`one:${kind}`, `other:${kind}`]));
    }
    const channels = (await client.pubsub('CHANNELS')) as string[];
    expect(channels.sort()).toEqual(['one_data_version', 'other_data_version']);
  });

  it('is what it was where it is not set', async () => {
    const { url, client } = await start();
    await (await open(url)).useAll();
    const keys = await client.keys('*');
    expect(keys.filter((key) => !key.startsWith('almanac:'))).toEqual([]);
    expect(await client.pubsub('CHANNELS')).toEqual(['almanac_data_version']);
  });
});

describe.skipIf(redisServerMissing)('a Cluster of two nodes', () => {
  it('keeps the worker and the API from starting, and says why', async () => {
    const cluster = await startCluster();
    closings.push(() => cluster.stop());
    const [redis, database] = [cluster.url, await testDatabase(), await buildService()];
    closings.push(() => database.close());
    const variables = { DATABASE_URL: database.url, REDIS_PREFIX: '{almanac}' };
    const started = [
      startProgram('worker/main.js', { ...variables, REDIS_URL: redis }),
      startProgram('src/main.js', { ...variables, REDIS_URL: redis }),
      startProgram('src/main.js', { ...variables, REDIS_CACHE_URL: redis }),
    ];
    closings.push(
      ...started.map(
        ({ process }) =>
          () =>
            process.kill('SIGKILL'),
      ),
    );
    for (const { ended } of started) {
      expect(await ended).toMatchObject({
        code: CANNOT_START,
        stderr: expect.stringMatching(
          /^almanac: Redis at 127\.0\.0\.1:\d+ is one of 2 nodes of a Cluster, .*\n$/,
        ),
      });
    }
  });
});
