import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { binariesIn, findBinaries } from './binaries.js';
import { openCluster } from './cluster.js';
import { lockFolder } from './folder-lock.js';
import { SUPERUSER } from './password.js';
import { lockServerLog } from './server-log.js';
import { EmbeddedPostgresError, startErrorOf } from './start-error.js';
import { type SystemUser, serverUser, spawnOptions } from './system-user.js';

/** A PostgreSQL server of our own that only listens on this machine. */
export interface EmbeddedPostgres {
  /** `postgres://` URL of the service's database. */
  url: string;
  /** The ID of the server's main process. */
  pid: number;
  /** Settles when the server has ended, for any reason. */
  exited: Promise<void>;
  /** Shuts the server down cleanly. Open transactions are rolled back. */
  stop(): Promise<void>;
}

const DATABASE = 'almanac';
const HOST = '127.0.0.1';
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
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
 * Starts PostgreSQL on the data under `dataFolder`, creating both if they do not exist, and returns once it accepts
 * connections. Throws an EmbeddedPostgresError if it can't be started, and a DataFolderInUseError if another program uses
 * the folder: of several concurrent starts one succeeds. With the URL of an earlier start it listens on the same port or not
 * at all, and resets a lost password to the same one.
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
  earlierUrl?: string,
): Promise<EmbeddedPostgres> {
  const home = resolve(dataFolder);
  try {
    const lock = await lockFolder(home);
    try {
      const server = await startServer(home, {
        settings,
        earlier: earlierUrl === undefined ? undefined : new URL(earlierUrl),
      });
      const exited = server.exited.then(lock.release);
      return {
        ...server,
        exited,
        async stop() {
          await server.stop();
          await exited;
        },
      };
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
  earlier?: URL | undefined;
  /** The folder whose `bin` has PostgreSQL's programs. Default: those that the program ships with. */
  programs?: string;
  /** Where to store data that PostgreSQL's user can't reach in the data folder. */
  shared?: string;
  /** How long it may take to accept connections, in milliseconds. Default: one minute. */
  startLimitMs?: number;
}

/** Like `startEmbeddedPostgres`; the caller must hold the lock on the folder. */
export async function startServer(
  home: string,
  { settings, earlier, programs, shared, startLimitMs = START_LIMIT_MS }: ServerOptions,
): Promise<EmbeddedPostgres> {
  const user = await serverUser();
  const binaries = await (programs === undefined ? findBinaries(user) : binariesIn(programs, user));
  const logFile = join(home, 'postgres.log');
  const log = await lockServerLog(logFile, join(home, 'postgres'));
  try {
    const cluster = await openCluster(home, binaries, user, { earlierPassword: earlier?.password, shared });
    const port = earlier ? Number(earlier.port) : await choosePort(cluster.portFile);
    const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const server = await launch(
      [binaries.postgres, '-D', cluster.folder, '-p', String(port), ...flags],
      log,
      user,
    );
    try {
      const url = databaseUrl(cluster.password, port, 'postgres');
      await createDatabaseOf(server, { url, logFile, limitMs: startLimitMs });
      await keepPort(cluster.portFile, port);
    } catch (error) {
      await end(server);
      throw error;
    }
    return {
      url: databaseUrl(cluster.password, port),
      pid: server.child.pid ?? 0,
      exited: server.exited,
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

async function launch(
  [program = '', ...flags]: readonly string[],
  log: FileHandle,
  user: SystemUser | undefined,
): Promise<ServerProcess> {
  const child = spawn(program, flags, {
    ...spawnOptions(user),
    stdio: ['ignore', log.fd, log.fd],
    // In its own process group, because after Ctrl-C on the terminal the programs that use the server must end first.
    detached: true,
  });
  await once(child, 'spawn');
  return { child, exited: once(child, 'exit').then(() => undefined) };
}

/**
 * Returns once the server has the service's database. Throws an EmbeddedPostgresError if the server ends before that, or is
 * too slow.
 */
async function createDatabaseOf(
  server: ServerProcess,
  { url, logFile, limitMs }: { url: string; logFile: string; limitMs: number },
): Promise<void> {
  const limit = performance.now() + limitMs;
  for (;;) {
    if (hasEnded(server)) {
      throw new EmbeddedPostgresError(`PostgreSQL did not start: ${await reasonGiven(logFile)}`);
    }
    try {
      return await createDatabase(url);
    } catch (error) {
      if (performance.now() > limit) {
        throw new EmbeddedPostgresError('PostgreSQL did not answer in time', { cause: error });
      }
    }
    await delay(25);
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
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

/** Saves the port if it has changed. On a full disk even rewriting the same port would fail. */
async function keepPort(portFile: string, port: number): Promise<void> {
  if ((await lastPort(portFile)) !== port) await writeFile(portFile, String(port));
}

async function lastPort(portFile: string): Promise<number> {
  return Number(await readFile(portFile, 'utf8').catch(() => '0'));
}

/** The port of the last start if it is still free, so that the server keeps its address. */
async function choosePort(portFile: string): Promise<number> {
  const port = (await freePort(await lastPort(portFile))) ?? (await freePort(0));
  if (port === undefined) throw new EmbeddedPostgresError('no free port for PostgreSQL');
  return port;
}

async function freePort(wanted: number): Promise<number | undefined> {
  const probe = createServer();
  try {
    probe.listen(wanted, HOST);
    await once(probe, 'listening');
    const address = probe.address();
    return typeof address === 'object' ? address?.port : undefined;
  } catch {
    return undefined;
  } finally {
    probe.close();
  }
}

/** The last error that PostgreSQL printed, with its detail and hint. */
async function reasonGiven(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  const fatal = lines.findLastIndex((line) => line.includes('FATAL:'));
  if (fatal < 0) return lines.at(-1) || 'no reason given';
  const more = lines.slice(fatal + 1).filter((line) => /\b(DETAIL|HINT):/.test(line));
  return [lines[fatal], ...more].join(' ');
}

/** The `postgres://` URL of a database of the server on a port of this machine. */
export function databaseUrl(password: string, port: number, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${database}`;
}
