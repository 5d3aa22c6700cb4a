import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { openDatabase } from '../core/database/database.js';
import { prepareSchema } from '../core/database/migrate.js';
import { readConfig } from '../core/process/config.js';
import { CANNOT_START, type Running, runProgram } from '../core/process/lifecycle.js';
import { createLogger } from '../core/process/logger.js';
import { checkCanListen } from './check-can-listen.js';
import { type KeptPostgres, keepPostgres } from './keep-postgres.js';
import { supervise } from './supervise.js';

// More than the limits for stopping the children (12 s) and then PostgreSQL, which apply first.
const CLOSE_LIMIT_MS = 45_000;

/** Starts the whole service: the embedded database unless DATABASE_URL is set, the API and the worker. */
async function start(): Promise<Running> {
  const config = readConfig(process.env);
  const log = createLogger(config, 'start');
  await checkCanListen(config.PORT, config.HOST);
  if (config.ADMIN_PORT !== undefined) await checkCanListen(config.ADMIN_PORT, config.HOST);
  const postgres = config.DATABASE_URL === undefined ? await keepPostgres(config.DATA_DIR, log) : undefined;
  try {
    const url = config.DATABASE_URL ?? postgres?.url ?? '';
    if (config.MIGRATE) await migrate(url, log);
    return runPrograms(url, postgres, { log, drainMs: config.DRAIN_SECONDS * 1_000 });
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

async function migrate(url: string, log: Logger): Promise<void> {
  const database = openDatabase(url, { log, connections: 2 });
  try {
    await prepareSchema(database, { migrate: true, access: 'write', log });
  } finally {
    await database.close();
  }
}

function runPrograms(
  url: string,
  postgres: KeptPostgres | undefined,
  { log, drainMs }: { log: Logger; drainMs: number },
): Running {
  const env = { ...process.env, DATABASE_URL: url, DATABASE_URL_FILE: '' };
  const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  let announced = false;
  const onListening = (address: string) => {
    if (announced) return;
    announced = true;
    process.stdout.write(`Almanac listens on ${address}\nTry ${address}/v2/rates\n`);
  };
  let programs: { stop(): Promise<void> }[] = [];
  const cannotStart = new Promise<number>((resolve) => {
    const onCannotStart = () => {
      // Once it has served rates the service goes on: the API answers from memory.
      if (announced) return 'try-again';
      resolve(CANNOT_START);
      return 'leave';
    };
    programs = [
      supervise(
        { name: 'api', entry: entry('../src/main.js'), env, drainMs },
        { log, onListening, onCannotStart },
      ),
      supervise({ name: 'worker', entry: entry('../worker/main.js'), env }, { log, onCannotStart }),
    ];
  });
  return {
    drainMs,
    ended: cannotStart,
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await postgres?.stop();
    },
  };
}

await runProgram(start, { closeLimitMs: CLOSE_LIMIT_MS });
