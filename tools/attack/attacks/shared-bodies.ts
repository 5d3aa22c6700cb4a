import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import { openQueues, type Queues } from '../../../core/queues/queues.js';
import { readMemory } from '../../../core/queues/redis.js';
import { type Attack, type AttackContext, unlessForbidden } from '../attack.js';
import { withApi } from '../environment.js';
import { askByManyClients } from '../many-clients.js';
import { startRedis } from '../redis.js';
import { ask } from '../requests.js';
import { tally } from '../tally.js';
import { sourcesOf } from './requests.js';

const BUDGET = 8 * 1024 * 1024;
const EVERY_MS = 100;
const CLIENTS = 8;

/** Enqueues jobs during the work. Throws if one is refused. Returns their number, and the growth of Redis in bytes. */
async function enqueueDuring(redis: Redis, { ingest }: Queues, work: Promise<unknown>) {
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  const { usedBytes: before } = await readMemory(redis);
  let [jobs, grown] = [0, 0];
  while (!isOver) {
    const from = new Date(Date.UTC(2000, 0, ++jobs)).toISOString().slice(0, 10);
    await enqueueIngest(ingest, { provider: 'ECB', from });
    grown = Math.max(grown, (await readMemory(redis)).usedBytes - before);
    await delay(EVERY_MS);
  }
  await done;
  return { jobs, grown };
}

/** Asks for ever other days and bases with their sources, each twice, of an API whose caches are in the queues' Redis. */
async function fillCaches(context: AttackContext, url: string, redisUrl: string): Promise<string> {
  const { environment, fail, short } = context;
  const redis = new Redis(redisUrl);
  // Caches fill three quarters of a Redis that never evicts.
  await redis.config('SET', 'maxmemory', Math.ceil((BUDGET * 4) / 3));
  const store = { databaseUrl: environment.databaseUrl, redisUrl };
  const queues = await openQueues(store, { log: pino({ level: 'silent' }) });
  const countOf = async (cache: string) => (await redis.keys(`almanac:cache:${cache}:*`)).length;
  try {
    const clients = { count: CLIENTS, network: '127.1.3', seconds: short ? 12 : 60 };
    const asking = askByManyClients(context, url, clients, (number) => ({
      path: sourcesOf(Math.floor(number / 2)),
      mostBytes: Number.POSITIVE_INFINITY,
    }));
    const { jobs, grown } = await enqueueDuring(redis, queues, asking);
    const ready = await ask(url, '/health/ready');
    if (!ready.body.includes('"queue":"up"')) fail(`/health/ready says ${ready.body}`);
    const { status } = await ask(url, '/translate/text?text=hello&to=it');
    if (status !== 200) fail(`a translation was answered with ${status}`);
    const [bodies, copies] = [await countOf('rates'), await countOf('relay')];
    if (bodies === 0) fail('no body was shared');
    if (copies === 0) fail('there was no room for the copy of a translation');
    if (grown > BUDGET) fail(`Redis grew by ${grown} bytes, which may be ${BUDGET}`);
    return `${CLIENTS} clients ask for days and bases with their sources, each twice: ${tally(await asking)}; Redis, whose caches may take ${BUDGET} bytes, grew by ${grown} for ${bodies} bodies, and took ${jobs} jobs meanwhile`;
  } finally {
    await queues.close();
    redis.disconnect();
  }
}

export const sharedBodies: Attack = {
  name: 'shared bodies',
  async run(context) {
    const { environment } = context;
    const redis = await unlessForbidden('there is no Redis here', startRedis());
    const env = { REDIS_URL: redis.url, TRANSLATE_URL: environment.upstream };
    const work = ({ url }: { url: string }) => fillCaches(context, url, redis.url);
    return withApi(environment, { name: 'shared-bodies', env }, work).finally(() => redis.stop());
  },
};
