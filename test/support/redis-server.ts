import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../../tools/rehearse/free-port.js';
import type { TestServer } from './postgres-server.js';
import { IMAGES, serverSource } from './server-source.js';

const START_LIMIT_MS = 60_000;
const REDIS_PORT = 6379;

/**
 * A Redis of one's own, to be stopped by who started it: a container or `redis-server`, as the run's servers are.
 * Undefined where there is neither. A given port brings a stopped one back at its old address.
 */
export async function startRedis(port?: number): Promise<TestServer | undefined> {
  if (serverSource() === 'containers') return startContainer(port);
  return startRedisProcess(['--save', '', '--appendonly', 'no', '--databases', '1000'], port);
}

/** Why startRedisProcess can't start one; undefined where it can. */
export const redisServerMissing: string | undefined = spawnSync('redis-server', ['--version']).error
  ? 'redis-server is not here'
  : undefined;

/**
 * `redis-server` on this machine with arguments of the test's, for what a container elsewhere can't show. Undefined
 * where it is not here.
 */
export async function startRedisProcess(
  options: readonly string[],
  port?: number,
): Promise<TestServer | undefined> {
  const at = port ?? (await freePort());
  // It can't run under libfaketime (test/times.mjs), which calls its allocator, which asks for the time.
  const { LD_PRELOAD: _, ...env } = process.env;
  const server = spawn('redis-server', [...options, '--port', String(at), '--bind', '127.0.0.1'], {
    stdio: 'ignore',
    cwd: '/',
    env,
  });
  try {
    await once(server, 'spawn');
  } catch {
    return undefined;
  }
  const exited = once(server, 'exit');
  const url = `redis://127.0.0.1:${at}`;
  await untilReady(url);
  return {
    url,
    async stop() {
      server.kill('SIGKILL');
      await exited;
    },
  };
}

async function untilReady(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined); // Each attempt below answers for itself.
  const limit = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      await client.connect();
      await client.ping();
      break;
    } catch (error) {
      if (performance.now() > limit) throw error;
      await delay(20);
    }
  }
  client.disconnect(); // A Sentinel knows no QUIT.
}

async function startContainer(port: number | undefined): Promise<TestServer> {
  const { RedisContainer } = await import('@testcontainers/redis');
  const container = await new RedisContainer(IMAGES.redis)
    .withCommand(['redis-server', '--save', '', '--databases', '1000'])
    // Docker gives a port that a container has left to the next one, and a test may want it back.
    .withExposedPorts({ container: REDIS_PORT, host: port ?? (await freePort()) })
    .start();
  return {
    url: container.getConnectionUrl(),
    async stop() {
      await container.stop();
    },
  };
}
