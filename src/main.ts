import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { type Database, openDatabase } from '../core/database/database.js';
import { prepareSchema } from '../core/database/migrate.js';
import { waitForDatabase } from '../core/database/wait-for-database.js';
import { systemClock } from '../core/domain/clock.js';
import { fromDayNumber } from '../core/domain/dates.js';
import { type Config, ConfigurationError, readConfig } from '../core/process/config.js';
import { type Running, runProgram, tellParent } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { keepNextTickFast } from '../core/process/next-tick.js';
import { openFilesLimit } from '../core/process/open-files.js';
import { firstRatesFile } from '../core/process/project-files.js';
import { openAnnouncements } from '../core/queues/announcements.js';
import { refuseClusters } from '../core/queues/redis.js';
import { useSources } from '../core/sources/own-sources.js';
import { openLocalCopy } from './cache/local-copy.js';
import { openCache } from './cache/shared-cache.js';
import { openCatalogueHolder } from './catalogue/holder.js';
import { withinOpenFiles } from './http/connections.js';
import { seedPhrases } from './no/seed-phrases.js';
import { openSnapshotHolder } from './rates/snapshot/snapshot-holder.js';
import { closeServer, createApiServer, listen } from './server.js';

/*
 * V8 allocates objects right in the old generation where those of the same place in the code have mostly survived
 * collections. Requests that wait together look so for a moment. Their objects die young all the same, but until the next
 * full collection keep alive what they refer to, which makes more places look so: after some seconds a tenth of all
 * that requests allocate was moved to the old generation, for a quarter of the throughput.
 */
setFlagsFromString('--no-allocation-site-pretenuring');
/*
 * The old generation grows by half of what is alive before it is collected. By V8's own choice it became four times as
 * large under load: beside twenty expensive requests, 260 MB of garbage instead of 110, for the same throughput.
 */
setFlagsFromString('--heap-growing-percent=50');

/**
 * The API as a program. It listens once it serves rates, so that a proxy uses another API until then; or once it is
 * known that they have to wait, for the database or for first rates: routes that need neither then work, and with a local copy
 * all that are served from memory.
 */
async function startApi(config: Config, stopping: AbortSignal): Promise<Running> {
  useSources(config);
  const databaseUrl = config.DATABASE_URL;
  if (databaseUrl === undefined)
    throw new ConfigurationError('DATABASE_URL: must be set to the postgres:// URL of the database');
  const log = createLogger(config, 'api');
  const database = openDatabase(databaseUrl, { log, connections: config.DATABASE_CONNECTIONS });
  let prepared = Promise.resolve();
  const waiting = new Promise<void>((resolve) => {
    prepared = prepareDatabase(database, { config, log }, { signal: stopping, onWaiting: resolve });
  });
  prepared.catch(() => undefined); // Awaited below.

  const { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix } = config;
  const cache = openCache({
    redisUrl: config.REDIS_CACHE_URL ?? redisUrl,
    redisPrefix,
    unboundedBytes: config.REDIS_CACHE_BYTES,
    log,
  });
  const redisTried = refuseClusters([redisUrl, config.REDIS_CACHE_URL]);
  redisTried.catch(() => undefined); // Awaited below: an API that serves does not wait for Redis.
  const announcements = await openAnnouncements({ database, redisUrl, redisPrefix, log });
  const reading = { database, announcements, log, after: prepared };
  const copyOf = (name: string) =>
    config.SNAPSHOT_DIR === undefined
      ? undefined
      : openLocalCopy(name, { folder: config.SNAPSHOT_DIR, databaseUrl, log });
  const snapshot = openSnapshotHolder({
    ...reading,
    copy: copyOf('rates'),
    // The worker, which has the same configuration, loads them into an empty database.
    expectsFirstRates: config.BOOTSTRAP && existsSync(firstRatesFile),
  });
  const catalogue = openCatalogueHolder({ ...reading, copy: copyOf('catalogue') });
  // The rest of the program is read in while the database responds.
  let isDraining = false;
  const { openService } = await import('./service.js');
  const service = openService(
    { config, clock: systemClock, log, database, cache, snapshot, catalogue, isDraining: () => isDraining },
    databaseUrl,
  );
  const limits = { keepAliveTimeout: config.KEEP_ALIVE_SECONDS * 1_000 };
  const openFiles = await openFilesLimit();
  const connections = withinOpenFiles(config, openFiles);
  if (connections !== config) {
    const { MAX_CONNECTIONS: most, MAX_CONNECTIONS_PER_CLIENT: perClient } = connections;
    log.warn(
      { openFiles, most, perClient },
      'fewer connections than MAX_CONNECTIONS: the limit of open files is too low',
    );
  }
  const server = createApiServer(service.handler, { limits, connections });
  server.on('connection', service.noteConnection);
  const operators = createApiServer((request, response) => service.operators?.(request, response), {
    limits,
  });
  await Promise.race([
    waiting.then(() => Promise.all([snapshot.fallBack(), catalogue.fallBack()])),
    prepared.then(() => Promise.all([snapshot.tried(), catalogue.tried()])),
  ]);
  const url = await listen(server, config.PORT, config.HOST);
  if (config.ADMIN_PORT !== undefined) {
    log.info({ url: await listen(operators, config.ADMIN_PORT, config.HOST) }, 'listening for operators');
  }
  await prepared;
  await redisTried;

  // A stop that comes before the first snapshot closes the holder, which settles this too.
  void snapshot.ready().then(() => {
    log.info({ url }, `listening, try ${url}/v2/rates?quotes=USD,GBP,JPY`);
    const newest = snapshot.current()?.days.days.at(-1);
    tellParent({ type: 'listening', url, newest: newest === undefined ? undefined : fromDayNumber(newest) });
  });
  const drainMs = config.DRAIN_SECONDS * 1_000;
  return {
    extraCloseMs: drainMs,
    async close({ drains }) {
      isDraining = true;
      if (drains) await delay(drainMs);
      await Promise.all([closeServer(server), ...(operators.listening ? [closeServer(operators)] : [])]);
      await Promise.all([snapshot.close(), catalogue.close(), announcements.close(), service.close()]);
      await Promise.all([cache.close(), database.close()]);
    },
  };
}

/** Waits for the database, migrates it, and fills in what ships with the API, unless it is only to be read. */
async function prepareDatabase(
  database: Database,
  { config, log }: { config: Pick<Config, 'MIGRATE' | 'READ_ONLY'>; log: Logger },
  wait: Parameters<typeof waitForDatabase>[2],
): Promise<void> {
  const prepare = async () => {
    const migrate = config.MIGRATE && !config.READ_ONLY;
    await prepareSchema(database, { migrate, access: 'read', log, signal: wait.signal });
    if (!config.READ_ONLY) await seedPhrases(database);
  };
  await waitForDatabase(database, log, { ...wait, prepare });
}

/** One process of the API, or the one that runs several of them. */
async function start(stopping: AbortSignal): Promise<Running> {
  const config = readConfig(process.env);
  if (config.API_PROCESSES === 1) return startApi(config, stopping);
  const { shareOf, startProcesses } = await import('./processes.js');
  return cluster.isPrimary ? startProcesses(config, stopping) : startApi(shareOf(config), stopping);
}

keepNextTickFast();
await runProgram(start);
