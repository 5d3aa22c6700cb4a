import { existsSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * The niceness of programs beside the API, which has 0. Beside one of niceness 0, a process of niceness 5 gets a quarter
 * of a processor, and one of 10 a tenth.
 */
export const NICENESS = { databaseServer: 5, longWork: 10 };

/**
 * Lets processes of the usual priority go first where there are fewer processors than work: the API answers from memory in
 * microseconds, while a blend or a read of many rows takes seconds. Without a process, for the one that calls; processes
 * that are started later by it have its priority. A priority that is lower already is kept.
 */
export function lowerPriority(niceness: number, pid = process.pid): void {
  for (const thread of threadsOf(pid)) setPriority(thread, Math.max(getPriority(thread), niceness));
}

/** On Linux each thread has a priority of its own. */
function threadsOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map(Number) : [pid];
}
