import { existsSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Niceness of programs beside the API. Beside one of the usual niceness, a program of 5 gets a quarter of a processor, one of
 * 10 a tenth.
 */
export const NICENESS = { worker: 5, database: 5, commandLine: 10 };

/**
 * Lets processes of the usual priority go first where there are fewer processors than work: the API answers from memory in
 * microseconds, while a blend or a read of many rows takes seconds. Processes that are started later by this one have its
 * priority. A priority that is lower already is kept.
 */
export function lowerPriority(niceness: number, pid = process.pid): void {
  for (const thread of threadsOf(pid)) setPriority(thread, Math.max(getPriority(thread), niceness));
}

/** On Linux each thread has a priority of its own. */
function threadsOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map(Number) : [pid];
}
