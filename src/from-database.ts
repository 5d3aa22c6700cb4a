import { existsSync } from 'node:fs';
import { type Database, openDatabase } from '../core/database/database.js';
import { prepareSchema } from '../core/database/migrate.js';
import { waitForDatabase } from '../core/database/wait-for-database.js';
import { ConfigurationError } from '../core/process/config.js';
import { firstRatesFile } from '../core/process/project-files.js';
import { openAnnouncements } from '../core/queues/announcements.js';
import { refuseClusters } from '../core/queues/redis.js';
import { useSources } from '../core/sources/custom-sources.js';
import { openLocalCopy } from './cache/local-copy.js';
import { openCache } from './cache/shared-cache.js';
import { openCatalogueHolder } from './catalogue/holder.js';
import { seedPhrases } from './no/seed-phrases.js';
import { openSnapshotHolder } from './rates/snapshot/snapshot-holder.js';
import type { Program, Served } from './served.js';

/** Runs the API on PostgreSQL, with Redis if configured. */
export async function serveFromDatabase(program: Program, stopping: AbortSignal): Promise<Served> {
  const { config, log } = program;
  useSources(config);
  const databaseUrl = config.DATABASE_URL;
  if (databaseUrl === undefined)
    throw new ConfigurationError('DATABASE_URL: must be set to the postgres:// URL of the database');
  const { own: connections, ofThread: threadConnections } = sharesOfConnections(config);
  const database = openDatabase(databaseUrl, { log, connections });
  let prepared = Promise.resolve();
  const waiting = new Promise<void>((resolve) => {
    prepared = prepareDatabase(database, program, { signal: stopping, onWaiting: resolve });
  });
  prepared.catch(() => undefined); // Awaited by the caller through `ready`.

  const { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix } = config;
  const cache = openCache({
    redisUrl: config.REDIS_CACHE_URL ?? redisUrl,
    redisPrefix,
    unboundedBytes: config.REDIS_CACHE_BYTES,
    log,
  });
  const redisTried = refuseClusters([redisUrl, config.REDIS_CACHE_URL]);
  redisTried.catch(() => undefined); // Awaited with the rest: the API starts to serve without waiting for Redis.
  const announcements = await openAnnouncements({ database, redisUrl, redisPrefix, log });
  const holders = openHolders({ database, announcements, log, after: prepared }, databaseUrl, config);
  const { snapshot, catalogue } = holders;
  // The other modules are loaded while the database responds.
  const { openDatabaseService } = await import('./database-service.js');
  const given = { ...program, ...holders, database, cache, threadConnections };
  const service = openDatabaseService(given, databaseUrl);
  const startupCheck = Promise.all([prepared, redisTried]);
  startupCheck.catch(() => undefined);
  const ready = Promise.race([
    waiting.then(() => Promise.all([snapshot.fallBack(), catalogue.fallBack()])),
    prepared.then(() => Promise.all([snapshot.tried(), catalogue.tried()])),
  ]);
  ready.catch(() => undefined);
  return {
    service,
    snapshot,
    ready,
    startupCheck,
    async close() {
      await Promise.all([snapshot.close(), catalogue.close(), announcements.close(), service.close()]);
      await Promise.all([cache.close(), database.close()]);
    },
  };
}

/** Opens the holders of the data in memory, with local copies if a folder for them is configured. */
function openHolders(
  reading: Omit<Parameters<typeof openCatalogueHolder>[0], 'copy'>,
  databaseUrl: string,
  config: Program['config'],
) {
  const { SNAPSHOT_DIR: folder, BOOTSTRAP } = config;
  const copyOf = (name: string) =>
    folder === undefined ? undefined : openLocalCopy(name, { folder, databaseUrl, log: reading.log });
  return {
    snapshot: openSnapshotHolder({
      ...reading,
      copy: copyOf('rates'),
      // The worker, which has the same configuration, loads them into an empty database.
      expectsFirstRates: BOOTSTRAP && existsSync(firstRatesFile),
    }),
    catalogue: openCatalogueHolder({ ...reading, copy: copyOf('catalogue') }),
  };
}

/** Startup takes an advisory lock on one connection and reads on another. */
const OWN_CONNECTIONS = 2;

/**
 * Half of the connections belong to the threads that make contents: at least one to each, and at least two to the API
 * itself.
 */
function sharesOfConnections({ DATABASE_CONNECTIONS: all, RENDER_THREADS: threads }: Program['config']): {
  own: number;
  ofThread: number;
} {
  if (threads === 0) return { own: all, ofThread: 0 };
  const ofThread = Math.max(1, Math.floor(all / 2 / threads));
  return { own: Math.max(OWN_CONNECTIONS, all - threads * ofThread), ofThread };
}

/** Waits for the database, migrates it, and seeds it with the built-in data, unless it is read-only. */
async function prepareDatabase(
  database: Database,
  { config, log }: Pick<Program, 'config' | 'log'>,
  wait: Parameters<typeof waitForDatabase>[2],
): Promise<void> {
  const prepare = async () => {
    const migrate = config.MIGRATE && !config.READ_ONLY;
    await prepareSchema(database, { migrate, access: 'read', log, signal: wait.signal });
    if (!config.READ_ONLY) await seedPhrases(database);
  };
  await waitForDatabase(database, log, { ...wait, prepare });
}
