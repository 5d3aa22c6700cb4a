import { openDatabase } from '../core/database/database.js';
import { applyMigrations } from '../core/database/migrate.js';
import { reachDatabase } from '../core/database/wait-for-database.js';
import { systemClock } from '../core/domain/clock.js';
import { ConfigurationError, readConfig } from '../core/process/config.js';
import { type Running, runProgram, tellParent } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { openAnnouncements } from '../core/queues/announcements.js';
import type { App } from './app.js';
import { openCatalogueHolder } from './catalogue/holder.js';
import { openSnapshotHolder } from './rates/snapshot/snapshot-holder.js';
import { seedPhrases } from './refusal/seed-phrases.js';
import { closeServer, createApiServer, listen } from './server.js';
import { openCache } from './shared-cache.js';
import { createStartingHandler } from './starting.js';

/** The API as a program: listens at once, and answers 503 until the database is reached, migrated and read. */
async function startApi(): Promise<Running> {
  const config = readConfig(process.env);
  const databaseUrl = config.DATABASE_URL;
  if (databaseUrl === undefined)
    throw new ConfigurationError('DATABASE_URL: must be set to the postgres:// URL of the database');
  const log = createLogger(config, 'api');

  const starting = createStartingHandler(log);
  let app: App = { handler: starting, operators: starting };
  const server = createApiServer((request, response) => app.handler(request, response), {
    connections: config,
  });
  const url = await listen(server, config.PORT, config.HOST);
  const operators = createApiServer((request, response) => app.operators?.(request, response));
  if (config.ADMIN_PORT !== undefined) {
    log.info({ url: await listen(operators, config.ADMIN_PORT, config.HOST) }, 'listening for operators');
  }

  const database = openDatabase(databaseUrl, { log });
  await reachDatabase(database, log);
  const migrations = await applyMigrations(database);
  if (migrations.length > 0) log.info({ migrations }, 'database migrated');
  await seedPhrases(database);

  const redisUrl = config.REDIS_URL;
  const cache = openCache({ redisUrl, log });
  const announcements = await openAnnouncements({ database, redisUrl, log });
  const snapshot = openSnapshotHolder({ database, announcements, log });
  const catalogue = openCatalogueHolder({ database, announcements, log });
  // The database takes a second over the first answer, in which the rest of the program is read in.
  const { openService } = await import('./service.js');
  const service = openService(
    { config, clock: systemClock, log, database, cache, snapshot, catalogue },
    databaseUrl,
  );
  app = service;

  // A stop that comes before the first snapshot closes the holder, which settles this too.
  void snapshot.ready().then(() => {
    log.info({ url }, `listening, try ${url}/v2/rates?quotes=USD,GBP,JPY`);
    tellParent({ type: 'listening', url });
  });
  return {
    async close() {
      await Promise.all([closeServer(server), ...(operators.listening ? [closeServer(operators)] : [])]);
      await Promise.all([snapshot.close(), catalogue.close(), announcements.close(), service.close()]);
      await Promise.all([cache.close(), database.close()]);
    },
  };
}

await runProgram(startApi);
