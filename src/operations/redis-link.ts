import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { type ConnectionWatch, watchConnection } from '../../core/process/connection-errors.js';

/** A connection to Redis on which no command ever waits for long: while it is away they fail at once. */
export interface RedisLink {
  client: Redis;
  outage: ConnectionWatch;
  close(): void;
}

const COMMAND_MS = 500;
const CONNECT_MS = 2_000;

/** Connects in the background, and again whenever the connection is lost. */
export function openRedisLink(url: string, log: Logger): RedisLink {
  const outage = watchConnection(log, 'redis (limits)');
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    commandTimeout: COMMAND_MS,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  client.on('error', outage.failed);
  client.on('ready', outage.recovered);
  return { client, outage, close: () => client.disconnect() };
}
