import { createGate } from '../core/concurrency/gate.js';
import {
  type Database,
  openDatabase,
  POOL_CONNECTIONS,
  THREAD_CONNECTIONS,
} from '../core/database/database.js';
import { isReadOnly } from '../core/database/errors.js';
import { prepareSchema } from '../core/database/migrate.js';
import { fillEmptyPhrases } from '../core/database/refusal-phrases.js';
import { waitForDatabase } from '../core/database/wait-for-database.js';
import { ConfigurationError } from '../core/process/config.js';
import { openAnnouncements } from '../core/queues/announcements.js';
import { refuseUnusable } from '../core/queues/redis.js';
import { useSources } from '../core/sources/custom-sources.js';
import type { Program, Served } from './app.js';
import { openLocalCopy } from './cache/local-copy.js';
import { openCache } from './cache/shared-cache.js';
import { openCatalogueHolder } from './catalogue/holder.js';
import { readPhrases } from './no/no-routes.js';
import { inThread } from './rates/in-thread.js';
import { receivedSnapshot } from './rates/snapshot/snapshot.js';
import { openSnapshotHolder } from './rates/snapshot/snapshot-holder.js';

/** Runs the API on PostgreSQL, with Redis if configured. */
export async function serveFromDatabase(program: Program, stopping: AbortSignal): Promise<Served> {
  const { config, log } = program;
  useSources(config);
  const databaseUrl = config.DATABASE_URL;
  if (databaseUrl === undefined)
    throw new ConfigurationError('DATABASE_URL: must be set to the postgres:// URL of the database');
  // One is for the thread that refreshes the rates of many days.
  const connections = POOL_CONNECTIONS - THREAD_CONNECTIONS - 1;
  const database = openDatabase(databaseUrl, { log, connections });
  const waiting = createGate();
  const prepared = prepareDatabase(database, program, { signal: stopping, onWaiting: waiting.open });
  prepared.catch(() => undefined); // Awaited by the caller through `ready`.

  const { REDIS_URL: redisUrl } = config;
  const cache = openCache({ redisUrl, log });
  const redisTried = redisUrl === undefined ? undefined : refuseUnusable(redisUrl);
  redisTried?.catch(() => undefined); // Awaited with the rest: the API starts to serve without waiting for Redis.
  const announcements = await openAnnouncements({ database, redisUrl, log });
  const holders = openHolders({ database, announcements, log, after: prepared }, databaseUrl, config);
  const { snapshot, catalogue } = holders;
  // The other modules are loaded while the database responds.
  const { openDatabaseService } = await import('./database-service.js');
  const given = { ...program, ...holders, database, cache };
  const service = openDatabaseService(given, databaseUrl);
  const startupCheck = Promise.all([prepared, redisTried]);
  startupCheck.catch(() => undefined);
  const ready = Promise.race([
    waiting.opened.then(() => Promise.all([snapshot.fallBack(), catalogue.fallBack()])),
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

function openHolders(
  reading: Omit<Parameters<typeof openCatalogueHolder>[0], 'copy'>,
  databaseUrl: string,
  config: Program['config'],
) {
  const { DATA_DIR: folder, BOOTSTRAP } = config;
  const copyOf = (name: string) =>
    folder === undefined ? undefined : openLocalCopy(name, { folder, databaseUrl, log: reading.log });
  return {
    snapshot: openSnapshotHolder({
      ...reading,
      copy: copyOf('rates'),
      // The worker, which has the same configuration, loads them into an empty database.
      expectsFirstRates: BOOTSTRAP,
      refreshMany: async (current) => receivedSnapshot(await inThread('refresh', { databaseUrl, current })),
    }),
    catalogue: openCatalogueHolder({ ...reading, copy: copyOf('catalogue') }),
  };
}

/** A replica is neither migrated nor seeded. */
async function prepareDatabase(
  database: Database,
  { log }: Pick<Program, 'log'>,
  wait: Parameters<typeof waitForDatabase>[2],
): Promise<void> {
  const prepare = async () => {
    await prepareSchema(database, { access: 'read', log, signal: wait.signal });
    await fillEmptyPhrases(database, readPhrases()).catch((error: unknown) => {
      if (!isReadOnly(error)) throw error;
    });
  };
  await waitForDatabase(database, log, { ...wait, prepare });
}
