import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import type { Clock } from '../../core/domain/clock.js';
import type { Config } from '../../core/process/config.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import type { Announcements } from '../../core/queues/announcements.js';
import { closeWorker, openWorker, type QueueStore, type Queues } from '../../core/queues/queues.js';
import { placeholderCredentials } from '../feeds/credentials.js';
import type { Feed } from '../feeds/feed.js';
import { openFeedSource } from '../ingest/feed-source.js';
import { blendProcessor } from './blend-job.js';
import { catchUp } from './catch-up.js';
import { ingestProcessor } from './ingest-job.js';
import { type JobObserver, observeJobs } from './observe-jobs.js';
import { startSchedule } from './schedule.js';

export interface JobsDeps {
  config: Config;
  clock: Clock;
  database: Database;
  announcements: Announcements;
  queues: Queues;
  store: QueueStore;
  feeds: ReadonlyMap<string, Feed>;
  log: Logger;
  /** Told of every job that begins and ends here. */
  observer?: JobObserver | undefined;
}

/** Banks asked at a time. Mostly that is waiting for slow hosts; parsing and storing take turns anyhow. */
const INGESTS_AT_ONCE = 8;
const BACKFILLS_AT_ONCE = 5;

/** How long jobs at work may go on once the worker is to stop. */
const FINISH_MS = 4_000;

/** Starts to take jobs, and, unless SCHEDULE is off, to plan them. `close()` finishes them or hands them back. */
export async function startJobs(deps: JobsDeps): Promise<{ close(): Promise<void> }> {
  const { config, database, announcements, queues, store, feeds, log } = deps;
  const stopping = new AbortController();
  const source = await openFeedSource(config, deps.clock, stopping.signal);
  const shared = { database, announcements, queue: queues.ingest, feeds, log };
  const ingests = openWorker(
    'ingest',
    store,
    ingestProcessor({
      ...shared,
      source,
      stopping: stopping.signal,
      backfills: config.SCHEDULE,
      backfillsAtOnce: BACKFILLS_AT_ONCE,
    }),
    { log, concurrency: INGESTS_AT_ONCE },
  );
  const blends = openWorker('blend', store, blendProcessor(shared), { log, concurrency: 1 });
  if (deps.observer) {
    observeJobs(ingests, 'ingest', deps.observer);
    observeJobs(blends, 'blend', deps.observer);
  }
  const stopSchedule = config.SCHEDULE ? plan(deps) : undefined;
  return {
    async close() {
      await stopSchedule?.();
      const timer = setTimeout(() => stopping.abort(), FINISH_MS);
      await Promise.all([closeWorker(ingests), closeWorker(blends)]);
      clearTimeout(timer);
      await source.close();
    },
  };
}

function plan(deps: JobsDeps): () => Promise<void> {
  const { database, queues, feeds, clock, config, log } = deps;
  const variables = config.FEEDS_FROM === undefined ? config : placeholders(feeds);
  const planned = {
    database,
    queue: queues.ingest,
    blend: queues.blend,
    feeds,
    clock,
    variables,
    log,
  };
  catchUp(planned).catch((error: unknown) => {
    // The hourly look asks for what this could not.
    log.warn({ reason: reasonOf(error) }, 'the first look at all providers could not be planned');
  });
  return startSchedule(planned);
}

/** Recordings answer whoever asks. */
function placeholders(feeds: ReadonlyMap<string, Feed>): Record<string, string> {
  return Object.assign({}, ...[...feeds.values()].map(placeholderCredentials));
}
