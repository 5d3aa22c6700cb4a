import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { systemClock } from '../core/domain/clock.js';
import { fromDayNumber } from '../core/domain/dates.js';
import { type Config, readConfig } from '../core/process/config.js';
import { type Running, runProgram, tellParent } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { keepNextTickFast } from '../core/process/next-tick.js';
import { openFilesLimit } from '../core/process/open-files.js';
import { type ConnectionLimits, withinOpenFiles } from './http/connections.js';
import type { Program, Served } from './served.js';
import { closeServer, createApiServer, listen } from './server.js';

/*
 * V8 allocates objects right in the old generation where those of the same place in the code have mostly survived
 * collections. Requests that wait together look so for a moment. Their objects die young all the same, but until the next
 * full collection keep alive what they refer to, which makes more places look so: after some seconds a tenth of all
 * that requests allocate was moved to the old generation, where it takes 135 MB beside twenty expensive requests.
 */
setFlagsFromString('--no-allocation-site-pretenuring');
/*
 * The old generation grows by half of what is alive before it is collected. By V8's own choice it became four times as
 * large under load: 160 MB more beside twenty expensive requests, for the same throughput.
 */
setFlagsFromString('--heap-growing-percent=50');

/**
 * The API as a program. It listens once it serves rates, so that a proxy uses another API until then; or once it is
 * known that they have to wait, for the database or for first rates: routes that need neither then work, and with a local copy
 * all that are served from memory. Beside other processes that serve, it waits in any case.
 */
async function startApi(config: Config, stopping: AbortSignal, besideOthers = false): Promise<Running> {
  const log = createLogger(config, 'api');
  let isDraining = false;
  const served = await serve({ config, clock: systemClock, log, isDraining: () => isDraining }, stopping);
  const { service, snapshot } = served;
  const limits = { keepAliveTimeout: config.KEEP_ALIVE_SECONDS * 1_000 };
  const connections = await connectionLimits(config, log);
  const server = createApiServer(service.handler, { limits, connections });
  const operators = service.operators && createApiServer(service.operators, { limits });
  await served.listens;
  if (besideOthers) await Promise.all([served.isUsable, snapshot.ready()]);
  const url = await listen(server, config.PORT, config.HOST);
  if (operators && config.ADMIN_PORT !== undefined) {
    log.info({ url: await listen(operators, config.ADMIN_PORT, config.HOST) }, 'listening for operators');
  }
  await served.isUsable;

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
      await Promise.all([closeServer(server), operators && closeServer(operators)]);
      await served.close();
    },
  };
}

/** The limits that are set, lowered with a warning where the process may open too few files for them. */
async function connectionLimits(config: Config, log: Logger): Promise<ConnectionLimits> {
  const openFiles = await openFilesLimit();
  const limits = withinOpenFiles(config, openFiles);
  if (limits !== config) {
    const { MAX_CONNECTIONS: most, MAX_CONNECTIONS_PER_CLIENT: perClient } = limits;
    log.warn(
      { openFiles, most, perClient },
      'fewer connections than MAX_CONNECTIONS: the limit of open files is too low',
    );
  }
  return limits;
}

/** Reads in only what it serves from: the libraries of a database take longer than a publication. */
async function serve(program: Program, stopping: AbortSignal): Promise<Served> {
  if (program.config.PUBLICATION_URL === undefined) {
    const { serveFromDatabase } = await import('./from-database.js');
    return serveFromDatabase(program, stopping);
  }
  const { serveFromPublication } = await import('./from-publication.js');
  return serveFromPublication(program);
}

/** One process of the API, or the one that runs several of them. */
async function start(stopping: AbortSignal): Promise<Running> {
  const config = readConfig(process.env);
  if (config.API_PROCESSES === 1) return startApi(config, stopping);
  const { isBesideOthers, shareOf, startProcesses } = await import('./processes.js');
  if (cluster.isPrimary) return startProcesses(config, stopping);
  return startApi(shareOf(config), stopping, isBesideOthers(process.env));
}

keepNextTickFast();
await runProgram(start);
