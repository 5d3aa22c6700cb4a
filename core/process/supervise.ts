import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { CANNOT_START, type ProgramMessage } from './lifecycle.js';

export interface Program {
  name: string;
  fork(): ChildProcess;
  /** Milliseconds beyond the time that others get. */
  extraCloseMs?: number;
}

interface Hooks {
  log: Logger;
  onMessage?(message: ProgramMessage): void;
  /** Called when its settings or servers prevent a start, which it has logged. */
  onCannotStart(): 'leave' | 'try-again';
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
const SETTLED_MS = 60_000;
const STOP_LIMIT_MS = 12_000;

/** Restarts it after half a second, doubling to half a minute. `stop()` sends SIGTERM, and SIGKILL after 12 seconds. */
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
      hooks.onMessage?.(message);
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
