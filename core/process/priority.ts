import { existsSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Niceness of processes that do long work: beside one of the usual niceness each gets a quarter of a processor. */
const NICENESS = 5;

/**
 * Lets processes of the usual priority go first where there are fewer processors than work: the API answers from memory in
 * microseconds, while a blend or a read of many rows takes seconds. Without a process, for the one that calls; processes
 * that are started later by it have its priority. A priority that is lower already is kept.
 */
export function lowerPriority(pid = process.pid): void {
  for (const thread of threadsOf(pid)) setPriority(thread, Math.max(getPriority(thread), NICENESS));
}

/** On Linux each thread has a priority of its own. */
function threadsOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map(Number) : [pid];
}
