import { Worker } from 'node:worker_threads';
import { unpackColumns } from '../../../core/columns/columns.js';
import { PublicationError } from '../../../core/publication/publication-error.js';
import type { BlendedReply } from './blended-thread.js';
import type { ReadBlended } from './read-blended.js';

/** As `readBlended`, in a thread of its own: meanwhile a program that starts reads in the rest of itself. */
export const readInThread: ReadBlended = (whole) =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./blended-thread.js', import.meta.url), { workerData: whole });
    thread.once('message', (reply: BlendedReply) => {
      if ('fault' in reply) {
        const { fault, detail, path } = reply;
        reject(new PublicationError(fault, detail, { path }));
        return;
      }
      const { day, week, month } = reply.periods;
      resolve({ day: unpackColumns(day), week: unpackColumns(week), month: unpackColumns(month) });
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that reads the rates has ended without them')));
  });
