import { Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { ConfigurationError } from '../process/config.js';
import { type ConnectionWatch, watchConnection } from '../process/connection-errors.js';
import { parseRedisUrl } from '../process/redis-url.js';
import { StartError } from '../process/start-error.js';
import { figureOf } from './redis-info.js';

/** What of Redis is whose: the server, none where the URL is absent, and how all keys and channels there begin. */
export interface RedisPlace {
  redisUrl?: string | undefined;
  redisPrefix?: string | undefined;
}

const CONNECT_MS = 5_000;
const COMMAND_MS = 5_000;
const MAX_RETRY_MS = 2_000;

const base = {
  connectTimeout: CONNECT_MS,
  /** Milliseconds before a lost connection is tried again. */
  retryStrategy: (times) => Math.min(times * 100, MAX_RETRY_MS) * (0.5 + Math.random() / 2),
} satisfies RedisOptions;

/**
 * Options of a connection, for ioredis and BullMQ alike: how its commands behave while Redis can't be reached. A
 * command that Redis takes and never replies to fails after `commandMs`.
 */
export const redisOptions = {
  /** For commands that a request waits for: they fail at once while disconnected. */
  failFast: (commandMs: number) => ({
    ...base,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandMs,
  }),
  /** For adding jobs and announcing: commands wait for one more attempt to connect. */
  retryOnce: (commandMs = COMMAND_MS) => ({ ...base, maxRetriesPerRequest: 1, commandTimeout: commandMs }),
  /** For listeners and workers: commands wait until Redis is back. */
  waitForever: () => ({ ...base, maxRetriesPerRequest: null }),
} satisfies Record<string, (commandMs: number) => RedisOptions>;

/** A connection to Redis, opened in the background and reopened when lost. */
export interface RedisConnection {
  client: Redis;
  /** Called on every connection error. Callers report failed commands to it. */
  watch: ConnectionWatch;
}

/** `server` names the connection in the log, such as `redis (cache)`. */
export function openRedis(
  url: string,
  options: Omit<RedisOptions, 'replyMapping'>,
  { server, log }: { server: string; log: Logger },
): RedisConnection {
  const watch = watchConnection(log, server);
  const client = new Redis({ ...options, ...serverOf(url) });
  client.on('error', watch.failed);
  client.on('ready', watch.responded);
  return { client, watch };
}

/** The options of ioredis, and so of BullMQ, that say where to connect. Throws a ConfigurationError. */
export function serverOf(url: string) {
  const server = parseRedisUrl(url);
  if (!server) throw new ConfigurationError('the URL of Redis is invalid');
  return server;
}

/**
 * Throws, with the reason, where Redis can't be reached or does not reply within seconds; a StartError where it is a node
 * of a Cluster of several.
 */
export async function pingRedis(url: string): Promise<void> {
  const client = new Redis({
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
    throw reason ?? error;
  } finally {
    client.disconnect();
  }
}

/** Throws a StartError where one of these is a node of a Cluster of several. One that can't be reached now may not be. */
export async function refuseClusters(urls: readonly (string | undefined)[]): Promise<void> {
  const passOn = (error: unknown) => {
    // Whoever uses it logs why it can't be reached.
    if (error instanceof StartError) throw error;
  };
  await Promise.all(urls.map((url) => url !== undefined && pingRedis(url).catch(passOn)));
}

/** Some keys would be on other nodes, which no connection goes to. A Cluster of one node has all. */
async function refuseCluster(client: Redis): Promise<void> {
  if (!(await client.info('cluster')).includes('cluster_enabled:1')) return;
  const nodes = figureOf(await client.cluster('INFO'), 'cluster_size');
  if (nodes <= 1) return;
  const { host, port } = client.options;
  throw new StartError(
    `Redis at ${host}:${port} is one of ${nodes} nodes of a Cluster, which share the keys, but only one would be used: set REDIS_URL and REDIS_CACHE_URL to a single server, to Sentinels or to a Cluster of one node`,
  );
}
