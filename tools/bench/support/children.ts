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

export interface ChildOptions {
  env?: Record<string, string>;
  /** File descriptor for its output; the parent's standard error if absent. */
  output?: number;
  nodeOptions?: readonly string[];
}

const PROBE = new URL('./probe.js', import.meta.url).href;
const STOP_LIMIT_MS = 12_000;

/** Starts a built program as a child process, with the probe loaded into it. */
export function startChild(program: URL, options: ChildOptions = {}): Child {
  const output = options.output ?? 2;
  const child = fork(fileURLToPath(program), [], {
    execArgv: ['--import', PROBE, ...(options.nodeOptions ?? [])],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env },
    stdio: ['ignore', output, output, 'ipc'],
    serialization: 'advanced',
  });
  const ended = once(child, 'exit');
  // The child exits when the IPC channel closes. One that doesn't is killed.
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  void ended.then(() => process.off('exit', onExit));

  const request = <T>(message: unknown, type: string): Promise<T> => {
    const reply = nextMessage<T>(child, type);
    if (message !== undefined) child.send(message as object);
    return reply;
  };
  return {
    process: child,
    request,
    usage: () => request<Usage>('usage', 'usage'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

function nextMessage<T>(child: ChildProcess, type: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      if ((message as { type?: unknown }).type !== type) return;
      stopListening();
      resolve(message as T);
    };
    const onExit = (code: number | null) => {
      stopListening();
      reject(new Error(`${child.spawnargs[1] ?? 'a process'} ended with code ${code}`));
    };
    const stopListening = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}
