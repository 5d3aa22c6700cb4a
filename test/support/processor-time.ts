import { readFileSync } from 'node:fs';

/** The processor time of this process in milliseconds. Unlike a clock, it stops while other processes run. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The processor time of this thread in milliseconds, without the process's other threads. On systems that don't count it,
 * the time of a clock.
 */
function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** The longest time for which the work blocked this thread's event loop, in milliseconds of processor time. */
export async function lagDuring(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadMs();
  const look = () => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return longest;
}
