import { ProgramOutdated } from '../core/database/blend-method.js';
import { openDatabase } from '../core/database/database.js';
import { prepareSchema } from '../core/database/migrate.js';
import { waitForDatabase } from '../core/database/wait-for-database.js';
import { awaitDatabase, awaitsDatabase, expectsEmptyDatabase } from '../core/process/awaited-database.js';
import { ConfigurationError, readConfig } from '../core/process/config.js';
import { notifyParent, type Running, runProgram } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { lowerPriority, lowerSessionPriority } from '../core/process/priority.js';
import { openAnnouncements } from '../core/queues/announcements.js';
import { useSources } from '../core/sources/custom-sources.js';
import { claimBlends } from './blend/reblend.js';
import { openWorkerHealth } from './health.js';
import { loadFirstRates, readBlendedRates } from './import/shipped-rates.js';

/** Opens the database with its first data, and then starts the work on it. */
async function startWorker(stopping: AbortSignal): Promise<Running> {
  const given = readConfig(process.env);
  const customSources = useSources(given);
  const shipped = expectsEmptyDatabase ? readBlendedRates() : undefined;
  void shipped?.then(() => notifyParent({ type: 'blended' }));
  const config = readConfig(await awaitDatabase(stopping));
  lowerPriority();
  // A parent gives it a session of its own.
  if (awaitsDatabase) void lowerSessionPriority();
  const databaseUrl = config.DATABASE_URL;
  if (databaseUrl === undefined)
    throw new ConfigurationError('DATABASE_URL: must be set to the postgres:// URL of the database');
  const log = createLogger(config, 'worker');
  const isEmbedded = given.DATABASE_URL === undefined;
  const database = openDatabase(databaseUrl, { log, lowersPriority: isEmbedded });
  const health = await openWorkerHealth({ port: config.ADMIN_PORT, host: config.HOST, database, log });
  const prepare = () => prepareSchema(database, { access: 'write', log, signal: stopping });
  await waitForDatabase(database, log, { signal: stopping, prepare });

  const { REDIS_URL: redisUrl } = config;
  const announcements = await openAnnouncements({ database, redisUrl, log });
  const claimed = await claimBlends(database, log, () => stopping.throwIfAborted()).catch(ifOutdated);
  if (claimed !== undefined) await announcements.publish(claimed);
  const begins = config.BOOTSTRAP;
  const load = () => loadFirstRates({ database, begins, shipped, announcements, log });
  await waitForDatabase(database, log, { signal: stopping, prepare: load });

  // Loading these modules earlier would delay the newest rates.
  const { startWork } = await import('./work.js');
  const store = { databaseUrl, redisUrl };
  const work = await startWork({
    config,
    customSources,
    database,
    announcements,
    store,
    health,
    log,
    stopping,
  });
  return {
    ended: health.ended,
    async close() {
      await health.close();
      await work.close();
      await announcements.close();
      await database.close();
    },
  };
}

/** A worker that is outdated runs, but takes no jobs. */
function ifOutdated(error: unknown): undefined {
  if (!(error instanceof ProgramOutdated)) throw error;
}

await runProgram(startWorker);
