import type { Logger } from 'pino';
import { REDIS_PREFIX } from '../../core/process/config.js';
import { openRedis, type RedisConnection, redisOptions } from '../../core/queues/redis.js';

/** A connection to Redis whose commands have a short time limit, and fail at once while Redis can't be reached. */
export interface RedisLink extends RedisConnection {
  close(): void;
}

const COMMAND_MS = 500;

/** All its keys begin with the prefix and a colon. */
export function openRedisLink(url: string, log: Logger, prefix = REDIS_PREFIX): RedisLink {
  const options = { ...redisOptions.failFast(COMMAND_MS), keyPrefix: `${prefix}:` };
  const connection = openRedis(url, options, { server: 'redis (limits)', log });
  return { ...connection, close: () => connection.client.disconnect() };
}
