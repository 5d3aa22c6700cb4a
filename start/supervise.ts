import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from 'pino';
import { CANNOT_START, type ProgramMessage } from '../core/process/lifecycle.js';

/** A program to be run as a child process, for as long as this one runs. */
export interface Program {
  name: string;
  /** Path of the JavaScript file that starts it. */
  entry: string;
  env: NodeJS.ProcessEnv;
}

interface Hooks {
  log: Logger;
  onListening?(url: string): void;
  /** It can't start as it is set up, and has said why: whether to leave it at that. */
  onCannotStart(): 'leave' | 'try-again';
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const SETTLED_MS = 60_000;
const STOP_LIMIT_MS = 12_000;

/**
 * Runs the program and starts it again when it ends, after a pause that doubles from half a second up to half a
 * minute while it keeps ending soon. `stop()` asks it to end and waits until it has, by force after 12 seconds.
 */
export function supervise(program: Program, hooks: Hooks): { stop(): Promise<void> } {
  let child: ChildProcess | undefined;
  let pause = FIRST_PAUSE_MS;
  let restart: NodeJS.Timeout | undefined;
  let stopping = false;
  let wasReady = false;

  const start = () => {
    const startedAt = performance.now();
    const started = fork(program.entry, [], { env: program.env, stdio: 'inherit' });
    child = started;
    started.on('message', (message: ProgramMessage) => {
      if (message.type === 'ready') wasReady = true;
      if (message.type === 'listening') hooks.onListening?.(message.url);
    });
    started.on('exit', (code, signal) => ended(startedAt, { code, signal }));
    started.on('error', (error) => {
      // Without a process id it never ran, and no exit will follow.
      if (started.pid === undefined) ended(startedAt, { code: null, signal: null, reason: error.message });
    });
  };
  const ended = (startedAt: number, how: { code: number | null; signal: string | null; reason?: string }) => {
    child = undefined;
    if (stopping) return;
    if (how.code === CANNOT_START && !wasReady && hooks.onCannotStart() === 'leave') return;
    if (performance.now() - startedAt > SETTLED_MS) pause = FIRST_PAUSE_MS;
    hooks.log.error({ program: program.name, ...how, pause }, 'ended unexpectedly, starts again');
    restart = setTimeout(start, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };
  start();

  return {
    async stop() {
      stopping = true;
      clearTimeout(restart);
      if (!child) return;
      const ending = child;
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      ending.kill('SIGTERM');
      const timer = setTimeout(() => ending.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended.finally(() => clearTimeout(timer));
    },
  };
}
