import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { openDatabase } from '../core/database/database.js';
import { applyMigrations } from '../core/database/migrate.js';
import { type Config, readConfig } from '../core/process/config.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../core/process/embedded-postgres/server.js';
import { CANNOT_START, type Running, runProgram } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { checkCanListen } from './check-can-listen.js';
import { supervise } from './supervise.js';

// Both children and then PostgreSQL have limits of their own; this one is behind them.
const CLOSE_LIMIT_MS = 45_000;
const SERVER_PAUSE_MS = 1_000;

/** The whole service: the database (embedded, unless there is a DATABASE_URL), the API and the worker. */
async function start(): Promise<Running> {
  const config = readConfig(process.env);
  const log = createLogger(config, 'start');
  await checkCanListen(config.PORT, config.HOST);
  const server = config.DATABASE_URL === undefined ? await keepServer(config, log) : undefined;
  try {
    const url = config.DATABASE_URL ?? server?.url ?? '';
    await migrate(url, log);
    return runBothSides(url, server, log);
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

async function migrate(url: string, log: Logger): Promise<void> {
  const database = openDatabase(url, { log, connections: 1 });
  try {
    const applied = await applyMigrations(database);
    if (applied.length > 0) log.info({ applied }, 'database brought up to date');
  } finally {
    await database.close();
  }
}

function runBothSides(url: string, server: KeptServer | undefined, log: Logger): Running {
  const env = { ...process.env, DATABASE_URL: url };
  const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  let announced = false;
  const onListening = (address: string) => {
    if (announced) return;
    announced = true;
    process.stdout.write(`Almanac listens on ${address}\nTry ${address}/v2/rates\n`);
  };
  let sides: { stop(): Promise<void> }[] = [];
  const cannotStart = new Promise<number>((resolve) => {
    const onCannotStart = () => resolve(CANNOT_START);
    sides = [
      supervise({ name: 'api', entry: entry('../src/main.js'), env }, { log, onListening, onCannotStart }),
      supervise({ name: 'worker', entry: entry('../worker/main.js'), env }, { log, onCannotStart }),
    ];
  });
  return {
    ended: Promise.race([cannotStart, ...(server ? [server.lost] : [])]),
    async close() {
      await Promise.all(sides.map((side) => side.stop()));
      await server?.stop();
    },
  };
}

interface KeptServer {
  url: string;
  /** Settles with an exit code where the server ended and can't be brought back at its place. */
  lost: Promise<number>;
  stop(): Promise<void>;
}

/** The embedded server, started again should it end by itself. */
async function keepServer(config: Config, log: Logger): Promise<KeptServer> {
  let server = await startEmbeddedPostgres(config.DATA_DIR);
  const { url } = server;
  let stopping = false;
  const keep = async (): Promise<number> => {
    for (;;) {
      await server.exited;
      if (stopping) return 0;
      log.error('PostgreSQL ended unexpectedly, starts again');
      const next = await restart(config, log);
      if (!next) return 1;
      server = next;
      if (stopping) await server.stop();
      if (server.url !== url) {
        log.fatal('PostgreSQL came back on another port');
        return 1;
      }
    }
  };
  return {
    url,
    lost: keep(),
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
      log.error({ err: error, attempt }, 'PostgreSQL did not start');
      await delay(SERVER_PAUSE_MS * attempt);
    }
  }
  return undefined;
}

await runProgram(start, { closeLimitMs: CLOSE_LIMIT_MS });
