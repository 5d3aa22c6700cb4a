import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { openDatabase } from '../core/database/database.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../core/database/embedded-postgres/server.js';
import { applyMigrations } from '../core/database/migrate.js';
import { type Config, readConfig } from '../core/process/config.js';
import { CANNOT_START, type Running, runProgram } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { checkCanListen } from './check-can-listen.js';
import { supervise } from './supervise.js';

// More than the limits for stopping the children (12 s) and then PostgreSQL, which apply first.
const CLOSE_LIMIT_MS = 45_000;
const RESTART_DELAY_MS = 1_000;

await runProgram(start, { closeLimitMs: CLOSE_LIMIT_MS });

/** Starts the whole service: the embedded database unless DATABASE_URL is set, the API and the worker. */
async function start(): Promise<Running> {
  const config = readConfig(process.env);
  const log = createLogger(config, 'start');
  await checkCanListen(config.PORT, config.HOST);
  const server = config.DATABASE_URL === undefined ? await superviseServer(config, log) : undefined;
  try {
    const url = config.DATABASE_URL ?? server?.url ?? '';
    await migrate(url, log);
    return runPrograms(url, server, log);
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

async function migrate(url: string, log: Logger): Promise<void> {
  const database = openDatabase(url, { log, connections: 1 });
  try {
    const applied = await applyMigrations(database);
    if (applied.length > 0) log.info({ applied }, 'database migrated');
  } finally {
    await database.close();
  }
}

function runPrograms(url: string, server: SupervisedServer | undefined, log: Logger): Running {
  const env = { ...process.env, DATABASE_URL: url };
  const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  let announced = false;
  const onListening = (address: string) => {
    if (announced) return;
    announced = true;
    process.stdout.write(`Almanac listens on ${address}\nTry ${address}/v2/rates\n`);
  };
  let programs: { stop(): Promise<void> }[] = [];
  const cannotStart = new Promise<number>((resolve) => {
    const onCannotStart = () => resolve(CANNOT_START);
    programs = [
      supervise({ name: 'api', entry: entry('../src/main.js'), env }, { log, onListening, onCannotStart }),
      supervise({ name: 'worker', entry: entry('../worker/main.js'), env }, { log, onCannotStart }),
    ];
  });
  return {
    ended: Promise.race([cannotStart, ...(server ? [server.lost] : [])]),
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await server?.stop();
    },
  };
}

interface SupervisedServer {
  url: string;
  /** Resolves with an exit code once the server has exited and can't be restarted on its port. */
  lost: Promise<number>;
  stop(): Promise<void>;
}

/** Starts the embedded server, and restarts it whenever it exits unexpectedly. */
async function superviseServer(config: Config, log: Logger): Promise<SupervisedServer> {
  let server = await startEmbeddedPostgres(config.DATA_DIR);
  const { url } = server;
  let stopping = false;
  const keepRunning = async (): Promise<number> => {
    for (;;) {
      await server.exited;
      if (stopping) return 0;
      log.error('PostgreSQL exited unexpectedly, restarting');
      const next = await restart(config, log);
      if (!next) return 1;
      server = next;
      if (stopping) await server.stop();
      if (server.url !== url) {
        log.fatal('PostgreSQL restarted on another port');
        return 1;
      }
    }
  };
  return {
    url,
    lost: keepRunning(),
    async stop() {
      stopping = true;
      await server.stop();
    },
  };
}

async function restart(config: Config, log: Logger): Promise<EmbeddedPostgres | undefined> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    try {
      return await startEmbeddedPostgres(config.DATA_DIR);
    } catch (error) {
      log.error({ err: error, attempt }, 'could not restart PostgreSQL');
      await delay(RESTART_DELAY_MS * attempt);
    }
  }
  return undefined;
}
