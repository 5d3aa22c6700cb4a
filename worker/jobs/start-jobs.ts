import { areBlendsOutdated, ProgramOutdated } from '../../core/database/blend-method.js';
import { inOneView } from '../../core/database/transactions.js';
import { BLEND_METHOD } from '../../core/domain/blend/method.js';
import type { Config } from '../../core/process/config.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import type { Announcements } from '../../core/queues/announcements.js';
import { enqueueRenewal } from '../../core/queues/enqueue.js';
import { closeWorker, openWorker, type QueueStore } from '../../core/queues/queues.js';
import type { ReadRates } from '../feeds/reading-threads.js';
import { openFeedSource } from '../ingest/feed-source.js';
import { blendProcessor } from './blend-job.js';
import { catchUp, type PlanDeps } from './catch-up.js';
import { openFailureLog } from './failure-log.js';
import { ingestProcessor } from './ingest-job.js';
import { type JobObserver, observeJobs } from './observe-jobs.js';
import { pendingJobEnded } from './pending-jobs.js';
import { credentialsIn } from './reading-plan.js';
import { startSchedule } from './schedule.js';

export interface JobsDeps extends Omit<PlanDeps, 'variables'> {
  config: Config;
  announcements: Announcements;
  store: QueueStore;
  read?: ReadRates;
  observer?: JobObserver;
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
  const { config, clock, store, log } = deps;
  const stopping = new AbortController();
  const source = await openFeedSource(config, clock, stopping.signal);
  const onOutdated = (reason: ProgramOutdated) => {
    if (ingests.isPaused()) return;
    log.error({ reason: reason.message }, 'this worker accepts no more jobs');
    deps.observer?.outdated();
    // Does not wait for running jobs, as the caller is one of them.
    for (const worker of [ingests, blends]) void worker.pause(true);
  };
  const failures = openFailureLog(deps);
  const ingest = ingestProcessor({
    ...deps,
    source,
    failures,
    onOutdated,
    stopping: stopping.signal,
    backfills: config.SCHEDULE,
    backfillsAtOnce: BACKFILLS_AT_ONCE,
  });
  const ingests = openWorker('ingest', store, ingest, { log, concurrency: INGESTS_AT_ONCE });
  const blend = blendProcessor({ ...deps, onOutdated });
  const blends = openWorker('blend', store, blend, { log, concurrency: 1 });
  ingests.on('completed', ({ id = '', data }) => {
    if (data.reason === 'operator') void pendingJobEnded(deps, id);
  });
  blends.on('completed', ({ id = '' }) => void pendingJobEnded(deps, id));
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
  const { config, feeds, log } = deps;
  const folder = config.BACKUP_DIR;
  const planned = {
    ...deps,
    variables: credentialsIn(config, feeds),
    runsKeepDays: RUNS_KEPT_DAYS,
    backups: folder === undefined ? undefined : { ...deps, folder, keep: BACKUPS_KEPT },
  };
  catchUp(planned).catch((error: unknown) => {
    // The hourly sweep requests what this could not.
    log.warn({ reason: reasonOf(error) }, 'the first check of all providers could not be queued');
  });
  return startSchedule(planned);
}
