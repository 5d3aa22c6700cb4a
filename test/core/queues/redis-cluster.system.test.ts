import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { enqueueBlend } from '../../../core/queues/enqueue.js';
import { openQueues } from '../../../core/queues/queues.js';
import { pingRedis, refuseClusters } from '../../../core/queues/redis.js';
import { waitForQueues } from '../../../core/queues/wait-for-queues.js';
import { ALL_SLOTS, startCluster, startNode } from '../../support/redis-cluster.js';
import { freePort, redisServerMissing } from '../../support/redis-server.js';
import { openRedisUses } from '../../support/redis-uses.js';

const log = pino({ level: 'silent' });
const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

describe.skipIf(redisServerMissing)('a Cluster', () => {
  it('of one node does, with a prefix that puts all keys into one slot', async () => {
    const { url, client, stop } = await startNode(ALL_SLOTS);
    closings.push(stop);
    await expect.poll(() => client.cluster('INFO')).toContain('cluster_state:ok');
    const uses = await openRedisUses({ redisUrl: url, redisPrefix: '{almanac}' });
    closings.push(() => uses.close());
    await uses.useAll();
    const slots = await Promise.all((await client.keys('*')).map((key) => client.cluster('KEYSLOT', key)));
    expect(slots.length).toBeGreaterThan(5);
    expect(new Set(slots).size).toBe(1);
    // Without it the keys of a job are in several, which a Cluster refuses.
    const queues = await openQueues({ databaseUrl: '', redisUrl: url }, { log });
    closings.push(() => queues.close());
    await expect(enqueueBlend(queues.blend, null)).rejects.toThrow(/slot/);
  });

  it('of two is refused, also among others that can not be reached, and waited for by nobody', async () => {
    const { url, stop } = await startCluster();
    closings.push(stop);
    const message = new RegExp(`^Redis at ${new URL(url).host} is one of 2 nodes of a Cluster, `);
    await expect(pingRedis(url)).rejects.toThrow(message);
    const nowhere = `redis://127.0.0.1:${await freePort()}`;
    await expect(refuseClusters([nowhere, undefined, url])).rejects.toThrow(message);
    const { signal } = new AbortController();
    await expect(waitForQueues({ databaseUrl: '', redisUrl: url }, log, signal)).rejects.toThrow(message);
  });
});
