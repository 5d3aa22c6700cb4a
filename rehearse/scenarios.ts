import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { request } from 'undici';
import { z } from 'zod';
import type { Published } from './banks.js';
import type { Stage } from './environment.js';
import type { Question } from './load.js';
import type { Operator } from './operator.js';
import { until } from './patience.js';

/** What the acts work with. */
export interface Scene {
  stage: Stage;
  operator: Operator;
  signal: AbortSignal;
  /** Notes a promise that was not kept. */
  broken(what: string): void;
}

/** One thing that goes wrong, or is put right. Returns what there is to tell of it. */
export interface Act {
  name: string;
  /** Whether PostgreSQL is out of reach for a time, so that what it alone knows may be put off. */
  storeAway?: true;
  play(scene: Scene): Promise<string>;
}

const SECOND_MS = 1_000;
/** A dead worker's job is taken over within twice the time that a job may stay without a sign of life. */
const TAKEOVER_MS = 70 * SECOND_MS;
const SHOWN_MS = 45 * SECOND_MS;
const DOWN_MS = 3 * SECOND_MS;
const STALL_MS = 8 * SECOND_MS;
// The key of the lock that whoever changes rates holds until its transaction ends.
const DATA_LOCK = 2_119_770_401;

/** What the load asks for; `day` is one that both banks know. */
export function questions(day: string): Question[] {
  const fromMemory = [
    '/v2/rates',
    '/v2/rates?base=EUR&quotes=USD,GBP,JPY',
    `/v2/rates?date=${day}`,
    `/v2/rates?from=${day}&quotes=USD,MXN&base=CAD`,
    '/v2/rate/EUR/USD',
    '/v2/rates?from=2024-01-01&group=month&quotes=EUR,JPY',
    '/v2/currencies',
    '/v2/currency/EUR',
    '/v2/providers',
  ];
  const fromStore = ['/v2/rates?providers=BOC&base=CAD', '/v2/rates?expand=providers&quotes=EUR,GBP'];
  return [
    ...fromMemory.map((path) => ({ path, readsStore: false })),
    ...fromStore.map((path) => ({ path, readsStore: true })),
  ];
}

/** The first rates, so that there is something to answer. */
export async function firstRates({ stage, operator, signal }: Scene): Promise<string> {
  const { small } = stage.banks;
  const window = windowOf(small.rows.values());
  const id = await operator.ingest(small.key, window);
  const { ms } = await until('the first rates', () => doneIn(operator, id), { limitMs: SHOWN_MS, signal });
  const row = rowBack(stage, 0);
  await Promise.all(
    stage.apis.map(({ url }) =>
      until('the first rates in an API', async () => (await priceOf(url, row)) !== undefined, {
        limitMs: SHOWN_MS,
        signal,
      }),
    ),
  );
  return `${small.rows.size} rows stored and served within ${seconds(ms)}`;
}

/** The acts, in their order. After each, a correction shows that everything still works. */
export const acts: readonly Act[] = [
  {
    name: 'a correction of the newest day',
    play: async (scene) => correct(scene, 0),
  },
  {
    name: 'a worker is killed in the midst of storing',
    async play(scene) {
      const { stage, operator, signal } = scene;
      const { big } = stage.banks;
      await operator.ingest(big.key, windowOf(big.rows.values()));
      const name = await holderOfData(stage, signal);
      const worker = stage.workers.find((one) => one.name === name);
      if (!worker) throw new Error(`${name} stores rates, and is none of the workers`);
      await delay(300, undefined, { signal }); // Some of its rows are written by now, and none is committed.
      await worker.kill();
      const left = await countRates(stage, big.key);
      if (left !== 0 && left !== big.rows.size) scene.broken(`${left} rows of a killed ingest are there`);
      if (left !== 0) scene.broken('the worker had finished before it could be killed');
      await stage.addWorker(); // As a supervisor would.
      const meanwhile = await correct(scene, 40);
      const { ms } = await until(
        'taking over from a killed worker',
        async () => (await countRates(stage, big.key)) === big.rows.size,
        { limitMs: TAKEOVER_MS, everyMs: 250, signal },
      );
      const served = await historyServed(scene);
      return `${name} was, and left nothing half stored; meanwhile ${meanwhile}; another stored all ${big.rows.size} rows ${seconds(ms)} later, and both APIs had that history after ${served}`;
    },
  },
  {
    name: 'Redis is flushed with jobs in it',
    async play(scene) {
      const { stage, operator } = scene;
      const row = await change(stage, 80);
      const before = await prices(stage, row.before);
      await operator.ingest(stage.banks.small.key, { from: row.before.date, to: row.before.date });
      await onRedis(stage, (redis) => redis.flushall());
      return shown(scene, row, before, 'a correction asked for just before, and again after,');
    },
  },
  {
    name: `Redis is gone for ${seconds(DOWN_MS)} and comes back empty`,
    async play(scene) {
      await scene.stage.redis.stop();
      await delay(DOWN_MS, undefined, { signal: scene.signal });
      await scene.stage.redis.start();
      return correct(scene, 200);
    },
  },
  {
    name: `PostgreSQL is gone for ${seconds(DOWN_MS)}`,
    storeAway: true,
    async play(scene) {
      await scene.stage.postgres.stop();
      await delay(DOWN_MS, undefined, { signal: scene.signal });
      await scene.stage.postgres.start();
      return correct(scene, 1);
    },
  },
  {
    name: `the network stalls for ${seconds(STALL_MS)}`,
    storeAway: true,
    async play(scene) {
      const { stage, operator, signal } = scene;
      const row = await change(stage, 350);
      const before = await prices(stage, row.before);
      const window = { from: row.before.date, to: row.before.date };
      const asked = operator.ingest(stage.banks.small.key, window).catch(() => undefined); // Asked again below.
      stage.network.stall();
      await delay(STALL_MS, undefined, { signal });
      stage.network.resume();
      await asked;
      return shown(scene, row, before, 'a correction asked for as it began');
    },
  },
  {
    name: 'corrections, from the newest day backwards',
    async play(scene) {
      const told: string[] = [];
      for (const back of [2, 120, 450]) told.push(await correct(scene, back));
      return told.join(', ');
    },
  },
];

interface Change {
  before: Published;
  after: number;
}

/** The small bank publishes another price of the peso, `back` publishing days before its newest. */
async function change(stage: Stage, back: number): Promise<Change> {
  const before = rowBack(stage, back);
  const after = Number((before.rate * 1.02).toPrecision(6));
  await stage.banks.small.correct(before, after);
  return { before, after };
}

async function correct(scene: Scene, back: number): Promise<string> {
  const row = await change(scene.stage, back);
  return shown(scene, row, await prices(scene.stage, row.before), 'a correction');
}

/** Has the day asked for, again and again as an operator would, until every API answers the corrected price. */
async function shown(scene: Scene, { before, after }: Change, old: number[], what: string): Promise<string> {
  const { stage, operator, signal } = scene;
  const { date } = before;
  const started = performance.now();
  let stopped = false;
  const asking = (async () => {
    while (!stopped) {
      const id = await operator.ingest(stage.banks.small.key, { from: date, to: date });
      // The queue may have forgotten the job, as after a flush: it is asked for again.
      for (let looks = 0; !stopped && looks < 40; looks++) {
        await delay(50, undefined, { signal });
        const job = await operator.job(id);
        if (job?.state === 'completed') return;
        if (job === undefined && looks > 2) break;
      }
    }
  })();
  asking.catch(() => undefined); // It is waited for below, and may fail before.
  const wanted = before.rate / after;
  try {
    const times = await Promise.all(
      stage.apis.map(async ({ url }, index) => {
        const changed = async () => {
          const now = await priceOf(url, before);
          const factor = (now ?? Number.NaN) / (old[index] ?? Number.NaN);
          return Math.abs(factor - wanted) < 1e-3;
        };
        await until(`the correction of ${date} at ${url}`, changed, { limitMs: SHOWN_MS, signal });
        return performance.now() - started;
      }),
    );
    return `${what} of ${date} showed in both APIs after ${times.map(seconds).join(' and ')}`;
  } finally {
    stopped = true;
    await asking;
  }
}

const answer = z.array(z.object({ rate: z.number(), quote: z.string() }));

/** What a unit of the row's quote costs in its base, as an API has it for that day; undefined without an answer. */
async function priceOf(url: string, { date, base, quote }: Published): Promise<number | undefined> {
  const { statusCode, body } = await request(`${url}/v2/rates?base=${quote}&quotes=${base}&date=${date}`);
  const text = await body.text();
  if (statusCode !== 200) return undefined;
  return answer.parse(JSON.parse(text)).find((row) => row.quote === base)?.rate;
}

async function prices(stage: Stage, row: Published): Promise<number[]> {
  return Promise.all(stage.apis.map(async ({ url }) => (await priceOf(url, row)) ?? Number.NaN));
}

/** The small bank's price of the peso, which no other bank speaks of, so many publishing days before its newest. */
function rowBack({ banks }: Stage, back: number): Published {
  const row = [...banks.small.rows.values()].filter(({ base }) => base === 'MXN').at(-1 - back);
  if (!row) throw new Error(`the small bank has no ${back} days`);
  return row;
}

/** Waits until every API serves the first year of the big bank. */
async function historyServed({ stage, signal }: Scene): Promise<string> {
  const [first] = stage.banks.big.rows.values();
  if (!first) throw new Error('the big bank is empty');
  const waits = stage.apis.map(({ url }) =>
    until('the history in an API', async () => (await priceOf(url, first)) !== undefined, {
      limitMs: SHOWN_MS,
      signal,
    }),
  );
  return (await Promise.all(waits)).map(({ ms }) => seconds(ms)).join(' and ');
}

function windowOf(rows: Iterable<Published>) {
  const dates = [...rows].map(({ date }) => date);
  const [first = ''] = dates;
  return { from: first, to: dates.at(-1) ?? first };
}

async function doneIn(operator: Operator, id: string): Promise<boolean> {
  const job = await operator.job(id);
  if (job?.state === 'failed') throw new Error(`job ${id} failed: ${job.error}`);
  return job?.state === 'completed';
}

/** The name of the program in whose transaction rates are being changed. */
async function holderOfData(stage: Stage, signal: AbortSignal): Promise<string> {
  const { found } = await until(
    'a worker in the midst of storing',
    () =>
      onPostgres(stage, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select application_name as name from pg_locks join pg_stat_activity using (pid)
           where locktype = 'advisory' and granted and objid = $1 and classid = 0`,
          [DATA_LOCK],
        );
        return rows[0]?.name;
      }),
    { limitMs: 30 * SECOND_MS, everyMs: 10, signal },
  );
  return found;
}

async function countRates(stage: Stage, provider: string): Promise<number> {
  return onPostgres(stage, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from rates where provider = $1',
      [provider],
    );
    return rows[0]?.count ?? 0;
  });
}

/** Runs a look at the database, past the network that stalls. */
export async function onPostgres<T>(stage: Stage, look: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: stage.postgres.url });
  await client.connect();
  try {
    return await look(client);
  } finally {
    await client.end();
  }
}

async function onRedis<T>(stage: Stage, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(stage.redis.url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Milliseconds as text, in seconds. */
export function seconds(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(ms < 10_000 && ms % 1000 !== 0 ? 2 : 0)} s`;
}
