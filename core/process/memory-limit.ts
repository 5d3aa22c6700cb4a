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
