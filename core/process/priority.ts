import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/** The niceness of work beside the API, which has 0. It gets a tenth of a processor that both need. */
const NICENESS = 10;
/** The kernel refuses a user's second write within 100 ms. */
const PAUSE_MS = 110;

/** Lets the API respond first when processors are scarce. Later children inherit it. Keeps a lower priority. */
export function lowerPriority(pid = process.pid): void {
  const folder = `/proc/${pid}/task`;
  const threads = existsSync(folder) ? readdirSync(folder).map(Number) : [pid];
  for (const thread of threads) setPriority(thread, Math.max(getPriority(thread), NICENESS));
}

/** Lowers the priority of the calling thread, as setpriority(2) does on Linux alone. */
export function lowerThreadPriority(): void {
  if (process.platform === 'linux') setPriority(NICENESS);
}

/**
 * Lowers the priority of a process's session. Linux may share processors between sessions, and only then consider the niceness
 * in each (sched(7), "The autogroup feature"). Does nothing if the kernel does not, or forbids it.
 */
export async function lowerSessionPriority(pid = process.pid): Promise<void> {
  try {
    await writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
    await delay(PAUSE_MS);
    await lowerSessionPriority(pid);
  }
}
