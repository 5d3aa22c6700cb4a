import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../core/database/database.js';
import { openQueues } from '../../../core/queues/queues.js';
import { openCache } from '../../../src/cache/shared-cache.js';
import { openRedisLink } from '../../../src/http/limits.js';
import { openQueueAccess } from '../../../src/operations/queue-access.js';
import { startApi } from '../../support/api.js';
import { testDatabase } from '../../support/postgres.js';
import { testRedis } from '../../support/redis.js';

export const TOKEN = 'a-token-for-tests-only';
/** A server that nobody listens for. */
export const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';
export const log = pino({ level: 'silent' });

export type OperatedApi = Awaited<ReturnType<typeof operatedApi>>;

/** An API as an operator runs it, with the way to its jobs. */
export async function operatedApi(redis: boolean, variables: Record<string, string> = {}) {
  const database = await testDatabase();
  const redisUrl = redis ? (await testRedis()).url : undefined;
  const store = { databaseUrl: database.url, redisUrl };
  const queues = await openQueues(store, { log });
  const access = openQueueAccess(store, log);
  const link = redisUrl === undefined ? undefined : openRedisLink(redisUrl, log);
  const api = await startApi(database, {
    variables: { ADMIN_TOKEN: TOKEN, ...variables },
    parts: { queues: access, redis: link },
  });
  return {
    ...{ api, database, queues, store },
    /** A request with the token, and a body sent as JSON. */
    admin(path: string, method = 'GET', body?: object) {
      const type = body && { 'content-type': 'application/json' };
      const headers = { authorization: `Bearer ${TOKEN}`, ...type };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return fetch(`${api.url}${path}`, { method, redirect: 'manual', headers, ...sent });
    },
    async close() {
      link?.close();
      await api.close();
      await access.close();
      await queues.close();
      await database.close();
    },
  };
}

/** An API with its queues, limits and caches on a Redis, until the end of the test. */
export async function apiOnRedis(database: Database, redisUrl: string, { variables = {}, ownLog = log }) {
  const redis = openRedisLink(redisUrl, ownLog);
  const queues = openQueueAccess({ databaseUrl: NOWHERE, redisUrl }, log);
  const { url, close } = await startApi(database, {
    variables: { ADMIN_TOKEN: TOKEN, ...variables },
    parts: { redis, queues, cache: openCache({ redisUrl, log }) },
  });
  onTestFinished(async () => {
    redis.close();
    await close();
    await queues.close();
  });
  return { url, client: redis.client };
}

/** The series of a scrape in Prometheus's format: the value by name and labels. */
export function parseSeries(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

/** What `GET /metrics` shows. */
export async function scrape(url: string): Promise<Record<string, number>> {
  return parseSeries(await (await fetch(`${url}/metrics`)).text());
}

/** The status and the body of `GET /health/ready`, as a balancer asks for it. */
export async function readiness(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/health/ready`);
  return { ...((await response.json()) as object), code: response.status };
}
