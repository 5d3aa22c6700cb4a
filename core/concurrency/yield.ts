import { setImmediate } from 'node:timers/promises';

const MAX_BUSY_MS = 8;

/**
 * For long work on the main thread: the returned function, awaited between its steps, lets the event loop handle
 * other work if more than eight milliseconds have passed since it last did.
 */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_BUSY_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
