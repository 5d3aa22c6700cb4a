import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { findBinaries } from './binaries.js';
import { type Cluster, openCluster, SUPERUSER } from './cluster.js';
import { clearMistakenLock } from './lock-file.js';
import { DataFolderInUseError, endOrphan, own } from './owner.js';
import { type SystemUser, serverUser } from './system-user.js';

/** A PostgreSQL server of our own, listening on this machine only. */
export interface EmbeddedPostgres {
  /** `postgres://` URL of the service's database. */
  url: string;
  /** Settles when the server has ended, for any reason. */
  exited: Promise<void>;
  /** Ends the server cleanly: open transactions are rolled back. */
  stop(): Promise<void>;
}

const DATABASE = 'almanac';
const HOST = '127.0.0.1';
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;

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
 * Starts PostgreSQL on the data under `dataFolder`, creating both where there is nothing yet, and returns when it
 * accepts queries. Throws an error of one line if it can't be started.
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const user = await serverUser();
  const binaries = await findBinaries(user);
  const cluster = await openCluster(dataFolder, binaries, user);
  await endOrphan(cluster.folder, (port) => databaseUrl(cluster.password, port, 'postgres'));
  await clearMistakenLock(cluster.folder);
  const port = await choosePort(cluster.portFile);
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const command = [binaries.postgres, '-D', cluster.folder, '-p', String(port), ...flags];
  const limit = Date.now() + START_LIMIT_MS;
  for (;;) {
    const server = await launch(command, cluster, user);
    try {
      const owner = await untilReady(server, cluster, port, limit);
      await createDatabase(owner);
      return { url: databaseUrl(cluster.password, port), exited: server.exited, stop: () => end(server) };
    } catch (error) {
      await end(server);
      // Processes of a crashed server end by themselves soon.
      const blocked = error instanceof Error && error.message.includes('shared memory block');
      if (!blocked || Date.now() > limit) throw error;
      await delay(250);
    }
  }
}

interface ServerProcess {
  child: ChildProcess;
  exited: Promise<void>;
}

async function launch(
  command: readonly string[],
  cluster: Cluster,
  user: SystemUser | undefined,
): Promise<ServerProcess> {
  const [program = '', ...flags] = command;
  const log = await open(cluster.logFile, 'w', 0o600);
  try {
    const child = spawn(program, flags, {
      ...user,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log.fd, log.fd],
      // In its own process group: after a Ctrl-C on the terminal, the programs that use it must end first.
      detached: true,
    });
    await once(child, 'spawn');
    return { child, exited: once(child, 'exit').then(() => undefined) };
  } finally {
    await log.close();
  }
}

async function untilReady(
  server: ServerProcess,
  cluster: Cluster,
  port: number,
  limit: number,
): Promise<pg.Client> {
  for (;;) {
    if (hasEnded(server)) throw new Error(`PostgreSQL did not start: ${await reasonGiven(cluster.logFile)}`);
    try {
      return await own(databaseUrl(cluster.password, port, 'postgres'));
    } catch (error) {
      if (error instanceof DataFolderInUseError) throw error;
      if (Date.now() > limit) throw new Error('PostgreSQL did not accept queries in time', { cause: error });
      await delay(25);
    }
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`create database ${DATABASE}`);
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

/** The port of the last start if it is still free, so that the URL stays the same. */
async function choosePort(portFile: string): Promise<number> {
  const last = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  const port = (await freePort(last)) ?? (await freePort(0));
  if (port === undefined) throw new Error('no free port for PostgreSQL');
  await writeFile(portFile, String(port));
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

async function reasonGiven(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  return lines.findLast((line) => line.includes('FATAL:')) ?? lines.at(-1) ?? 'no reason given';
}

/** `postgres://` URL of a database of the server at a port of this machine. */
export function databaseUrl(password: string, port: number, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${database}`;
}
