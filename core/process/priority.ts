import { existsSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Niceness beside the API, which has 0: niceness 5 gets a quarter of a processor, and 10 a tenth. */
export const NICENESS = { worker: 5, database: 5, commandLine: 10 };

/**
 * Lowers the priority of a process, so that processes of normal priority run first when processors are scarce: the API
 * responds from memory in microseconds, while a blend or a read of many rows takes seconds. Child processes started later
 * inherit the priority. Keeps a priority that is already lower.
 */
export function lowerPriority(niceness: number, pid = process.pid): void {
  for (const thread of threadsOf(pid)) setPriority(thread, Math.max(getPriority(thread), niceness));
}

/** On Linux each thread has its own priority. */
function threadsOf(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  return existsSync(folder) ? readdirSync(folder).map(Number) : [pid];
}
