import { parentPort, workerData } from 'node:worker_threads';
import { type Fault, PublicationError } from '../../../core/publication/publication-error.js';
import { type ReadBlended, readBlended, type WholeBlend } from './read-blended.js';

/** What a thread replies: the rates, or what is wrong with them. */
export type BlendedReply =
  | { periods: Awaited<ReturnType<ReadBlended>> }
  | { fault: Fault; detail: string; path: string | undefined };

async function read(whole: WholeBlend): Promise<BlendedReply> {
  try {
    return { periods: await readBlended(whole) };
  } catch (error) {
    if (!(error instanceof PublicationError)) throw error;
    const { fault, detail, path } = error;
    return { fault, detail, path };
  }
}

// Any other error ends the thread, and reaches its parent.
void read(workerData).then((reply) => parentPort?.postMessage(reply));
