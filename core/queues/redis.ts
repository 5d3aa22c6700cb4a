import { createRequire } from 'node:module';
import type { Redis, RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { tlsFailure } from '../database/errors.js';
import { ConfigurationError } from '../process/config.js';
import { watchConnection } from '../process/connection-errors.js';
import { parseRedisUrl, REDIS_PREFIX } from '../process/redis-url.js';
import { StartError } from '../process/start-failure.js';

const CONNECT_MS = 5_000;
const COMMAND_MS = 5_000;
const MAX_RETRY_MS = 2_000;

const base = {
  connectTimeout: CONNECT_MS,
  retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_MS) * (0.5 + Math.random() / 2),
} satisfies RedisOptions;

/** How commands behave while Redis is unreachable. A command without a reply fails after `commandMs`. */
export const redisOptions = {
  /** For commands that a request waits for. They fail immediately while disconnected. */
  failFast: (commandMs: number) => ({
    ...base,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandMs,
  }),
  /** For adding jobs and announcing. Commands wait for one more attempt to connect. */
  retryOnce: (commandMs = COMMAND_MS) => ({ ...base, maxRetriesPerRequest: 1, commandTimeout: commandMs }),
  /** For listeners and workers. Commands wait until Redis is back. */
  waitForever: () => ({ ...base, maxRetriesPerRequest: null }),
} satisfies Record<string, (commandMs: number) => RedisOptions>;

export type RedisConnection = ReturnType<typeof openRedis>;

/**
 * Opens a connection in the background, and reopens it when it is lost. `server` names it in the log, such as `redis (cache)`.
 * Callers report failed commands to `watch`, which knows of connection errors.
 */
export function openRedis(
  url: string,
  options: Omit<RedisOptions, 'replyMapping'>,
  { server, log }: { server: string; log: Logger },
) {
  const watch = watchConnection(log, server);
  const client = newClient({ ...options, ...serverOf(url) });
  client.on('error', watch.failed);
  client.on('ready', watch.responded);
  return { client, watch };
}

const require = createRequire(import.meta.url);

/** Loads the library with the first client, as most installations have no Redis. */
function newClient(options: Omit<RedisOptions, 'replyMapping'>): Redis {
  const library = require('ioredis') as typeof import('ioredis');
  return new library.Redis(options);
}

/** The options of ioredis, and so of BullMQ, that define where to connect. Throws a ConfigurationError. */
export function serverOf(url: string) {
  const server = parseRedisUrl(url);
  if (!server) throw new ConfigurationError('the URL of Redis is invalid');
  return server;
}

/** The prefix of all keys and channels, `almanac` by default. */
export function redisPrefix(url: string | undefined): string {
  return url === undefined ? REDIS_PREFIX : serverOf(url).prefix;
}

/** Throws if Redis does not reply within seconds; a StartError if TLS fails, or it is one of several nodes of a Cluster. */
export async function pingRedis(url: string): Promise<void> {
  const client = newClient({
    ...redisOptions.retryOnce(),
    ...serverOf(url),
    lazyConnect: true,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  let reason: unknown;
  client.on('error', (error) => {
    reason = error; // The thrown error only says that the connection is closed.
  });
  try {
    await client.connect();
    await refuseCluster(client);
  } catch (error) {
    const failure = tlsFailure(reason);
    throw failure === undefined ? (reason ?? error) : new StartError(`TLS to Redis fails: ${failure}`);
  } finally {
    client.disconnect();
  }
}

/** Throws a StartError for a server that will never be usable. Ignores one that is unreachable now. */
export async function refuseUnusable(url: string): Promise<void> {
  await pingRedis(url).catch((error: unknown) => {
    // The user of the connection logs why it is unreachable.
    if (error instanceof StartError) throw error;
  });
}

/** In a Cluster, some keys would be on other nodes, which no connection uses. A Cluster of one node has all keys. */
async function refuseCluster(client: Redis): Promise<void> {
  if (!(await client.info('cluster')).includes('cluster_enabled:1')) return;
  const nodes = figureOf(await client.cluster('INFO'), 'cluster_size');
  if (nodes <= 1) return;
  const { host, port } = client.options;
  throw new StartError(
    `Redis at ${host}:${port} is one of ${nodes} nodes of a Cluster, which share the keys, but only one would be used: set REDIS_URL to a single server, to Sentinels or to a Cluster of one node`,
  );
}

/** Throws if Redis can't be queried. */
export async function readMemory(client: Redis) {
  const memory = await client.info('memory');
  return {
    usedBytes: figureOf(memory, 'used_memory'),
    /** 0 if unlimited. */
    maxBytes: figureOf(memory, 'maxmemory'),
    evicts: !/^maxmemory_policy:noeviction/m.test(memory),
  };
}

function figureOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}
