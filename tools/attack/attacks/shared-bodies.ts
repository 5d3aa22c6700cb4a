import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { enqueueIngest } from '../../../core/queues/enqueue.js';
import { openQueues } from '../../../core/queues/queues.js';
import { readMemory } from '../../../core/queues/redis-info.js';
import { startApi } from '../../rehearse/programs.js';
import { startRedis } from '../../rehearse/servers.js';
import { type Attack, type AttackContext, Skipped } from '../attack.js';
import { askByManyClients } from '../many-clients.js';
import { ask } from '../requests.js';

const MEBIBYTE = 1024 * 1024;
const EVERY_MS = 100;
const CLIENTS = 8;
const DAY_MS = 86_400_000;

/** A Redis that is watched, and that must take jobs all the while. */
async function watchRedis(redisUrl: string, { environment, fail }: AttackContext) {
  const client = new Redis(redisUrl);
  const store = { databaseUrl: await environment.databaseUrl(), redisUrl };
  const queues = await openQueues(store, { log: pino({ level: 'silent' }) });
  const { usedBytes: before } = await readMemory(client);
  const seen = { before, most: before, jobs: 0 };
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      seen.most = Math.max(seen.most, (await readMemory(client)).usedBytes);
      const from = new Date(Date.UTC(2000, 0, ++seen.jobs)).toISOString().slice(0, 10);
      await enqueueIngest(queues.ingest, { provider: 'ECB', from }).catch((error: unknown) =>
        fail(`a job was not accepted: ${String(error)}`),
      );
      await delay(EVERY_MS);
    }
  })();
  return {
    client,
    seen,
    async stop() {
      stopped = true;
      await watching;
      await queues.close();
      client.disconnect();
    },
  };
}

/** Asks for ever other days and bases with their sources, each twice, of an API whose caches are in the queues' Redis. */
async function fillCaches(context: AttackContext, redisUrl: string): Promise<string> {
  const { environment, short } = context;
  const budget = (short ? 8 : 16) * MEBIBYTE;
  const api = await startApi('shared-bodies', {
    folder: environment.folder,
    env: {
      DATABASE_URL: await environment.databaseUrl(),
      REDIS_URL: redisUrl,
      TRANSLATE_URL: environment.upstream.url,
      PORT: '0',
      HOST: '127.0.0.1',
    },
  });
  const redis = await watchRedis(redisUrl, context);
  // Caches fill three quarters of a Redis that never evicts.
  await redis.client.config('SET', 'maxmemory', Math.ceil((budget * 4) / 3));
  let sent = 0;
  try {
    const attacked = { ...context, environment: { ...environment, url: api.url } };
    const clients = { count: CLIENTS, network: '127.1.3', seconds: short ? 12 : 60 };
    const { counts } = await askByManyClients(attacked, clients, (number) => {
      const path = pathOf(environment.lastDay, Math.floor(number / 2));
      sent += path.length;
      return { path, mostBytes: Number.POSITIVE_INFINITY };
    });
    const ready = await ask(api.url, '/health/ready');
    if (!ready.body.includes('"queue":"up"')) context.fail(`/health/ready says ${ready.body}`);
    const kept = (await redis.client.keys('almanac:cache:rates:*')).length;
    if (kept === 0) context.fail('no body was shared');
    const { status } = await ask(api.url, '/translate/text?text=hello&to=it');
    if (status !== 200) context.fail(`a translation was answered with ${status}`);
    const copies = (await redis.client.keys('almanac:cache:relay:*')).length;
    if (copies === 0) context.fail('there was no room for the copy of a translation');
    const { before, most, jobs } = redis.seen;
    const grown = most - before;
    if (grown > budget) context.fail(`Redis grew by ${grown} bytes, which may be ${budget}`);
    const inMegabytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(1);
    return `${CLIENTS} clients ask for days and bases with their sources, each twice: ${counts}, by ${(sent / 1024).toFixed(0)} KB of paths; Redis, whose caches may take ${inMegabytes(budget)} MB, grew by ${inMegabytes(grown)} MB for ${kept} bodies, and took ${jobs} jobs meanwhile`;
  } finally {
    await redis.stop();
    await api.stop();
  }
}

const BASES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'AUD', 'CAD', 'SEK'];

function pathOf(lastDay: string, number: number): string {
  const date = new Date(Date.parse(lastDay) - Math.floor(number / BASES.length) * DAY_MS).toISOString();
  return `/v2/rates?date=${date.slice(0, 10)}&base=${BASES[number % BASES.length]}&expand=providers,quality`;
}

export const sharedBodies: readonly Attack[] = [
  {
    name: 'shared bodies',
    async run(context) {
      const redis = await startRedis().catch((error: Error) => {
        throw new Skipped(error.message);
      });
      try {
        return await fillCaches(context, redis.url);
      } finally {
        await redis.stop();
      }
    },
  },
];
