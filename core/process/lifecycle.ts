import { startFailure } from './start-failure.js';

/** A program that has started. */
export interface Running {
  /** Finishes what is under way and gives everything back. Called once; `drains` after SIGTERM. */
  close(how: { drains: boolean }): Promise<void>;
  /** By how much it may take longer to close than others, in milliseconds, as it goes on serving or waits for its own. */
  extraCloseMs?: number;
  /** For a program that may end without being asked to: settles with the exit code, after which it is closed. */
  ended?: Promise<number>;
}

interface ProgramOptions {
  /** Longest time from the stop request to the end. */
  closeLimitMs?: number;
}

/** Where a program listens, and the day of the newest rates that it serves, if it has any. */
export interface Listening {
  url: string;
  newest?: string | undefined;
}

/** What a program tells the parent that started it, over the channel between them. */
export type ProgramMessage = { type: 'ready' } | ({ type: 'listening' } & Listening);

/** Exit code of a program that can't start as it is set up: starting it again would not help (EX_CONFIG). */
export const CANNOT_START = 78;

const CLOSE_LIMIT_MS = 10_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a whole program: starts it, waits for a stop signal or for the parent to go away, closes it and ends the
 * process. The signal that `start` gets aborts at the stop, for whatever it waits for. Exit code 0 after a stop; 78
 * with one line on standard error where something outside keeps it from starting; 1 with the stack for any other
 * error, or where closing takes longer than its limit of ten seconds and what the program says that it takes longer.
 *
 * To be called by the last statement of a module: before that, what it declares further down does not exist yet.
 */
export async function runProgram(
  start: (stopping: AbortSignal) => Promise<Running>,
  options: ProgramOptions = {},
): Promise<never> {
  const stopping = new AbortController();
  let limit: NodeJS.Timeout | undefined;
  const limitClosing = (extraMs = 0) => {
    clearTimeout(limit);
    limit = setTimeout(() => process.exit(1), extraMs + (options.closeLimitMs ?? CLOSE_LIMIT_MS)).unref();
  };
  const stopped = stopRequest().then((request) => {
    limitClosing();
    stopping.abort();
    return request;
  });
  try {
    const running = await start(stopping.signal);
    tellParent({ type: 'ready' });
    const end = await Promise.race([stopped, running.ended ?? stopped]);
    limitClosing(running.extraCloseMs);
    await running.close({ drains: end === 'SIGTERM' });
    process.exit(typeof end === 'number' ? end : 0);
  } catch (error) {
    // What was asked to stop while it waited has nothing to close yet.
    if (stopping.signal.aborted && error === stopping.signal.reason) process.exit(0);
    const line = startFailure(error);
    process.stderr.write(`almanac: ${line ?? describe(error)}\n`);
    process.exit(line === undefined ? 1 : CANNOT_START);
  }
}

/** Tells the parent, if there is one that listens. */
export function tellParent(message: ProgramMessage): void {
  if (process.connected) process.send?.(message);
}

/** Settles at the first stop signal. Further ones change nothing: a Ctrl-C comes from the terminal and the parent. */
function stopRequest(): Promise<(typeof STOP_SIGNALS)[number] | 'disconnect'> {
  return new Promise((resolve) => {
    for (const signal of STOP_SIGNALS) process.on(signal, () => resolve(signal));
    process.on('disconnect', () => resolve('disconnect'));
    // The parent may have gone while this program was loaded.
    if (process.connected === false) resolve('disconnect');
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
