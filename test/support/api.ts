import { pino } from 'pino';
import type { Database } from '../../core/database/database.js';
import { type Clock, systemClock } from '../../core/domain/dates.js';
import { readConfig } from '../../core/process/config.js';
import { openAnnouncements } from '../../core/queues/announcements.js';
import { type AppDependencies, createApp } from '../../src/app.js';
import { openCache } from '../../src/cache/shared-cache.js';
import { openCatalogueHolder } from '../../src/catalogue/holder.js';
import { databaseStore } from '../../src/database-service.js';
import { closeServer, createApiServer, listen, MOST_CONNECTIONS } from '../../src/http/server.js';
import { openSnapshotHolder } from '../../src/rates/snapshot/snapshot-holder.js';

type Context = AppDependencies & Parameters<typeof databaseStore>[0];

interface ApiOptions {
  clock?: Clock;
  /** Any that is free where absent. */
  port?: number | undefined;
  /** Variables of the environment, such as the URL of an upstream. */
  variables?: Record<string, string>;
  /** Parts to put in place of those that would be opened. */
  parts?: Partial<Context>;
}

export interface TestApi {
  /** Without a slash at the end. */
  url: string;
  /** Where operators are served, if ADMIN_PORT is set; on a port of its own, whatever that says. */
  operatorUrl: string | undefined;
  context: Context;
  /** Reads what was committed up to now. */
  catchUp(): Promise<void>;
  /** Leaves the database open. */
  close(): Promise<void>;
}

/** The whole API on a database, on a port of its own, once all that is in the database has been read. */
export async function startApi(database: Database, options: ApiOptions = {}): Promise<TestApi> {
  const log = pino({ level: 'silent' });
  const announcements = await openAnnouncements({ database, log });
  const context: Context = {
    // No worker runs beside it that would load first rates.
    config: readConfig({ BOOTSTRAP: 'off', ...options.variables }),
    clock: options.clock ?? systemClock,
    log,
    database,
    cache: openCache({ log }),
    snapshot: openSnapshotHolder({ database, announcements, log }),
    catalogue: openCatalogueHolder({ database, announcements, log }),
    ...options.parts,
  };
  const { handler, operators } = createApp(context, databaseStore(context));
  const connections = { ...MOST_CONNECTIONS, trustProxy: context.config.TRUST_PROXY };
  const server = createApiServer(handler, { connections });
  const url = await listen(server, options.port ?? 0, '127.0.0.1');
  const operatorServer = operators && createApiServer(operators);
  const api: TestApi = {
    url,
    operatorUrl: operatorServer && (await listen(operatorServer, 0, '127.0.0.1')),
    context,
    async catchUp() {
      await Promise.all([context.snapshot.catchUp(), context.catalogue.catchUp()]);
    },
    async close() {
      await closeServer(server);
      if (operatorServer) await closeServer(operatorServer);
      await Promise.all([context.snapshot.close(), context.catalogue.close(), announcements.close()]);
      await context.cache.close();
    },
  };
  await api.catchUp();
  return api;
}
