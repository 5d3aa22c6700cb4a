import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { keepTrying } from '../../concurrency/keep-trying.js';
import { checkCanListen } from '../../process/check-can-listen.js';
import { binariesIn, findBinaries, serverUser, spawnOptions } from './binaries.js';
import { openCluster, SUPERUSER } from './cluster.js';
import {
  DataFolderInUseError,
  EmbeddedPostgresError,
  lockFolder,
  startErrorOf,
  untilFolderIsFree,
} from './folder-lock.js';
import { lockServerLog, runningServer } from './running-server.js';

/** A PostgreSQL server of our own that only listens on this machine. */
export type EmbeddedPostgres = Awaited<ReturnType<typeof startServer>>;

const DATABASE = 'almanac';
const HOST = '127.0.0.1';
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const PAUSE_MS = 25;
const CONNECT_LIMIT_MS = 5_000;

const SETTINGS = {
  listen_addresses: HOST,
  unix_socket_directories: '',
  max_connections: '60',
  timezone: 'UTC',
  jit: 'off',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  log_checkpoints: 'off',
  lc_messages: 'C',
};

/**
 * Starts PostgreSQL on the data under `dataFolder`, and returns once it accepts connections. Throws an
 * EmbeddedPostgresError, or a DataFolderInUseError. With the port of an earlier start it listens on that or not at all.
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<EmbeddedPostgres> {
  const home = resolve(dataFolder);
  try {
    const lock = await lockFolder(home);
    try {
      const server = await startServer(home, { settings, port });
      const exited = server.exited.then(lock.release);
      return { ...server, exited, stop: () => server.stop().then(() => exited) };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw startErrorOf(error, dataFolder);
  }
}

interface ServerOptions {
  settings?: Readonly<Record<string, string>>;
  /** Default: one that is free. */
  port?: number | undefined;
  /** The folder whose `bin` has PostgreSQL's programs. Default: those in its npm package. */
  programs?: string;
  /** Where to store data that PostgreSQL's user can't reach in the data folder. */
  shared?: string;
  /** Milliseconds to accept connections. Default: one minute. */
  startLimitMs?: number;
}

/** Like `startEmbeddedPostgres`; the caller must hold the lock on the folder. */
export async function startServer(
  home: string,
  { settings, port: wanted, programs, shared, startLimitMs = START_LIMIT_MS }: ServerOptions,
) {
  const user = await serverUser();
  const binaries = await (programs === undefined ? findBinaries(user) : binariesIn(programs, user));
  const logFile = join(home, 'postgres.log');
  const log = await lockServerLog(logFile, join(home, 'postgres'));
  try {
    const { folder, password } = await openCluster(home, binaries, shared);
    const port = wanted ?? (await checkCanListen(0, HOST));
    const flags = Object.entries({ ...SETTINGS, ...settings }).map(([name, value]) => `--${name}=${value}`);
    const child = spawn(binaries.postgres, ['-D', folder, '-p', String(port), ...flags], {
      ...spawnOptions(user),
      stdio: ['ignore', log.fd, log.fd],
      // In its own process group, because after Ctrl-C on the terminal the programs that use the server must end first.
      detached: true,
    });
    await once(child, 'spawn');
    const server: ServerProcess = { child, exited: once(child, 'exit').then(() => undefined) };
    try {
      await createDatabaseOf(server, { url: databaseUrl(password, port, 'postgres'), logFile, startLimitMs });
    } catch (error) {
      await end(server);
      throw error;
    }
    return {
      url: databaseUrl(password, port),
      port,
      pid: child.pid ?? 0,
      exited: server.exited,
      /** Shuts the server down cleanly. Open transactions are rolled back. */
      stop: () => end(server),
    };
  } finally {
    await log.close();
  }
}

interface ServerProcess {
  child: ChildProcess;
  exited: Promise<void>;
}

/** Waits for the service's database. Throws an EmbeddedPostgresError if the server ends or takes too long. */
async function createDatabaseOf(
  server: ServerProcess,
  { url, logFile, startLimitMs }: { url: string; logFile: string; startLimitMs: number },
): Promise<void> {
  await keepTrying(() => createDatabase(url), {
    firstPauseMs: PAUSE_MS,
    longestPauseMs: PAUSE_MS,
    signal: AbortSignal.timeout(startLimitMs),
    mayRecover: () => !hasEnded(server),
    onFailure() {},
  }).catch(async (cause: unknown) => {
    if (!hasEnded(server)) throw new EmbeddedPostgresError('PostgreSQL did not answer in time', { cause });
    throw new EmbeddedPostgresError(`PostgreSQL did not start: ${await reasonGiven(logFile)}`);
  });
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  client.on('error', () => {}); // The running query throws the same error.
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

function hasEnded({ child }: ServerProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function end(server: ServerProcess): Promise<void> {
  if (hasEnded(server)) return;
  server.child.kill('SIGINT'); // PostgreSQL's "fast" shutdown.
  const timer = setTimeout(() => server.child.kill('SIGQUIT'), STOP_LIMIT_MS);
  await server.exited.finally(() => clearTimeout(timer));
}

/** The last error that PostgreSQL printed, with its detail and hint. */
async function reasonGiven(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  const fatal = lines.findLastIndex((line) => line.includes('FATAL:'));
  if (fatal < 0) return lines.at(-1) || 'no reason given';
  const more = lines.slice(fatal + 1).filter((line) => /\b(DETAIL|HINT):/.test(line));
  return [lines[fatal], ...more].join(' ');
}

export function databaseUrl(password: string, port: number, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${database}`;
}

type Attached = Pick<EmbeddedPostgres, 'url' | 'stop'>;

/**
 * The server of the running service, or else one started for this command, which alone `stop()` stops. Throws
 * a DataFolderInUseError if the service runs in another container, as its server can't be reached from here.
 */
export async function attachEmbeddedPostgres(dataFolder: string): Promise<Attached> {
  return untilFolderIsFree.execute(async () => {
    try {
      return await startEmbeddedPostgres(dataFolder);
    } catch (error) {
      const server = error instanceof DataFolderInUseError ? await serverOf(resolve(dataFolder)) : undefined;
      if (!server) throw error;
      return server;
    }
  });
}

async function serverOf(home: string): Promise<Attached | undefined> {
  const server = await runningServer(join(home, 'postgres'));
  if (!server) return undefined;
  const passwordFile = join(home, 'password');
  const password = await readFile(passwordFile, 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      `${passwordFile} can't be read while PostgreSQL (process ${server.pid}) runs on the data: restore the file, ` +
        'or restart the service, which sets a new password',
      { cause },
    );
  });
  return { url: databaseUrl(password, server.port), stop: async () => undefined };
}
