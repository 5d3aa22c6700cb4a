import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type Processor,
  Queue,
  Worker,
} from 'bullmq';
import type { Logger } from 'pino';
import { prepareQueueTables } from '../database/queue-tables.js';
import type { CalendarDate } from '../domain/dates.js';
import { watchConnection } from '../process/connection-errors.js';
import { pingRedis, redisOptions } from './redis.js';

/** Why a window is asked for. */
export type IngestReason = 'schedule' | 'catch-up' | 'backfill' | 'operator';

/** Ask one provider for a window, both ends included. */
export interface IngestJob {
  provider: string;
  from: CalendarDate;
  /** Absent: up to whatever the source already gives when the job runs. */
  to?: CalendarDate;
  reason: IngestReason;
}

/** What an ingest job leaves behind when it is done. */
export interface IngestOutcome {
  /** The row in `ingest_runs`; null where there was nothing left to do. */
  run: string | null;
  rowsNew: number;
  rowsCorrected: number;
  rowsUnchanged: number;
  /** Rows left out by validation, by reason. */
  rowsDropped: Record<string, number>;
  /** Records that the feed skipped, by reason. */
  rowsSkipped: Record<string, number>;
}

/** Blend a window again, both ends included; everything where it is null. */
export interface BlendJob {
  window: { from: CalendarDate; to: CalendarDate } | null;
}

export type BlendOutcome = { version: string | null };

/** Where the jobs are kept: on Redis where there is one, else in the database, in a schema of their own. */
export interface QueueStore {
  databaseUrl: string;
  redisUrl?: string | undefined;
}

export type JobQueue<Data, Outcome> = Queue<
  Data,
  Outcome,
  string,
  Data,
  Outcome,
  string,
  IQueueBackend,
  QueueStore
>;
export type IngestQueue = JobQueue<IngestJob, IngestOutcome>;
export type BlendQueue = JobQueue<BlendJob, BlendOutcome>;
export type JobWorker<Data, Outcome> = Worker<Data, Outcome, string, IQueueBackend>;

export interface Queues {
  ingest: IngestQueue;
  blend: BlendQueue;
  close(): Promise<void>;
}

interface QueueOptions {
  log: Logger;
}

interface WorkerOptions {
  log: Logger;
  concurrency: number;
  /** How long a job stays its worker's without a sign of life. It is renewed at half of it. */
  lockDurationMs?: number;
  /** Delays between attempts; for tests. */
  backoff?: (attemptsMade: number) => number;
}

const SCHEMA = 'bullmq';
const PREFIX = 'almanac';
const SECOND_MS = 1_000;
const CONNECT_MS = 5 * SECOND_MS;
const CLOSE_MS = 2 * SECOND_MS;
const LONGEST_CLOSE_MS = 7 * SECOND_MS;
const DAY_S = 86_400;
const FIRST_RETRY_MS = 30 * SECOND_MS;
const LONGEST_RETRY_MS = 3_600 * SECOND_MS;

// Parsing a large workbook holds the event loop for seconds: a job must not count as abandoned by that.
const LOCK_MS = 30 * SECOND_MS;

/** How often a job may lose its worker before it counts as what kills them. */
const DEATHS_ALLOWED = 3;

/**
 * The queues for those who add and watch jobs. Calls fail within seconds while the server can't be reached, and work
 * again once it can. Throws where the server does not answer at first.
 */
export async function openQueues(store: QueueStore, options: QueueOptions): Promise<Queues> {
  if (store.redisUrl === undefined) await prepareQueueTables(store.databaseUrl, SCHEMA);
  else await pingRedis(store.redisUrl); // A queue whose Redis has never answered can't even be closed.
  const ingest: IngestQueue = openQueue('ingest', store, options.log);
  const blend: BlendQueue = openQueue('blend', store, options.log);
  await Promise.all([ingest.waitUntilReady(), blend.waitUntilReady()]);
  return {
    ingest,
    blend,
    async close() {
      await Promise.all([ingest, blend].map((queue) => closeWithin(CLOSE_MS, queue)));
    },
  };
}

/**
 * A worker that takes jobs of one queue. A lost server is waited for; what a dead worker left behind is taken
 * over within twice the lock's duration. `close()` waits for the jobs at work.
 */
export function openWorker<Data, Outcome>(
  name: 'ingest' | 'blend',
  store: QueueStore,
  processor: Processor<Data, Outcome, string>,
  options: WorkerOptions,
): JobWorker<Data, Outcome> {
  const lockDuration = options.lockDurationMs ?? LOCK_MS;
  const worker = new Worker<Data, Outcome, string, IQueueBackend>(
    name,
    processor,
    {
      connection: store,
      prefix: PREFIX,
      concurrency: options.concurrency,
      lockDuration,
      stalledInterval: lockDuration / 2,
      maxStalledCount: DEATHS_ALLOWED,
      runRetryDelay: SECOND_MS,
      settings: { backoffStrategy: options.backoff ?? growingDelay },
    },
    createBackend as BackendFactory<IQueueBackend>,
  );
  const watch = watchConnection(options.log, `queue ${name}`);
  worker.on('error', watch.failed);
  worker.backend.on('ready', watch.recovered);
  worker.on('active', watch.recovered);
  return worker;
}

/** Stops taking jobs and waits for those at work, seven seconds at most: they are taken over from a worker gone. */
export function closeWorker(
  worker: Pick<JobWorker<unknown, unknown>, 'close' | 'disconnect'>,
): Promise<void> {
  return closeWithin(LONGEST_CLOSE_MS, worker);
}

/** Milliseconds before the next attempt: 15 to 30 seconds at first, twice that each time, an hour at most. */
function growingDelay(attemptsMade: number): number {
  const longest = Math.min(FIRST_RETRY_MS * 2 ** (attemptsMade - 1), LONGEST_RETRY_MS);
  return Math.round(longest * (0.5 + Math.random() / 2));
}

function openQueue<Data, Outcome>(name: string, store: QueueStore, log: Logger): JobQueue<Data, Outcome> {
  const queue: JobQueue<Data, Outcome> = new Queue(
    name,
    {
      connection: store,
      prefix: PREFIX,
      defaultJobOptions: {
        backoff: { type: 'growing' },
        removeOnComplete: { age: 3 * DAY_S, count: 5_000 },
        removeOnFail: { age: 14 * DAY_S, count: 5_000 },
        stackTraceLimit: 3,
      },
    },
    createBackend,
  );
  const watch = watchConnection(log, `queue ${name}`);
  queue.on('error', watch.failed);
  queue.backend.on('ready', watch.recovered);
  return queue;
}

/** The one place that knows where the jobs are kept. A worker waits for a lost server, a producer does not. */
const createBackend: BackendFactory<IQueueBackend, QueueStore> = (name, options, kind) => {
  const { databaseUrl, redisUrl } = options.connection;
  const worker = kind?.withBlockingConnection === true;
  if (redisUrl !== undefined) {
    const uses = worker ? redisOptions.waitForever() : redisOptions.retryOnce();
    const connection = { url: redisUrl, ...uses };
    return createRedisBackend(name, { ...options, connection }, kind);
  }
  const connection = {
    connectionString: databaseUrl,
    schema: SCHEMA,
    max: worker ? 3 : 2,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    statement_timeout: 60 * SECOND_MS,
    ...(worker ? {} : { query_timeout: 10 * SECOND_MS }),
  };
  return createPostgresBackend(name, { ...options, connection }, kind);
};

/** Without its server a close would never end: after a while the connection is cut instead. */
async function closeWithin(
  milliseconds: number,
  connected: { close(): Promise<void>; disconnect(): Promise<void> },
): Promise<void> {
  const closed = connected.close();
  const late = await Promise.race([closed.then(() => false), sleep(milliseconds, true, { ref: false })]);
  if (!late) return;
  closed.catch(() => {}); // It fails for being cut, which is what is wanted.
  connected.disconnect().catch(() => {});
}
