import type { Logger } from 'pino';
import { openRedis, type RedisConnection, redisOptions } from '../../core/queues/redis.js';

/** A connection to Redis whose commands have a short time limit, and fail at once while Redis can't be reached. */
export interface RedisLink extends RedisConnection {
  close(): void;
}

const COMMAND_MS = 500;

export function openRedisLink(url: string, log: Logger): RedisLink {
  const connection = openRedis(url, redisOptions.failFast(COMMAND_MS), { server: 'redis (limits)', log });
  return { ...connection, close: () => connection.client.disconnect() };
}
