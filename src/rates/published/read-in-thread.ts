import { Worker } from 'node:worker_threads';
import { PublicationError } from '../../../core/publication/publication-error.js';
import type { BlendedReply } from './blended-thread.js';
import type { ReadBlended } from './read-blended.js';

/** As `readBlended`, in a thread of its own. */
export const readInThread: ReadBlended = (whole) =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./blended-thread.js', import.meta.url), { workerData: whole });
    thread.once('message', (reply: BlendedReply) => {
      if ('periods' in reply) resolve(reply.periods);
      else reject(new PublicationError(reply.fault, reply.detail, { path: reply.path }));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that reads the rates has ended without them')));
  });
