import { setImmediate } from 'node:timers/promises';

const LONGEST_MS = 8;

/**
 * Long work on the main thread calls the returned function at its joints: it lets others have their turn when
 * some milliseconds have gone by since they last had.
 */
export function takingTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < LONGEST_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
