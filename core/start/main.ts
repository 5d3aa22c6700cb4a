import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { openDatabase, poolOf } from '../database/database.js';
import { readMigrations } from '../database/migrations.js';
import { compareSchema } from '../database/schema-compatibility.js';
import { readConfig } from '../process/config.js';
import { CANNOT_START, type Running, runProgram } from '../process/lifecycle.js';
import { createLogger } from '../process/logger.js';
import { memoryLimitMegabytes } from '../process/memory-limit.js';
import { StartError } from '../process/start-error.js';
import { supervise } from '../process/supervise.js';
import { checkCanListen } from './check-can-listen.js';
import { type KeptPostgres, keepPostgres } from './keep-postgres.js';

// In a container with less, its programs and PostgreSQL are killed again and again.
const LEAST_MEGABYTES = 384;
// More than the limits for stopping the children (16 s) and then PostgreSQL, which apply first.
const CLOSE_LIMIT_MS = 50_000;
// By how much the API may take longer where it waits for several processes of its own, as it does for up to 13 s.
const API_PROCESSES_MS = 4_000;

/** Starts the whole service: the embedded database unless DATABASE_URL is set, the API and the worker. */
async function start(): Promise<Running> {
  const config = readConfig(process.env);
  const log = createLogger(config, 'start');
  await checkCanListen(config.PORT, config.HOST);
  if (config.ADMIN_PORT !== undefined) await checkCanListen(config.ADMIN_PORT, config.HOST);
  if (config.DATABASE_URL === undefined) checkMemory();
  const postgres = config.DATABASE_URL === undefined ? await keepPostgres(config.DATA_DIR, log) : undefined;
  try {
    const url = config.DATABASE_URL ?? postgres?.url ?? '';
    await checkDatabase(url, log);
    return runPrograms(url, postgres, { log, drainMs: config.DRAIN_SECONDS * 1_000 });
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

/** Throws a StartError where the limit of the container leaves no room for PostgreSQL beside the programs. */
function checkMemory(): void {
  const megabytes = memoryLimitMegabytes();
  if (megabytes >= LEAST_MEGABYTES) return;
  throw new StartError(
    `the memory is limited to ${Math.floor(megabytes)} MB: with a PostgreSQL of its own the service needs ${LEAST_MEGABYTES} MB`,
  );
}

/** Throws where the database refuses, can't be reached or is of a version that the programs can't use: once, not by each. */
async function checkDatabase(url: string, log: Logger): Promise<void> {
  const database = openDatabase(url, { log, connections: 1 });
  try {
    await compareSchema(poolOf(database), await readMigrations(), { access: 'write' });
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
  const run = (path: string) => () =>
    fork(fileURLToPath(new URL(path, import.meta.url)), [], { env, stdio: 'inherit' });
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
        { name: 'api', fork: run('../../src/main.js'), extraCloseMs: drainMs + API_PROCESSES_MS },
        { log, onListening, onCannotStart },
      ),
      supervise({ name: 'worker', fork: run('../../worker/main.js') }, { log, onCannotStart }),
    ];
  });
  return {
    extraCloseMs: drainMs,
    ended: cannotStart,
    async close() {
      await Promise.all(programs.map((program) => program.stop()));
      await postgres?.stop();
    },
  };
}

await runProgram(start, { closeLimitMs: CLOSE_LIMIT_MS });
