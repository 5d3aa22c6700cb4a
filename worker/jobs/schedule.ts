import { type ScheduledTask, schedule as scheduleTask } from 'node-cron';
import { pruneRuns } from '../../core/database/ingest-runs.js';
import { addDays, toCalendarDate } from '../../core/domain/dates.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { enqueueBlend } from '../../core/queues/enqueue.js';
import { backUpDaily, backUpOnRequest, type DailyBackups } from '../backup/daily.js';
import { instantOf, type PlanDeps, poll, sourcesOf, sweep } from './catch-up.js';
import { restorePendingJobs } from './pending-jobs.js';
import { retrySetAside } from './set-aside.js';

// Parsing a large file may delay a slot by seconds, which must not count as missed.
const TOLERANCE_MS = 120_000;

const NIGHTLY = '17 3 * * *';
const HOURLY = '37 * * * *';
const RETRY = '7 5 * * *';
const EVERY_MINUTE = '* * * * *';
const DAILY = '47 4 * * *';
const BACKUP = '47 * * * *';
const REBLENDED_DAYS = 14;
const DAY_MS = 86_400_000;

export interface ScheduleDeps extends PlanDeps {
  backups?: DailyBackups | undefined;
  /** How many days to keep runs that recorded no rate. */
  runsKeepDays: number;
}

/**
 * Requests rates at each `publish_schedule`, blends the last 14 days again every night, looks for missed requests hourly and
 * every minute for lost jobs and requests of operators, retries set-aside windows daily, and deletes old runs. Jobs are
 * named by their slot, so any number of workers may do so. Returns a function that stops it.
 */
export function startSchedule(deps: ScheduleDeps): () => Promise<void> {
  const tasks: ScheduledTask[] = [];
  const at = (cron: string, name: string, work: (slot: Date) => Promise<void>) => {
    const run = async ({ date }: { date: Date }) => {
      try {
        await work(date);
      } catch (error) {
        // The queue or the database is unavailable. The next slot, or the hourly sweep, makes up for it.
        deps.log.warn({ task: name, reason: reasonOf(error) }, 'a scheduled task failed');
      }
    };
    tasks.push(
      scheduleTask(cron, run, {
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
  at(HOURLY, 'hourly sweep', (slot) => sweep(deps, slot));
  const { backups } = deps;
  if (backups) {
    at(BACKUP, 'daily backup', (now) => backUpDaily(backups, now));
    at(EVERY_MINUTE, 'backup on request', (now) => backUpOnRequest(backups, now));
  }
  at(RETRY, 'retry of what is set aside', (slot) => {
    const keys = new Set(sourcesOf(deps).map(({ provider }) => provider.key));
    return retrySetAside(deps, keys, toCalendarDate(slot));
  });
  at(EVERY_MINUTE, 'jobs of operators', () => restorePendingJobs(deps));
  at(NIGHTLY, 'nightly blend', async (slot) => {
    await enqueueBlend(deps.queues.blend, nightlyWindow(slot), `blend-nightly-${instantOf(slot)}`);
  });
  at(DAILY, 'pruning of runs', async (slot) => {
    const runs = await pruneRuns(deps.database, new Date(slot.getTime() - deps.runsKeepDays * DAY_MS));
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
