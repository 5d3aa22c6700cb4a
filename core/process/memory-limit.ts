import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;

/** The limit of memory of the container, in megabytes; infinity where there is none. */
export function memoryLimitMegabytes(): number {
  // Without a limit it is 0, or more than any machine has.
  return (process.constrainedMemory() || Number.POSITIVE_INFINITY) / MEBIBYTE;
}

/** The memory that the programs of a container or of a machine have together, in megabytes. */
export function availableMegabytes(): number {
  return Math.min(memoryLimitMegabytes(), totalmem() / MEBIBYTE);
}
