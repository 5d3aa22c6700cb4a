import { openDatabase } from '../core/database/database.js';
import { prepareSchema } from '../core/database/migrate.js';
import { waitForDatabase } from '../core/database/wait-for-database.js';
import { systemClock } from '../core/domain/clock.js';
import { exceptedProviders } from '../core/domain/providers.js';
import { awaitDatabase } from '../core/process/awaited-database.js';
import { ConfigurationError, readConfig } from '../core/process/config.js';
import { type Running, runProgram } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { lowerPriority, NICENESS } from '../core/process/priority.js';
import { warnOfRemoved } from '../core/process/removed-settings.js';
import { openAnnouncements } from '../core/queues/announcements.js';
import type { QueueStore } from '../core/queues/queues.js';
import { waitForQueues } from '../core/queues/wait-for-queues.js';
import { useSources } from '../core/sources/custom-sources.js';
import { claimBlends } from './blend/reblend.js';
import { openReadingThreads } from './feeds/reading-threads.js';
import { loadFeeds } from './feeds/registry.js';
import { openWorkerHealth } from './health.js';
import { loadFirstRates } from './import/load-first-rates.js';
import { startPublishLoop } from './jobs/publishing.js';
import { keepReadingPlan } from './jobs/reading-plan.js';
import { startJobs } from './jobs/start-jobs.js';

/** Starts the worker: opens the database with its first data and the queues, processes jobs and plans them. */
async function startWorker(stopping: AbortSignal): Promise<Running> {
  const config = readConfig(await awaitDatabase(stopping));
  lowerPriority(NICENESS.worker);
  const customSources = useSources(config);
  const databaseUrl = config.DATABASE_URL;
  if (databaseUrl === undefined)
    throw new ConfigurationError('DATABASE_URL: must be set to the postgres:// URL of the database');
  const log = createLogger(config, 'worker');
  warnOfRemoved(process.env, log);
  const database = openDatabase(databaseUrl, { log, connections: config.DATABASE_CONNECTIONS });
  const health = await openWorkerHealth({ port: config.ADMIN_PORT, host: config.HOST, database, log });
  const prepare = () =>
    prepareSchema(database, { migrate: config.MIGRATE, access: 'write', log, signal: stopping });
  await waitForDatabase(database, log, { signal: stopping, prepare });
  const feeds = await loadFeeds();
  const readingPlan = await keepReadingPlan({ config, clock: systemClock, feeds, database, log });

  const redis = { redisUrl: config.REDIS_URL, redisPrefix: config.REDIS_PREFIX };
  const announcements = await openAnnouncements({ database, ...redis, log });
  const takenOver = await claimBlends(database, () => stopping.throwIfAborted());
  if (takenOver !== undefined) {
    await announcements.publish(takenOver);
    log.info({ except: exceptedProviders() }, 'reblending all history without the excepted providers');
  }
  const load = () => loadFirstRates(database, { begins: config.BOOTSTRAP, announcements, log });
  await waitForDatabase(database, log, { signal: stopping, prepare: load });

  const store: QueueStore = { databaseUrl, migrate: config.MIGRATE, ...redis };
  const queues = await waitForQueues(store, log, stopping);
  const threads = openReadingThreads({ customSources, logLevel: config.LOG_LEVEL });
  const jobs = await startJobs({
    config,
    clock: systemClock,
    database,
    announcements,
    queues,
    store,
    feeds,
    read: threads.read,
    log,
    observer: health.observer,
  });
  const publishing = await startPublishLoop({ config, database, clock: systemClock, log });
  health.working(queues);
  if (customSources.length > 0)
    log.info({ providers: customSources.map(({ key }) => key) }, 'custom sources');
  log.info({ feeds: feeds.size, schedule: config.SCHEDULE ? 'on' : 'off' }, 'worker is running');
  return {
    ended: health.ended,
    async close() {
      await health.close();
      await readingPlan.close();
      await publishing.close();
      await jobs.close();
      await threads.close();
      await queues.close();
      await announcements.close();
      await database.close();
    },
  };
}

await runProgram(startWorker);
