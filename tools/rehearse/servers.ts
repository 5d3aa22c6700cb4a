import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../core/database/embedded-postgres/server.js';
import { freePort } from './free-port.js';

/** A server that can be stopped and started again on the same port. */
export interface Server {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const START_LIMIT_MS = 10_000;

/** The embedded PostgreSQL with its own data folder. Committed data survive a restart. */
export async function startPostgres(folder: string): Promise<Server> {
  const data = join(folder, 'postgres-data');
  let server: EmbeddedPostgres | undefined = await startEmbeddedPostgres(data);
  const { url } = server;
  return {
    url,
    async stop() {
      await server?.stop();
      server = undefined;
    },
    async start() {
      server ??= await startEmbeddedPostgres(data);
      if (server.url !== url) throw new Error('PostgreSQL restarted on another port');
    },
  };
}

/** Redis without persistence: it is empty after a restart. Throws if `redis-server` is not installed. */
export async function startRedis(): Promise<Server> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined = await launch(port, url);
  return {
    url,
    async stop() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      server = undefined;
    },
    async start() {
      server ??= await launch(port, url);
    },
  };
}

async function launch(port: number, url: string): Promise<ChildProcess> {
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  // In its own process group: Ctrl-C reaches only the tool, which then stops the server.
  const server = spawn('redis-server', flags, { stdio: 'ignore', cwd: '/', detached: true });
  await once(server, 'spawn').catch((cause: unknown) => {
    throw new Error('cannot run redis-server: is Redis installed?', { cause });
  });
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // It connects again until the server is up.
  try {
    await Promise.race([client.ping(), once(AbortSignal.timeout(START_LIMIT_MS), 'abort').then(notInTime)]);
    return server;
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  } finally {
    client.disconnect();
  }
}

function notInTime(): never {
  throw new Error(`Redis did not start within ${START_LIMIT_MS / 1_000} s`);
}
