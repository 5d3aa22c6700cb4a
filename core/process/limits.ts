import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

/** The limit of the container; infinity if there is none. */
export function memoryLimitMegabytes(): number {
  // Without a limit the value is 0, or larger than any machine's memory.
  return (process.constrainedMemory() || Number.POSITIVE_INFINITY) / MEBIBYTE;
}

export function availableMegabytes(): number {
  return Math.min(memoryLimitMegabytes(), totalmem() / MEBIBYTE);
}

/** The limit of open files and connections. Undefined if there is none, or the system is not Linux. */
export async function openFilesLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return most === undefined ? undefined : Number(most);
}
