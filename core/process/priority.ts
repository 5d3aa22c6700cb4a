import { getPriority, setPriority } from 'node:os';

/** Niceness of processes that do long work: beside one of the usual niceness each gets a quarter of a processor. */
const NICENESS = 6;

/**
 * Lets processes of the usual priority go first where there are fewer processors than work: the API answers from memory in
 * microseconds, while a blend or a read of many rows takes seconds. Without a process, for the one that calls; processes
 * that are started later by it have its priority. A priority that is lower already is kept.
 */
export function lowerPriority(pid = process.pid): void {
  setPriority(pid, Math.max(getPriority(pid), NICENESS));
}
