import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { CANNOT_START, type Listening, type ProgramMessage } from './lifecycle.js';

/** A program that is run as a child process for as long as this process runs. */
export interface Program {
  name: string;
  fork(): ChildProcess;
  /** By how much it may take longer to close than others, in milliseconds. */
  extraCloseMs?: number;
}

interface Hooks {
  log: Logger;
  onListening?(listening: Listening): void;
  /** Called when it exits because its settings or servers prevent a start, which it has logged. Returns whether to give up. */
  onCannotStart(): 'leave' | 'try-again';
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const SETTLED_MS = 60_000;
const STOP_LIMIT_MS = 12_000;

/**
 * Runs the program and restarts it when it exits. The delay before a restart doubles from half a second to half a
 * minute, and starts over once the program has run for a minute. `stop()` sends SIGTERM, SIGKILL after 12 seconds and
 * what it may take longer, and waits for the exit.
 */
export function supervise(program: Program, hooks: Hooks): { stop(): Promise<void> } {
  let child: ChildProcess | undefined;
  let delayMs = FIRST_DELAY_MS;
  let restart: NodeJS.Timeout | undefined;
  let stopping = false;
  let wasReady = false;

  const start = () => {
    const startedAt = performance.now();
    const started = program.fork();
    child = started;
    started.on('message', (message: ProgramMessage) => {
      if (message.type === 'ready') wasReady = true;
      if (message.type === 'listening') hooks.onListening?.(message);
    });
    started.on('exit', (code, signal) => ended(startedAt, { code, signal }));
    started.on('error', (error) => {
      // Without a process id it was never started, and there will be no exit event.
      if (started.pid === undefined) ended(startedAt, { code: null, signal: null, reason: error.message });
    });
  };
  const ended = (startedAt: number, how: { code: number | null; signal: string | null; reason?: string }) => {
    child = undefined;
    if (stopping) return;
    if (how.code === CANNOT_START && !wasReady && hooks.onCannotStart() === 'leave') return;
    if (performance.now() - startedAt > SETTLED_MS) delayMs = FIRST_DELAY_MS;
    hooks.log.error({ program: program.name, ...how, delayMs }, 'program exited unexpectedly, restarting');
    restart = setTimeout(start, delayMs);
    delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
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
      const timer = setTimeout(() => ending.kill('SIGKILL'), STOP_LIMIT_MS + (program.extraCloseMs ?? 0));
      await ended.finally(() => clearTimeout(timer));
    },
  };
}
