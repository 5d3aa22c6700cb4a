import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import { freePort } from '../rehearse/free-port.js';

const START_LIMIT_MS = 10_000;

/** Starts a Redis without persistence. Throws if `redis-server` is not installed. */
export async function startRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  // In its own process group: Ctrl-C reaches only the tool, which then stops the server.
  const server = spawn('redis-server', flags, { stdio: 'ignore', cwd: '/', detached: true });
  await once(server, 'spawn').catch((cause: unknown) => {
    throw new Error('cannot run redis-server: is Redis installed?', { cause });
  });
  const exited = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGKILL');
    await exited;
  };
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined); // It connects again until the server is up.
  try {
    await Promise.race([client.ping(), once(AbortSignal.timeout(START_LIMIT_MS), 'abort').then(notInTime)]);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    client.disconnect();
  }
}

function notInTime(): never {
  throw new Error(`Redis did not start within ${START_LIMIT_MS / 1_000} s`);
}
