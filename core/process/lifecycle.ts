import { startFailure } from './start-failure.js';

export interface Running {
  /** Finishes pending work and releases all resources. Called once. `drains` is true after SIGTERM. */
  close(how: { drains: boolean }): Promise<void>;
  /** Milliseconds, for a program that continues to serve or waits for its own processes. */
  extraCloseMs?: number;
  /** For a program that may end by itself. Settles with the exit code; the program is closed afterwards. */
  ended?: Promise<number>;
}

/** `newest` is the day of the newest rates that it serves, if any. */
export interface Listening {
  url: string;
  newest?: string | undefined;
}

/**
 * A message from a program to the parent that started it, over their IPC channel. `progress` has the days of shipped rates
 * that are loaded, how many there are, and the milliseconds that the last of them took.
 */
export type ProgramMessage =
  | { type: 'ready' }
  | { type: 'blended' }
  | ({ type: 'listening' } & Listening)
  | { type: 'migrated'; migrations: number; ms: number }
  | { type: 'progress'; what: 'rates'; done: number; total: number; ms: number };

/** Exit code of a program that can't start with its configuration, so that restarting it would not help (EX_CONFIG). */
export const CANNOT_START = 78;

const CLOSE_LIMIT_MS = 10_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts a program, waits for a stop signal or the loss of the parent, closes it and ends the process. Exits
 * with 0 after a stop; with 78 and one line if an external cause prevents the start; with 1 and the stack for
 * any other error, or if closing takes longer than ten seconds plus the extra time. Call it as the last
 * statement of a module, because declarations further down do not exist before that.
 */
export async function runProgram(
  start: (stopping: AbortSignal) => Promise<Running>,
  { closeLimitMs = CLOSE_LIMIT_MS }: { closeLimitMs?: number } = {},
): Promise<never> {
  const stopping = new AbortController();
  let limit: NodeJS.Timeout | undefined;
  const limitClosing = (extraMs = 0) => {
    clearTimeout(limit);
    limit = setTimeout(() => process.exit(1), extraMs + closeLimitMs).unref();
  };
  const stopped = stopRequest().then((request) => {
    limitClosing();
    stopping.abort();
    return request;
  });
  try {
    const running = await start(stopping.signal);
    notifyParent({ type: 'ready' });
    const end = await Promise.race([stopped, running.ended ?? stopped]);
    limitClosing(running.extraCloseMs);
    await running.close({ drains: end === 'SIGTERM' });
    process.exit(typeof end === 'number' ? end : 0);
  } catch (error) {
    // A program that was stopped while it was starting has nothing to close yet.
    if (stopping.signal.aborted && error === stopping.signal.reason) process.exit(0);
    const line = startFailure(error);
    process.stderr.write(`almanac: ${line ?? (error instanceof Error ? error.stack : error)}\n`);
    process.exit(line === undefined ? 1 : CANNOT_START);
  }
}

export function notifyParent(message: ProgramMessage): void {
  if (process.connected) process.send?.(message);
}

/** Ignores further signals, as a Ctrl-C arrives from both the terminal and the parent. */
function stopRequest(): Promise<(typeof STOP_SIGNALS)[number] | 'disconnect'> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve(signal));
    process.on('disconnect', () => resolve('disconnect'));
    // The parent may have disappeared while this program was loading.
    if (process.connected === false) resolve('disconnect');
  });
}
