import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openDatabase } from '../core/database/database.js';
import { applyMigrations } from '../core/database/migrate.js';
import { reachDatabase } from '../core/database/wait-for-database.js';
import { systemClock } from '../core/domain/clock.js';
import { type Config, ConfigurationError, readConfig } from '../core/process/config.js';
import { reasonOf } from '../core/process/connection-errors.js';
import { type Running, runProgram } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { openAnnouncements } from '../core/queues/announcements.js';
import { openQueues, type QueueStore, type Queues } from '../core/queues/queues.js';
import { loadFeeds } from './feeds/registry.js';
import { bootstrap } from './import/bootstrap.js';
import { startJobs } from './jobs/start-jobs.js';

await runProgram(() => startWorker(readConfig(process.env)));

/** The worker as a program: the database, its first data, the queues, those who work on them, and what plans work. */
async function startWorker(config: Config): Promise<Running> {
  if (config.DATABASE_URL === undefined)
    throw new ConfigurationError('DATABASE_URL: must be set to the postgres:// URL of the database');
  const log = createLogger(config, 'worker');
  const database = openDatabase(config.DATABASE_URL, { log });
  await reachDatabase(database, log);
  const migrations = await applyMigrations(database);
  if (migrations.length > 0) log.info({ migrations }, 'database migrated');

  const redisUrl = config.REDIS_URL;
  const announcements = await openAnnouncements({ database, redisUrl, log });
  if (config.BOOTSTRAP) {
    const loaded = await bootstrap(database, log, { clock: systemClock });
    if (loaded?.version !== undefined) await announcements.publish(loaded.version);
  }

  const store: QueueStore = { databaseUrl: config.DATABASE_URL, redisUrl };
  const queues = await reachQueues(store, log);
  const feeds = await loadFeeds();
  const jobs = await startJobs({
    config,
    clock: systemClock,
    database,
    announcements,
    queues,
    store,
    feeds,
    log,
  });
  log.info({ feeds: feeds.size, schedule: config.SCHEDULE ? 'on' : 'off' }, 'worker is at work');
  return {
    async close() {
      await jobs.close();
      await queues.close();
      await announcements.close();
      await database.close();
    },
  };
}

const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Waits for the queues' server: without it there is nothing for a worker to do. */
async function reachQueues(store: QueueStore, log: Logger): Promise<Queues> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await openQueues(store, { log });
    } catch (error) {
      if (attempt === 1) log.warn({ reason: reasonOf(error) }, 'waiting for the queues');
      await sleep(Math.min(PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS));
    }
  }
}
