import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Usage } from './probe.js';

/** A child process that is measured, or that generates load. */
export interface Child {
  process: ChildProcess;
  /** Sends a message and returns the next one of that type. Rejects if the process exits before. */
  request<T>(message: unknown, type: string): Promise<T>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

interface ChildOptions {
  env?: Record<string, string>;
  /** File descriptor for its output; the parent's standard error if absent. */
  output?: number;
  nodeOptions?: readonly string[];
}

const PROBE = new URL('./probe.js', import.meta.url).href;
const STOP_LIMIT_MS = 12_000;

/** Starts a built program as a child process, with the probe loaded into it. */
export function startChild(program: URL, { env, output = 2, nodeOptions = [] }: ChildOptions = {}): Child {
  const child = fork(fileURLToPath(program), [], {
    execArgv: ['--import', PROBE, ...nodeOptions],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', output, output, 'ipc'],
    serialization: 'advanced',
  });
  // The child exits when the IPC channel closes. One that doesn't is killed.
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  const ended = once(child, 'exit').finally(() => process.off('exit', onExit));
  const request = <T>(message: unknown, type: string) =>
    new Promise<T>((resolve, reject) => {
      const onMessage = (reply: unknown) => {
        if ((reply as { type?: unknown }).type !== type) return;
        child.off('message', onMessage);
        resolve(reply as T);
      };
      child.on('message', onMessage);
      const failure = (code: unknown) => new Error(`${child.spawnargs[1]} ended with code ${code}`);
      ended.then(([code]) => reject(failure(code)), reject);
      if (message !== undefined) child.send(message as object);
    });
  return {
    process: child,
    request,
    usage: () => request<Usage>('usage', 'usage'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended.finally(() => clearTimeout(timer));
    },
  };
}
