import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../core/database/embedded-postgres/server.js';
import { freePort } from './free-port.js';

/** A server that can be taken away and brought back at its place. */
export interface Server {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const START_LIMIT_MS = 10_000;

/** PostgreSQL from the project's packages, on data of its own. What was committed is there after a restart. */
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
      if (server.url !== url) throw new Error('PostgreSQL came back at another place');
    },
  };
}

/** Redis without anything on disk: after a restart it is empty. Throws where `redis-server` is not installed. */
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
  // In a process group of its own: a Ctrl-C is for the rehearsal to hear, which then stops it.
  const server = spawn('redis-server', flags, { stdio: 'ignore', cwd: '/', detached: true });
  try {
    await once(server, 'spawn');
  } catch (cause) {
    throw new Error('redis-server is needed for this: install Redis', { cause });
  }
  try {
    await untilItAnswers(url);
    return server;
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  }
}

async function untilItAnswers(url: string): Promise<void> {
  const limit = Date.now() + START_LIMIT_MS;
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined); // Each attempt below answers for itself.
  try {
    for (;;) {
      try {
        await client.connect();
        await client.ping();
        return;
      } catch (error) {
        if (Date.now() > limit) throw error;
        await delay(20);
      }
    }
  } finally {
    client.disconnect();
  }
}
