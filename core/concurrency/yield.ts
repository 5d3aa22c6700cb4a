import { setImmediate } from 'node:timers/promises';

const LONGEST_MS = 8;

/**
 * For long work on the main thread: the returned function, awaited between its steps, gives the event loop a turn
 * where more than eight milliseconds have gone by since the last one.
 */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
