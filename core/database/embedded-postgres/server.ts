import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { findBinaries } from './binaries.js';
import { type Cluster, openCluster } from './cluster.js';
import { clearMistakenLock, nameOfStarter, runningServer } from './lock-file.js';
import { DataFolderInUseError, endOrphan, own } from './owner.js';
import { SUPERUSER } from './password.js';
import { EmbeddedPostgresError, startErrorOf } from './start-error.js';
import { type SystemUser, serverUser, spawnOptions } from './system-user.js';

/** A PostgreSQL server of our own, listening on this machine only. */
export interface EmbeddedPostgres {
  /** `postgres://` URL of the service's database. */
  url: string;
  /** Of the process that starts all others of the server. */
  pid: number;
  /** Settles when the server has ended, for any reason. */
  exited: Promise<void>;
  /** Ends the server cleanly: open transactions are rolled back. */
  stop(): Promise<void>;
}

const DATABASE = 'almanac';
const HOST = '127.0.0.1';
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
/** How long another start that looks whether this server has an owner may take. */
const OWN_LIMIT_MS = 10_000;

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
 * it answers. Throws an EmbeddedPostgresError where it can't be started, and a DataFolderInUseError where another start
 * has it: of several at the same time one succeeds. Given the URL of an earlier start it listens at its port or not at all,
 * and a lost password is set to the same one again.
 */
export async function startEmbeddedPostgres(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
  earlierUrl?: string,
): Promise<EmbeddedPostgres> {
  return start(dataFolder, settings, earlierUrl).catch((error: unknown) => {
    throw startErrorOf(error, dataFolder);
  });
}

async function start(
  dataFolder: string,
  settings: Readonly<Record<string, string>>,
  earlierUrl: string | undefined,
): Promise<EmbeddedPostgres> {
  const earlier = earlierUrl === undefined ? undefined : new URL(earlierUrl);
  const user = await serverUser();
  const binaries = await findBinaries(user);
  const cluster = await openCluster(dataFolder, binaries, user, earlier?.password);
  await endOrphan(cluster.folder, (port) => databaseUrl(cluster.password, port, 'postgres'));
  await clearMistakenLock(cluster.folder);
  const port = earlier ? Number(earlier.port) : await choosePort(cluster.portFile);
  const named = { ...SETTINGS, cluster_name: nameOfStarter(process.pid), ...settings };
  const flags = Object.entries(named).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = [binaries.postgres, '-D', cluster.folder, '-p', String(port), ...flags];
  const limit = performance.now() + START_LIMIT_MS;
  for (;;) {
    const server = await launch(command, cluster, user);
    try {
      const owner = await untilReady(server, cluster, port, limit);
      await keepPort(cluster.portFile, port);
      await createDatabase(owner);
      const { child, exited } = server;
      const url = databaseUrl(cluster.password, port);
      return { url, pid: child.pid ?? 0, exited, stop: () => end(server) };
    } catch (error) {
      await end(server);
      // Processes of a crashed server end by themselves soon.
      const blocked = error instanceof Error && error.message.includes('shared memory block');
      if (!blocked || performance.now() > limit) throw error;
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
  // Appended to, as a start that comes too late writes to it as well.
  const log = await open(cluster.logFile, 'a', 0o600);
  try {
    await log.truncate();
    const child = spawn(program, flags, {
      ...spawnOptions(user),
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
    const running = await runningServer(cluster.folder);
    if (hasEnded(server)) {
      if (running) throw new DataFolderInUseError();
      throw new EmbeddedPostgresError(`PostgreSQL did not start: ${await reasonGiven(cluster.logFile)}`);
    }
    try {
      // Another start's server may be what answers at this port.
      if (running?.pid === server.child.pid) {
        return await own(databaseUrl(cluster.password, port, 'postgres'), { waitMs: OWN_LIMIT_MS });
      }
    } catch (error) {
      if (error instanceof DataFolderInUseError) throw error;
      if (performance.now() > limit) {
        throw new EmbeddedPostgresError('PostgreSQL did not answer in time', { cause: error });
      }
    }
    await delay(25);
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

/** Writes the port down where it is another one: on a full disk even that would fail. */
async function keepPort(portFile: string, port: number): Promise<void> {
  if ((await lastPort(portFile)) !== port) await writeFile(portFile, String(port));
}

async function lastPort(portFile: string): Promise<number> {
  return Number(await readFile(portFile, 'utf8').catch(() => '0'));
}

/** The port of the last start where it is still free, so that a second start is found at the same place. */
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

async function reasonGiven(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  return lines.findLast((line) => line.includes('FATAL:')) ?? lines.at(-1) ?? 'no reason given';
}

/** `postgres://` URL of a database of the server at a port of this machine. */
export function databaseUrl(password: string, port: number, database = DATABASE): string {
  return `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${database}`;
}
