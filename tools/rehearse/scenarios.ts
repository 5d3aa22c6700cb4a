import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { request } from 'undici';
import { z } from 'zod';
import { LOCKS } from '../../core/database/locks.js';
import type { Published } from './banks.js';
import type { Environment } from './environment.js';
import type { LoadRequest } from './load.js';
import type { Operator } from './operator.js';
import { waitUntil } from './wait-until.js';

/** What every scenario is given. */
export interface ScenarioContext {
  environment: Environment;
  operator: Operator;
  signal: AbortSignal;
  /** Records that a check failed. */
  fail(what: string): void;
}

/** A failure that is caused, and the recovery that is expected. `run` returns a line for the report. */
export interface Scenario {
  name: string;
  /** Whether PostgreSQL is unreachable for a time, so that requests that read it may get 503. */
  databaseDown?: true;
  run(context: ScenarioContext): Promise<string>;
}

const SECOND_MS = 1_000;
/** Another worker takes over a killed one's job within twice the duration of a job's lock, and some margin. */
const TAKEOVER_MS = 70 * SECOND_MS;
const VISIBLE_MS = 45 * SECOND_MS;
const DOWN_MS = 3 * SECOND_MS;
const STALL_MS = 8 * SECOND_MS;

/** What the load requests; both banks publish rates for `day`. */
export function loadRequests(day: string): LoadRequest[] {
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
  const fromDatabase = ['/v2/rates?providers=BOC&base=CAD', '/v2/rates?expand=providers&quotes=EUR,GBP'];
  return [
    ...fromMemory.map((path) => ({ path, readsDatabase: false })),
    ...fromDatabase.map((path) => ({ path, readsDatabase: true })),
  ];
}

/** Ingests the first rates, so that there is something to serve. */
export async function firstRates({ environment, operator, signal }: ScenarioContext): Promise<string> {
  const { small } = environment.banks;
  const window = windowOf(small.rows.values());
  const id = await operator.ingest(small.key, window);
  const { ms } = await waitUntil('the first rates', () => doneIn(operator, id), {
    limitMs: VISIBLE_MS,
    signal,
  });
  const row = rowBack(environment, 0);
  await Promise.all(
    environment.apis.map(({ url }) =>
      waitUntil('the first rates in an API', async () => (await servedRate(url, row)) !== undefined, {
        limitMs: VISIBLE_MS,
        signal,
      }),
    ),
  );
  return `${small.rows.size} rows stored and served within ${seconds(ms)}`;
}

/** The scenarios in the order they run. Each ends with a correction, which shows that everything works again. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a correction of the newest day',
    run: async (context) => correct(context, 0),
  },
  {
    name: 'a worker is killed in the middle of storing',
    async run(context) {
      const { environment, operator, signal } = context;
      const { big } = environment.banks;
      await operator.ingest(big.key, windowOf(big.rows.values()));
      const name = await writingWorker(environment, signal);
      const worker = environment.workers.find((one) => one.name === name);
      if (!worker) throw new Error(`${name} stores rates, and is not a worker`);
      await delay(300, undefined, { signal }); // By now some rows are written and none is committed.
      await worker.kill();
      const left = await countRates(environment, big.key);
      if (left !== 0 && left !== big.rows.size) context.fail(`${left} rows of a killed ingest are stored`);
      if (left !== 0) context.fail('the worker had finished before it could be killed');
      await environment.addWorker(); // As a process manager would.
      const meanwhile = await correct(context, 40);
      const { ms } = await waitUntil(
        'taking over from a killed worker',
        async () => (await countRates(environment, big.key)) === big.rows.size,
        { limitMs: TAKEOVER_MS, everyMs: 250, signal },
      );
      const served = await historyServed(context);
      return `${name} was killed and left nothing half stored; meanwhile ${meanwhile}; another stored all ${big.rows.size} rows ${seconds(ms)} later, and both APIs had that history after ${served}`;
    },
  },
  {
    name: 'Redis is flushed with jobs in it',
    async run(context) {
      const { environment, operator } = context;
      const row = await change(environment, 80);
      const before = await servedRates(environment, row.before);
      await operator.ingest(environment.banks.small.key, { from: row.before.date, to: row.before.date });
      await withRedis(environment, (redis) => redis.flushall());
      return waitUntilServed(context, row, before, 'a correction requested just before, and again after,');
    },
  },
  {
    name: `Redis is down for ${seconds(DOWN_MS)} and comes back empty`,
    async run(context) {
      await context.environment.redis.stop();
      await delay(DOWN_MS, undefined, { signal: context.signal });
      await context.environment.redis.start();
      return correct(context, 200);
    },
  },
  {
    name: `PostgreSQL is down for ${seconds(DOWN_MS)}`,
    databaseDown: true,
    async run(context) {
      await context.environment.postgres.stop();
      await delay(DOWN_MS, undefined, { signal: context.signal });
      await context.environment.postgres.start();
      return correct(context, 1);
    },
  },
  {
    name: `the network stalls for ${seconds(STALL_MS)}`,
    databaseDown: true,
    async run(context) {
      const { environment, operator, signal } = context;
      const row = await change(environment, 350);
      const before = await servedRates(environment, row.before);
      const window = { from: row.before.date, to: row.before.date };
      const requested = operator.ingest(environment.banks.small.key, window).catch(() => undefined); // Requested again below.
      environment.network.stall();
      await delay(STALL_MS, undefined, { signal });
      environment.network.resume();
      await requested;
      return waitUntilServed(context, row, before, 'a correction requested as it began');
    },
  },
  {
    name: 'corrections, from the newest day backwards',
    async run(context) {
      const lines: string[] = [];
      for (const back of [2, 120, 450]) lines.push(await correct(context, back));
      return lines.join(', ');
    },
  },
];

interface Change {
  before: Published;
  after: number;
}

/** The small bank corrects its peso rate of `back` publishing days before the newest. */
async function change(environment: Environment, back: number): Promise<Change> {
  const before = rowBack(environment, back);
  const after = Number((before.rate * 1.02).toPrecision(6));
  await environment.banks.small.correct(before, after);
  return { before, after };
}

async function correct(context: ScenarioContext, back: number): Promise<string> {
  const row = await change(context.environment, back);
  return waitUntilServed(context, row, await servedRates(context.environment, row.before), 'a correction');
}

/** Requests the ingest of that day, again if the job is lost, until every API serves the corrected rate. */
async function waitUntilServed(
  context: ScenarioContext,
  { before, after }: Change,
  old: number[],
  what: string,
): Promise<string> {
  const { environment, operator, signal } = context;
  const { date } = before;
  const started = performance.now();
  let stopped = false;
  const ingesting = (async () => {
    while (!stopped) {
      const id = await operator.ingest(environment.banks.small.key, { from: date, to: date });
      // After a flush the queue no longer knows the job: request it again.
      for (let looks = 0; !stopped && looks < 40; looks++) {
        await delay(50, undefined, { signal });
        const job = await operator.job(id);
        if (job?.state === 'completed') return;
        if (job === undefined && looks > 2) break;
      }
    }
  })();
  ingesting.catch(() => undefined); // Awaited below; it may fail earlier.
  const wanted = before.rate / after;
  try {
    const times = await Promise.all(
      environment.apis.map(async ({ url }, index) => {
        const changed = async () => {
          const now = await servedRate(url, before);
          const factor = (now ?? Number.NaN) / (old[index] ?? Number.NaN);
          return Math.abs(factor - wanted) < 1e-3;
        };
        await waitUntil(`the correction of ${date} at ${url}`, changed, { limitMs: VISIBLE_MS, signal });
        return performance.now() - started;
      }),
    );
    return `${what} of ${date} was served by both APIs after ${times.map(seconds).join(' and ')}`;
  } finally {
    stopped = true;
    await ingesting;
  }
}

const ratesResponse = z.array(z.object({ rate: z.number(), quote: z.string() }));

/** The API's rate from the row's quote to its base on that day; undefined unless it serves one. */
async function servedRate(url: string, { date, base, quote }: Published): Promise<number | undefined> {
  const { statusCode, body } = await request(`${url}/v2/rates?base=${quote}&quotes=${base}&date=${date}`);
  const text = await body.text();
  if (statusCode !== 200) return undefined;
  return ratesResponse.parse(JSON.parse(text)).find((row) => row.quote === base)?.rate;
}

async function servedRates(environment: Environment, row: Published): Promise<number[]> {
  return Promise.all(environment.apis.map(async ({ url }) => (await servedRate(url, row)) ?? Number.NaN));
}

/** The small bank's peso rate, which no other bank publishes, `back` publishing days before the newest. */
function rowBack({ banks }: Environment, back: number): Published {
  const row = [...banks.small.rows.values()].filter(({ base }) => base === 'MXN').at(-1 - back);
  if (!row) throw new Error(`the small bank has fewer than ${back} days`);
  return row;
}

/** Waits until every API serves the oldest rate of the big bank. */
async function historyServed({ environment, signal }: ScenarioContext): Promise<string> {
  const [first] = environment.banks.big.rows.values();
  if (!first) throw new Error('the big bank is empty');
  const waits = environment.apis.map(({ url }) =>
    waitUntil('the history in an API', async () => (await servedRate(url, first)) !== undefined, {
      limitMs: VISIBLE_MS,
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

/** The name of the worker whose transaction is changing rates. */
async function writingWorker(environment: Environment, signal: AbortSignal): Promise<string> {
  const { found } = await waitUntil(
    'a worker in the middle of storing',
    () =>
      withPostgres(environment, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select application_name as name from pg_locks join pg_stat_activity using (pid)
           where locktype = 'advisory' and granted and objid = $1 and classid = 0`,
          [LOCKS.data],
        );
        return rows[0]?.name;
      }),
    { limitMs: 30 * SECOND_MS, everyMs: 10, signal },
  );
  return found;
}

async function countRates(environment: Environment, provider: string): Promise<number> {
  return withPostgres(environment, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from rates where provider = $1',
      [provider],
    );
    return rows[0]?.count ?? 0;
  });
}

/** Runs `work` on a connection that does not go through the proxy. */
export async function withPostgres<T>(
  environment: Environment,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: environment.postgres.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function withRedis<T>(environment: Environment, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(environment.redis.url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Milliseconds, formatted as seconds. */
export function seconds(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(ms < 10_000 && ms % 1000 !== 0 ? 2 : 0)} s`;
}
