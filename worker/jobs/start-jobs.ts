import type { Logger } from 'pino';
import { areBlendsOutdated, ProgramOutdated } from '../../core/database/blend-method.js';
import type { Database } from '../../core/database/database.js';
import { inOneView } from '../../core/database/transactions.js';
import { BLEND_METHOD } from '../../core/domain/blend/method.js';
import type { Clock } from '../../core/domain/clock.js';
import type { Config } from '../../core/process/config.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import type { Announcements } from '../../core/queues/announcements.js';
import { enqueueRenewal } from '../../core/queues/enqueue.js';
import { closeWorker, openWorker, type QueueStore, type Queues } from '../../core/queues/queues.js';
import type { Feed } from '../feeds/feed.js';
import type { ReadRates } from '../feeds/reading-threads.js';
import { openFeedSource } from '../ingest/feed-source.js';
import { blendProcessor } from './blend-job.js';
import { catchUp } from './catch-up.js';
import { openFailureLog } from './failure-log.js';
import { ingestProcessor } from './ingest-job.js';
import { type JobObserver, observeJobs } from './observe-jobs.js';
import { pendingJobEnded } from './pending-jobs.js';
import { credentialsIn } from './reading-plan.js';
import { startSchedule } from './schedule.js';

export interface JobsDeps {
  config: Config;
  clock: Clock;
  database: Database;
  announcements: Announcements;
  queues: Queues;
  store: QueueStore;
  feeds: ReadonlyMap<string, Feed>;
  read?: ReadRates;
  log: Logger;
  observer?: JobObserver | undefined;
}

/** Most of the time is spent waiting for slow hosts; parsing and storing take turns in any case. */
const INGESTS_AT_ONCE = 8;
const BACKFILLS_AT_ONCE = 5;

/** Older than this, a run that recorded no rate no longer explains anything. */
const RUNS_KEPT_DAYS = 400;
/** A week of daily backups, of which each is complete. */
const BACKUPS_KEPT = 7;

/** How long running jobs may continue once the worker stops. */
const FINISH_MS = 4_000;

/** Starts processing jobs, and, unless SCHEDULE is off, planning them. `close()` finishes jobs or returns them. */
export async function startJobs(deps: JobsDeps): Promise<{ close(): Promise<void> }> {
  const { config, clock, database, announcements, queues, store, feeds, log } = deps;
  const stopping = new AbortController();
  const source = await openFeedSource(config, clock, stopping.signal);
  const onOutdated = (reason: ProgramOutdated) => {
    if (ingests.isPaused()) return;
    log.error({ reason: reason.message }, 'this worker accepts no more jobs');
    deps.observer?.outdated();
    // Does not wait for running jobs, as the caller is one of them.
    for (const worker of [ingests, blends]) void worker.pause(true);
  };
  const failures = openFailureLog({ database, clock, log });
  const shared = { database, announcements, queue: queues.ingest, feeds, log, onOutdated };
  const ingests = openWorker(
    'ingest',
    store,
    ingestProcessor({
      ...shared,
      ...(deps.read && { read: deps.read }),
      source,
      clock,
      failures,
      stopping: stopping.signal,
      backfills: config.SCHEDULE,
      backfillsAtOnce: BACKFILLS_AT_ONCE,
    }),
    { log, concurrency: INGESTS_AT_ONCE },
  );
  const blends = openWorker('blend', store, blendProcessor(shared), { log, concurrency: 1 });
  const pending = { database, queue: queues.ingest, blend: queues.blend, log };
  ingests.on('completed', ({ id = '', data }) => {
    if (data.reason === 'operator') void pendingJobEnded(pending, id);
  });
  blends.on('completed', ({ id = '' }) => void pendingJobEnded(pending, id));
  if (deps.observer) {
    observeJobs(ingests, 'ingest', deps.observer);
    observeJobs(blends, 'blend', deps.observer);
  }
  await askForRenewal(deps, onOutdated);
  const stopSchedule = config.SCHEDULE ? plan(deps) : undefined;
  return {
    async close() {
      await stopSchedule?.();
      const timer = setTimeout(() => stopping.abort(), FINISH_MS);
      await Promise.all([closeWorker(ingests), closeWorker(blends)]);
      clearTimeout(timer);
      await failures.close();
      await source.close();
    },
  };
}

/** Adds a job that blends all history again if the blends are of an older method than this program's. */
async function askForRenewal(
  { database, queues, log }: JobsDeps,
  onOutdated: (reason: ProgramOutdated) => void,
): Promise<void> {
  try {
    if (!(await inOneView(database, areBlendsOutdated))) return;
    const job = await enqueueRenewal(queues.blend, BLEND_METHOD);
    log.info({ job, method: BLEND_METHOD }, 'all history will be reblended by a newer method');
  } catch (error) {
    if (error instanceof ProgramOutdated) onOutdated(error);
    // The next write renews the blends too.
    else log.warn({ reason: reasonOf(error) }, 'the rebuild by a newer method could not be queued');
  }
}

function plan(deps: JobsDeps): () => Promise<void> {
  const { database, queues, feeds, clock, config, log } = deps;
  const planned = {
    database,
    queue: queues.ingest,
    blend: queues.blend,
    feeds,
    clock,
    variables: credentialsIn(config, feeds),
    runsKeepDays: RUNS_KEPT_DAYS,
    log,
    backups:
      config.BACKUP_DIR === undefined
        ? undefined
        : { database, log, folder: config.BACKUP_DIR, keep: BACKUPS_KEPT },
  };
  catchUp(planned).catch((error: unknown) => {
    // The hourly sweep requests what this could not.
    log.warn({ reason: reasonOf(error) }, 'the first check of all providers could not be queued');
  });
  return startSchedule(planned);
}
