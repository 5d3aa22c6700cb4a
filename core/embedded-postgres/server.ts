import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { findBinaries } from './binaries.js';
import { type Cluster, openCluster, SUPERUSER } from './cluster.js';
import { clearStaleLock } from './lock-file.js';
import { DataFolderInUseError, endOrphan, own } from './owner.js';
import { serverUser } from './system-user.js';

/** A PostgreSQL server of our own, listening on this machine only. */
export interface EmbeddedPostgres {
  /** `postgres://` URL of the service's database. */
  url: string;
  /** Settles when the server has ended, whether it was stopped or not. */
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
 * Starts PostgreSQL on the data under `dataFolder`, creating both where there is nothing yet, and returns once
 * it answers. Throws an error of one line where it can't be started.
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const user = await serverUser();
  const binaries = await findBinaries(user);
  const cluster = await openCluster(dataFolder, binaries, user);
  await endOrphan(cluster.folder, (port) => urlOf(cluster, port, 'postgres'));
  await clearStaleLock(cluster.folder);
  const port = await choosePort(cluster.portFile);

  const log = await open(cluster.logFile, 'w', 0o600);
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const server = spawn(binaries.postgres, ['-D', cluster.folder, '-p', String(port), ...flags], {
    ...user,
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log.fd, log.fd],
    // Its own process group: a Ctrl-C on the terminal must reach the programs that use it first.
    detached: true,
  });
  await once(server, 'spawn').finally(() => log.close());
  const exited = once(server, 'exit').then(() => undefined);
  try {
    const owner = await untilReady(server, cluster, port);
    await createDatabase(owner);
    return {
      url: urlOf(cluster, port, DATABASE),
      exited,
      stop: () => end(server, exited),
    };
  } catch (error) {
    await end(server, exited);
    throw error;
  }
}

async function untilReady(server: ChildProcess, cluster: Cluster, port: number): Promise<pg.Client> {
  const limit = Date.now() + START_LIMIT_MS;
  for (;;) {
    if (hasEnded(server)) throw new Error(`PostgreSQL did not start: ${await lastLine(cluster.logFile)}`);
    try {
      return await own(urlOf(cluster, port, 'postgres'));
    } catch (error) {
      if (error instanceof DataFolderInUseError) throw error;
      if (Date.now() > limit) throw new Error('PostgreSQL did not answer in time', { cause: error });
      await delay(25);
    }
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`create database ${DATABASE}`);
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

async function end(server: ChildProcess, exited: Promise<void>): Promise<void> {
  if (hasEnded(server)) return;
  server.kill('SIGINT'); // PostgreSQL's "fast" shutdown.
  const timer = setTimeout(() => server.kill('SIGQUIT'), STOP_LIMIT_MS);
  await exited.finally(() => clearTimeout(timer));
}

/** The port of the last start where it is still free, so that a second start is found at the same place. */
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

async function lastLine(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  return lines.findLast((line) => line.includes('FATAL:')) ?? lines.at(-1) ?? 'no reason given';
}

function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgres://${SUPERUSER}:${cluster.password}@${HOST}:${port}/${database}`;
}
