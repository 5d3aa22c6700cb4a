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
import { keepTrying } from '../concurrency/keep-trying.js';
import { within } from '../concurrency/within.js';
import type { Decision, Proposal } from '../database/decisions.js';
import type { ReadingCounts, RunCounts } from '../database/ingest-runs.js';
import { openQueuePool, prepareQueueTables } from '../database/queue-tables.js';
import { MigrationsMissing } from '../database/schema-compatibility.js';
import type { Consequence } from '../domain/blend/consequence.js';
import type { CalendarDate, DateRange } from '../domain/dates.js';
import { reasonOf, watchConnection } from '../process/connection-errors.js';
import { StartError } from '../process/start-failure.js';
import { pingRedis, redisOptions, redisPrefix, serverOf } from './redis.js';

export type IngestReason = 'schedule' | 'catch-up' | 'backfill' | 'retry' | 'operator';

/** A window of one provider, both ends included. */
export interface IngestJob {
  provider: string;
  from: CalendarDate;
  /** If absent, up to the newest rates that the source has when the job runs. */
  to?: CalendarDate;
  newerThan?: CalendarDate;
  reason: IngestReason;
}

export interface IngestOutcome extends RunCounts, Pick<ReadingCounts, 'rowsSkipped'> {
  /** The ID of the row in `ingest_runs`; null if there was nothing to do. */
  run: string | null;
}

/** A window, both ends included, or all history if null; or an operator's decision. */
export type AppliedBlend = { window: DateRange | null } | { decision: Decision };
/** A job that changes the blends, or a preview of a decision. */
export type BlendJob = AppliedBlend | { preview: Proposal };

/** The data version, if the job made one; for a preview, what the decision would change, or that it could not begin. */
export type BlendOutcome = { version: string | null; preview?: Consequence | 'busy' };

/** Where the jobs are stored: in Redis if a URL is given, else in a schema of their own in the database. */
export interface QueueStore {
  redisUrl?: string | undefined;
  databaseUrl: string;
}

export type JobQueue<Data, Outcome> = ReturnType<typeof openQueue<Data, Outcome>>;
export type IngestQueue = JobQueue<IngestJob, IngestOutcome>;
export type BlendQueue = JobQueue<BlendJob, BlendOutcome>;
export type JobWorker<Data, Outcome> = Worker<Data, Outcome, string, IQueueBackend>;

export type Queues = Awaited<ReturnType<typeof openQueues>>;

interface WorkerOptions {
  log: Logger;
  concurrency: number;
  /** After this time without renewal, another worker may take over a job. Renewed at half of it. */
  lockDurationMs?: number;
  backoff?: (attemptsMade: number) => number;
}

const SECOND_MS = 1_000;
const CLOSE_MS = 2 * SECOND_MS;
const MAX_CLOSE_MS = 7 * SECOND_MS;
const DAY_S = 86_400;
const FIRST_RETRY_MS = 30 * SECOND_MS;
const MAX_RETRY_MS = 3_600 * SECOND_MS;

// Parsing a large workbook blocks the event loop for seconds. The lock must not expire in that time.
const LOCK_MS = 30 * SECOND_MS;

/** How often a job's worker may die before the job fails as the likely cause. */
const MAX_STALLED_COUNT = 3;

/** Throws, as calls do within seconds, while the server is unreachable. */
export async function openQueues(store: QueueStore, { log }: { log: Logger }) {
  if (store.redisUrl === undefined) await prepareQueueTables(store.databaseUrl);
  else await pingRedis(store.redisUrl); // A queue that was never connected to Redis can't be closed.
  const ingest: IngestQueue = openQueue('ingest', store, log);
  const blend: BlendQueue = openQueue('blend', store, log);
  await Promise.all([ingest.waitUntilReady(), blend.waitUntilReady()]);
  return {
    ingest,
    blend,
    /** Throws if jobs can't be stored now, including when the server responds but refuses writes. */
    async tryWrite() {
      await ingest.backend.setQueueMeta({ tried: 1 });
    },
    async close() {
      await Promise.all([ingest, blend].map((queue) => closeWithin(CLOSE_MS, queue)));
    },
  };
}

/** Waits while the server is unreachable or refuses. Throws on abort, and a StartError if waiting can't help. */
export function waitForQueues(store: QueueStore, log: Logger, signal: AbortSignal): Promise<Queues> {
  let logged: string | undefined;
  return keepTrying(() => openQueues(store, { log }), {
    firstPauseMs: SECOND_MS / 2,
    longestPauseMs: 30 * SECOND_MS,
    signal,
    mayRecover: (error) => error instanceof MigrationsMissing || !(error instanceof StartError),
    onFailure(error) {
      const reason = reasonOf(error);
      if (reason === logged) return;
      logged = reason;
      log.warn({ reason }, 'waiting for the queues');
    },
  });
}

/** Waits while the server is lost. Takes over jobs of dead workers within twice the lock. `close()` waits for jobs. */
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
      prefix: redisPrefix(store.redisUrl),
      concurrency: options.concurrency,
      lockDuration,
      stalledInterval: lockDuration / 2,
      maxStalledCount: MAX_STALLED_COUNT,
      runRetryDelay: SECOND_MS,
      autorun: false,
      settings: { backoffStrategy: options.backoff ?? backoffDelay },
    },
    createBackend as BackendFactory<IQueueBackend>,
  );
  const watch = watchConnection(options.log, `queue ${name}`);
  worker.on('error', watch.failed);
  worker.backend.on('ready', watch.recovered);
  worker.on('active', watch.recovered);
  // BullMQ prepares a worker only once, and would repeat its failure in a loop. The process ends instead, and is restarted.
  void worker
    .waitUntilReady()
    .then(() => worker.run())
    .catch((error: unknown) => {
      if (worker.closing === undefined) throw error;
    });
  return worker;
}

/** Stops taking jobs and waits up to seven seconds for running ones. Another worker takes over unfinished jobs. */
export function closeWorker(worker: Connected): Promise<void> {
  return closeWithin(MAX_CLOSE_MS, worker);
}

/** Milliseconds before the next attempt: 15 to 30 seconds at first, doubling each time, up to an hour. */
function backoffDelay(attemptsMade: number): number {
  const longest = Math.min(FIRST_RETRY_MS * 2 ** (attemptsMade - 1), MAX_RETRY_MS);
  return Math.round(longest * (0.5 + Math.random() / 2));
}

function openQueue<Data, Outcome>(name: string, store: QueueStore, log: Logger) {
  const queue = new Queue<Data, Outcome, string, Data, Outcome, string, IQueueBackend, QueueStore>(
    name,
    {
      connection: store,
      prefix: redisPrefix(store.redisUrl),
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

/** A worker waits while the server is lost; calls that add jobs fail. */
const createBackend: BackendFactory<IQueueBackend, QueueStore> = (name, options, kind) => {
  const { databaseUrl, redisUrl } = options.connection;
  const worker = kind?.withBlockingConnection === true;
  if (redisUrl !== undefined) {
    const uses = worker ? redisOptions.waitForever() : redisOptions.retryOnce();
    const connection = { ...uses, ...serverOf(redisUrl) };
    return createRedisBackend(name, { ...options, connection }, kind);
  }
  const pool = openQueuePool(databaseUrl, {
    max: worker ? 4 : 2,
    // A query that times out here must not continue on the server.
    ...(worker
      ? { statement_timeout: 60 * SECOND_MS }
      : { statement_timeout: 10 * SECOND_MS, query_timeout: 10 * SECOND_MS }),
  });
  const backend = createPostgresBackend(name, { ...options, connection: pool }, kind);
  backend.on('close', () => void pool.end());
  return backend;
};

type Connected = Pick<JobWorker<unknown, unknown>, 'close' | 'disconnect'>;

/** Closes, or disconnects after the time limit, because closing never ends while the server is down. */
async function closeWithin(milliseconds: number, connected: Connected): Promise<void> {
  const closed = connected.close().then(() => true);
  // The close rejects later because of the disconnect; nobody waits for it any more.
  if (!(await within(milliseconds, closed, false))) connected.disconnect().catch(() => {});
}
