import { readFileSync } from 'node:fs';

/** Milliseconds for which this process has had a processor: unlike a clock, they don't go on while others have it. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Milliseconds for which this thread has had a processor, whatever the process's other threads do. Where the system
 * doesn't count them, the clock's.
 */
function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** The longest time for which this thread's event loop did nothing else, in milliseconds of its processor time. */
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
