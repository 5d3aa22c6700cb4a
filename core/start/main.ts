import { clusterVersion } from '../database/embedded-postgres/cluster.js';
import { systemClock } from '../domain/dates.js';
import { EMPTY_DATABASE } from '../process/awaited-database.js';
import { checkCanListen } from '../process/check-can-listen.js';
import { dataFolder, readConfig } from '../process/config.js';
import { type Running, runProgram } from '../process/lifecycle.js';
import { memoryLimitMegabytes } from '../process/limits.js';
import { createLogger, withQuietLog } from '../process/logger.js';
import { openProgress } from '../process/progress.js';
import { codeFile } from '../process/project-files.js';
import { StartError } from '../process/start-failure.js';
import { forkEarly } from './fork-early.js';
import { type KeptPostgres, keepPostgres } from './keep-postgres.js';
import { runPrograms } from './run-programs.js';

// In a smaller container, its programs and PostgreSQL are killed repeatedly.
const LEAST_MEGABYTES = 384;
// More than the limits for stopping the children (12 s) and then PostgreSQL, which apply first.
const CLOSE_LIMIT_MS = 50_000;

async function start(): Promise<Running> {
  const variables = process.stdout.isTTY ? withQuietLog(process.env) : process.env;
  const config = readConfig(variables);
  const log = createLogger(config, 'start');
  await checkCanListen(config.PORT, config.HOST);
  // The worker, which needs another one than the API, gets the next.
  const operatorPorts = { api: config.ADMIN_PORT, worker: config.ADMIN_PORT && config.ADMIN_PORT + 1 };
  for (const port of Object.values(operatorPorts))
    if (port !== undefined) await checkCanListen(port, config.HOST);
  if (config.DATABASE_URL === undefined) checkMemory();
  const progress = openProgress(process.stdout);
  const forkOf = (name: keyof typeof operatorPorts, path: string) =>
    forkEarly(codeFile(path), {
      env: {
        ...variables,
        ADMIN_PORT: String(operatorPorts[name] ?? ''),
        ADMIN_PORT_FILE: '',
        // Beside its own PostgreSQL, an API needs no copy of the rates.
        ...(name === 'api' && config.DATABASE_URL === undefined && { DATA_DIR: '' }),
      },
      // In a session of its own, the worker can have a lower priority than the API.
      detached: name === 'worker',
    });
  const early = { api: forkOf('api', 'src/main.js'), worker: forkOf('worker', 'worker/main.js') };
  const isNew = config.DATABASE_URL === undefined && (await clusterVersion(dataFolder(config))) === undefined;
  if (isNew && config.BOOTSTRAP) {
    // Creating a cluster takes one processor, and blending its first rates another. The API loads after that.
    early.worker.begin(EMPTY_DATABASE)?.once('message', () => early.api.begin());
  } else for (const program of Object.values(early)) program.begin();
  let postgres: KeptPostgres | undefined;
  try {
    if (config.DATABASE_URL === undefined) {
      progress.show('starting PostgreSQL');
      postgres = await keepPostgres(dataFolder(config), log);
      progress.done('PostgreSQL started');
    }
    const url = config.DATABASE_URL ?? postgres?.url ?? '';
    if (!isNew) {
      const { checkDatabase } = await import('./check-database.js');
      await checkDatabase(url, log);
    }
    const programs = { api: () => early.api.fork(url), worker: () => early.worker.fork(url) };
    progress.line('starting the API and the worker');
    return runPrograms(programs, postgres, {
      log,
      clock: systemClock,
      progress,
      drainMs: config.DRAIN_SECONDS * 1_000,
      isReading: config.SCHEDULE,
      loginLink: async (apiUrl) => {
        const { firstLoginLink } = await import('./login-link.js');
        return firstLoginLink(url, apiUrl, config, { log, clock: systemClock });
      },
    });
  } catch (error) {
    progress.stop();
    for (const program of Object.values(early)) program.discard();
    await postgres?.stop();
    throw error;
  }
}

/** Throws a StartError if the container leaves no room for PostgreSQL beside the programs. */
function checkMemory(): void {
  const megabytes = memoryLimitMegabytes();
  if (megabytes >= LEAST_MEGABYTES) return;
  throw new StartError(
    `the memory is limited to ${Math.floor(megabytes)} MB: with a PostgreSQL of its own the service needs ${LEAST_MEGABYTES} MB`,
  );
}

await runProgram(start, { closeLimitMs: CLOSE_LIMIT_MS });
