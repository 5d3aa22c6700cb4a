import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { fromDayNumber, systemClock } from '../core/domain/dates.js';
import { awaitDatabase, awaitsDatabase } from '../core/process/awaited-database.js';
import { type Config, readConfig } from '../core/process/config.js';
import { notifyParent, type Running, runProgram } from '../core/process/lifecycle.js';
import { openFilesLimit } from '../core/process/limits.js';
import { createLogger } from '../core/process/logger.js';
import { keepNextTickFast } from '../core/process/next-tick.js';
import type { Program, Served } from './app.js';
import {
  type ConnectionLimits,
  closeServer,
  createApiServer,
  listen,
  MOST_CONNECTIONS,
  withinOpenFiles,
} from './http/server.js';

/*
 * V8 allocates objects directly in the old generation if most objects from the same place in the code survived collections.
 * Requests that wait together look like that for a moment. Their objects still die young, but until the next full collection
 * they keep alive what they refer to, so that more places look like that. After some seconds a tenth of all that requests
 * allocated was moved to the old generation, which took 135 MB with twenty expensive requests.
 */
setFlagsFromString('--no-allocation-site-pretenuring');
/*
 * Limits the growth of the old generation before a collection to half of its live objects. By default V8 let it grow
 * fourfold under load: 160 MB more with twenty expensive requests, for the same throughput.
 */
setFlagsFromString('--heap-growing-percent=50');

/** Listens once there are rates to serve, or once it is known that these must wait. Until then, a proxy uses another API. */
async function startApi(stopping: AbortSignal): Promise<Running> {
  // The modules load while the database starts.
  const [variables] = await Promise.all([
    awaitDatabase(stopping),
    awaitsDatabase && import('./database-service.js'),
  ]);
  const config = readConfig(variables);
  const log = createLogger(config, 'api');
  let isDraining = false;
  const served = await serve({ config, clock: systemClock, log, isDraining: () => isDraining }, stopping);
  const { service, snapshot } = served;
  const connections = await connectionLimits(config, log);
  const server = createApiServer(service.handler, { connections });
  const operators = service.operators && createApiServer(service.operators);
  await served.ready;
  const url = await listen(server, config.PORT, config.HOST);
  if (operators && config.ADMIN_PORT !== undefined) {
    log.info({ url: await listen(operators, config.ADMIN_PORT, config.HOST) }, 'listening for operators');
  }
  await served.startupCheck;

  // If stopped before the first snapshot, closing the holder settles this too.
  void snapshot.ready().then(() => {
    log.info({ url }, `listening, try ${url}/v2/rates?quotes=USD,GBP,JPY`);
    const newest = snapshot.current()?.days.days.at(-1);
    notifyParent({
      type: 'listening',
      url,
      newest: newest === undefined ? undefined : fromDayNumber(newest),
    });
    const isLoading = snapshot.current()?.loadedFrom !== undefined;
    setTimeout(loadRarelyUsed, isLoading ? LOADING_MS : 0).unref();
  });
  const drainMs = config.DRAIN_SECONDS * 1_000;
  return {
    extraCloseMs: drainMs,
    async close({ drains }) {
      isDraining = true;
      if (drains) await delay(drainMs);
      await Promise.all([closeServer(server), operators && closeServer(operators)]);
      await served.close();
    },
  };
}

/** The longest time that a first start usually takes to load the older shipped rates. */
const LOADING_MS = 30_000;

/** Loads the modules that few requests need: later the process may have no free file descriptor to open them. */
async function loadRarelyUsed(): Promise<void> {
  await Promise.allSettled([
    import('../core/queues/queues.js'),
    import('./mcp/protocol.js'),
    import('./operations/admin/create-board.js'),
  ]);
}

/** Lowers the limits, with a warning, if the process may open too few files for them. */
async function connectionLimits(config: Config, log: Logger): Promise<ConnectionLimits> {
  const openFiles = await openFilesLimit();
  const { most, perClient } = withinOpenFiles(openFiles);
  if (most < MOST_CONNECTIONS.most) {
    log.warn(
      { openFiles, most, perClient },
      `fewer connections than ${MOST_CONNECTIONS.most}: the limit of open files is too low`,
    );
  }
  return { most, perClient, trustProxy: config.TRUST_PROXY };
}

/** Loads only the modules that it needs: the libraries of a database take longer to load than a publication. */
async function serve(program: Program, stopping: AbortSignal): Promise<Served> {
  if (program.config.PUBLICATION_URL === undefined) {
    const { serveFromDatabase } = await import('./from-database.js');
    return serveFromDatabase(program, stopping);
  }
  const { serveFromPublication } = await import('./from-publication.js');
  return serveFromPublication(program);
}

keepNextTickFast();
await runProgram(startApi);
