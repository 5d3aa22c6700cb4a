import { pino } from 'pino';
import { openQueues, type Queues } from '../../../core/queues/queues.js';
import { openRedisLink } from '../../../src/http/redis-link.js';
import { openQueueAccess } from '../../../src/operations/queue-access.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { redisMissing, testRedis } from '../../support/redis.js';

export const TOKEN = 'a-token-for-tests-only';
export const log = pino({ level: 'silent' });

/** Where the jobs are kept: what has to do with them is tested on both. */
export const stores = [
  { name: 'PostgreSQL', redis: false, missing: undefined },
  { name: 'Redis', redis: true, missing: redisMissing },
] as const;

export interface OperatedApi {
  api: TestApi;
  database: TestDatabase;
  queues: Queues;
  redisUrl: string | undefined;
  /** A request with the token, and a body sent as JSON. */
  admin(path: string, method?: string, body?: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** An API as an operator runs it, with the way to its jobs. */
export async function operatedApi(
  redis: boolean,
  variables: Record<string, string> = {},
): Promise<OperatedApi> {
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
    api,
    database,
    queues,
    redisUrl,
    admin: (path, method = 'GET', body) =>
      fetch(`${api.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async close() {
      link?.close();
      await api.close();
      await access.close();
      await queues.close();
      await database.close();
    },
  };
}
