import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import { freePort } from '../../tools/rehearse/free-port.js';
import type { TestServer } from './postgres-server.js';
import { startRedisProcess } from './redis-server.js';

export const ALL_SLOTS = [0, 16_383] as const;

/** A `redis-server` that is a node of a Cluster with a range of its slots, both ends included. */
export async function startNode([from, to]: readonly [number, number]) {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-redis-'));
  // The port for other nodes is by default another 10,000 higher, which may be none.
  const busPort = String(await freePort());
  const server = await startRedisProcess([
    ...['--save', '', '--appendonly', 'no', '--cluster-enabled', 'yes'],
    ...['--cluster-config-file', join(folder, 'nodes.conf'), '--cluster-port', busPort],
  ]);
  if (!server) throw new Error('Redis did not start');
  const client = new Redis(server.url);
  await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
  return {
    ...{ url: server.url, client, port: new URL(server.url).port, busPort },
    async stop() {
      client.disconnect();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A Cluster of two nodes, by the URL of one. */
export async function startCluster(): Promise<TestServer> {
  const [one, other] = [await startNode([0, 8_191]), await startNode([8_192, 16_383])];
  await one.client.call('CLUSTER', 'MEET', '127.0.0.1', other.port, other.busPort);
  await expect.poll(() => one.client.cluster('INFO'), { timeout: 20_000 }).toContain('cluster_size:2');
  return {
    url: one.url,
    async stop() {
      await Promise.all([one.stop(), other.stop()]);
    },
  };
}
