import type { EventEmitter } from 'node:events';
import { type ScheduledTask, schedule as scheduleTask } from 'node-cron';
import { areBlendsOutdated, ProgramOutdated } from '../../core/database/blend-method.js';
import { pruneRuns } from '../../core/database/ingest-runs.js';
import { inOneView } from '../../core/database/transactions.js';
import { addDays, toCalendarDate } from '../../core/domain/dates.js';
import type { Config } from '../../core/process/config.js';
import { logAsWarning } from '../../core/process/connection-errors.js';
import type { Announcements } from '../../core/queues/announcements.js';
import { enqueueBlend } from '../../core/queues/enqueue.js';
import { closeWorker, openWorker, type QueueStore } from '../../core/queues/queues.js';
import { backUpDaily, backUpOnRequest, type DailyBackups } from '../backup/daily.js';
import type { ReadRates } from '../feeds/reading-threads.js';
import { openFeedSource } from '../ingest/feed-source.js';
import { blendProcessor } from './blend-job.js';
import { catchUp, instantOf, type PlanDeps, poll, sourcesOf, sweep } from './catch-up.js';
import { openFailureLog } from './failure-log.js';
import { ingestProcessor } from './ingest-job.js';
import { pendingJobEnded, restorePendingJobs } from './pending-jobs.js';
import { retrySetAside } from './set-aside.js';

export interface JobsDeps extends PlanDeps {
  config: Config;
  announcements: Announcements;
  store: QueueStore;
  read?: ReadRates;
  health?: {
    observe(queue: 'ingest' | 'blend', worker: Pick<EventEmitter, 'on'>): void;
    outdated(): void;
  };
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
    deps.health?.outdated();
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
  deps.health?.observe('ingest', ingests);
  deps.health?.observe('blend', blends);
  // Before a source is read whose rates could not be stored. Any other error is that of the first job too.
  await inOneView(deps.database, areBlendsOutdated).catch((error: unknown) => {
    if (error instanceof ProgramOutdated) onOutdated(error);
  });
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

function plan(deps: JobsDeps): () => Promise<void> {
  const { BACKUP_DIR: folder } = deps.config;
  // The hourly sweep requests what this could not.
  catchUp(deps).catch(logAsWarning(deps.log, 'the first check of all providers could not be queued'));
  const backups = folder === undefined ? undefined : { ...deps, folder, keep: BACKUPS_KEPT };
  return startSchedule({ ...deps, backups });
}

// Parsing a large file may delay a slot by seconds, which must not count as missed.
const TOLERANCE_MS = 120_000;

const EVERY_MINUTE = '* * * * *';
const REBLENDED_DAYS = 14;
const DAY_MS = 86_400_000;

export interface ScheduleDeps extends PlanDeps {
  backups?: DailyBackups | undefined;
}

/**
 * Requests rates at each `publish_schedule`, blends the last 14 days again every night, looks for missed requests hourly and
 * every minute for lost jobs and requests of operators, retries set-aside windows daily, and deletes old runs. Jobs are
 * named by their slot, so any number of workers may do so. Returns a function that stops it.
 */
export function startSchedule(deps: ScheduleDeps): () => Promise<void> {
  const tasks: ScheduledTask[] = [];
  const at = (cron: string, name: string, work: (slot: Date) => Promise<void>) => {
    // The queue or the database is unavailable. The next slot, or the hourly sweep, makes up for it.
    const logFailure = logAsWarning(deps.log, 'a scheduled task failed', { task: name });
    tasks.push(
      scheduleTask(cron, ({ date }) => work(date).catch(logFailure), {
        name,
        timezone: 'UTC',
        missedExecutionTolerance: TOLERANCE_MS,
        logger: deps.log,
      }),
    );
  };

  for (const source of sourcesOf(deps)) {
    const { key, publish_schedule } = source.provider;
    if (publish_schedule === null) continue;
    at(publish_schedule, key, (slot) => poll(deps, source, slot));
  }
  at('37 * * * *', 'hourly sweep', (slot) => sweep(deps, slot));
  const { backups } = deps;
  if (backups) {
    at('47 * * * *', 'daily backup', (now) => backUpDaily(backups, now));
    at(EVERY_MINUTE, 'backup on request', (now) => backUpOnRequest(backups, now));
  }
  at('7 5 * * *', 'retry of what is set aside', async (slot) => {
    const keys = new Set(sourcesOf(deps).map(({ provider }) => provider.key));
    await retrySetAside(deps, keys, toCalendarDate(slot));
  });
  at(EVERY_MINUTE, 'jobs of operators', () => restorePendingJobs(deps));
  at('17 3 * * *', 'nightly blend', async (slot) => {
    const window = nightlyWindow(slot);
    await enqueueBlend(deps.queues.blend, { window }, `blend-nightly-${instantOf(slot)}`);
  });
  at('47 4 * * *', 'pruning of runs', async (slot) => {
    const runs = await pruneRuns(deps.database, new Date(slot.getTime() - RUNS_KEPT_DAYS * DAY_MS));
    if (runs > 0) deps.log.info({ runs }, 'deleted old runs that recorded no rate');
  });
  return async () => {
    await Promise.all(tasks.map((task) => task.destroy()));
  };
}

/** The days to blend again at night: the last two weeks, and days dated ahead. */
export function nightlyWindow(now: Date): { from: string; to: string } {
  const day = toCalendarDate(now);
  return { from: addDays(day, -REBLENDED_DAYS), to: addDays(day, 2) };
}
