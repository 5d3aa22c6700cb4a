import { existsSync, readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Niceness beside the API, which has 0: niceness 5 gets a quarter of a processor, and 10 a tenth. */
export const NICENESS = { worker: 5, database: 5, commandLine: 10 };

/** Lets the API respond first when processors are scarce. Later children inherit it. Keeps a lower priority. */
export function lowerPriority(niceness: number, pid = process.pid): void {
  const folder = `/proc/${pid}/task`;
  const threads = existsSync(folder) ? readdirSync(folder).map(Number) : [pid];
  for (const thread of threads) setPriority(thread, Math.max(getPriority(thread), niceness));
}
