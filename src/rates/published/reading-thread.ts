import { parentPort, workerData } from 'node:worker_threads';
import { type Fault, PublicationError } from '../../../core/publication/publication-error.js';

export interface ReadingData {
  reader: keyof typeof READERS;
  given: unknown;
}

export type ReadingReply = { read: unknown } | { fault: Fault; detail: string; path: string | undefined };

/** Each reader loads its modules only when it runs: an API that starts waits for the blended rates. */
const READERS = {
  blended: async () => (await import('./read-blended.js')).readBlended,
  provider: async () => (await import('./read-provider.js')).readProvider,
};

async function read({ reader, given }: ReadingData): Promise<ReadingReply> {
  try {
    const readGiven = await READERS[reader]();
    return { read: await readGiven(given as never) };
  } catch (error) {
    if (!(error instanceof PublicationError)) throw error;
    const { fault, detail, path } = error;
    return { fault, detail, path };
  }
}

// Any other error ends the thread, and reaches its parent.
void read(workerData).then((reply) => parentPort?.postMessage(reply));
