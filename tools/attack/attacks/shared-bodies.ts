import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import { openQueues } from '../../../core/queues/queues.js';
import { readMemory } from '../../../core/queues/redis-info.js';
import { startRedis } from '../../rehearse/servers.js';
import { type Attack, type AttackContext, unlessForbidden } from '../attack.js';
import { withApi } from '../environment.js';
import { askByManyClients } from '../many-clients.js';
import { ask } from '../requests.js';
import { tally } from '../tally.js';
import { sourcesOf } from './requests.js';

const MEBIBYTE = 1024 * 1024;
const EVERY_MS = 100;
const CLIENTS = 8;

/** A Redis that is watched, and that must take jobs all the while. */
async function watchRedis(redisUrl: string, { environment, fail }: AttackContext) {
  const client = new Redis(redisUrl);
  const store = { databaseUrl: await environment.databaseUrl(), redisUrl };
  const queues = await openQueues(store, { log: pino({ level: 'silent' }) });
  const { usedBytes: before } = await readMemory(client);
  const seen = { grown: 0, jobs: 0 };
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      seen.grown = Math.max(seen.grown, (await readMemory(client)).usedBytes - before);
      const from = new Date(Date.UTC(2000, 0, ++seen.jobs)).toISOString().slice(0, 10);
      await enqueueIngest(queues.ingest, { provider: 'ECB', from }).catch((error: unknown) =>
        fail(`a job was not accepted: ${String(error)}`),
      );
      await delay(EVERY_MS);
    }
  })();
  return {
    seen,
    count: async (pattern: string) => (await client.keys(pattern)).length,
    async stop() {
      stopped = true;
      await watching;
      await queues.close();
      client.disconnect();
    },
  };
}

/** Asks for ever other days and bases with their sources, each twice, of an API whose caches are in the queues' Redis. */
async function fillCaches(
  context: AttackContext,
  url: string,
  budget: number,
  redisUrl: string,
): Promise<string> {
  const { fail, short } = context;
  const redis = await watchRedis(redisUrl, context);
  try {
    const clients = { count: CLIENTS, network: '127.1.3', seconds: short ? 12 : 60 };
    const statuses = await askByManyClients(context, url, clients, (number) => ({
      path: sourcesOf(context, Math.floor(number / 2)),
      mostBytes: Number.POSITIVE_INFINITY,
    }));
    const ready = await ask(url, '/health/ready');
    if (!ready.body.includes('"queue":"up"')) fail(`/health/ready says ${ready.body}`);
    const kept = await redis.count('almanac:cache:rates:*');
    if (kept === 0) fail('no body was shared');
    const { status } = await ask(url, '/translate/text?text=hello&to=it');
    if (status !== 200) fail(`a translation was answered with ${status}`);
    if ((await redis.count('almanac:cache:relay:*')) === 0)
      fail('there was no room for the copy of a translation');
    const { grown, jobs } = redis.seen;
    if (grown > budget) fail(`Redis grew by ${grown} bytes, which may be ${budget}`);
    const inMegabytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(1);
    return `${CLIENTS} clients ask for days and bases with their sources, each twice: ${tally(statuses)}; Redis, whose caches may take ${inMegabytes(budget)} MB, grew by ${inMegabytes(grown)} MB for ${kept} bodies, and took ${jobs} jobs meanwhile`;
  } finally {
    await redis.stop();
  }
}

export const sharedBodies: Attack = {
  name: 'shared bodies',
  async run(context) {
    const { environment, short } = context;
    const redis = await unlessForbidden('there is no Redis here', startRedis());
    const budget = (short ? 8 : 16) * MEBIBYTE;
    const env = {
      REDIS_URL: redis.url,
      REDIS_CACHE_BYTES: String(budget),
      TRANSLATE_URL: environment.upstream.url,
    };
    return withApi(environment, { name: 'shared-bodies', env }, ({ url }) =>
      fillCaches(context, url, budget, redis.url),
    ).finally(() => redis.stop());
  },
};
