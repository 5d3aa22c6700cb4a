import { Worker } from 'node:worker_threads';
import { codeFile } from '../../../core/process/project-files.js';
import { PublicationError } from '../../../core/publication/publication-error.js';
import type { ReadBlended } from './read-blended.js';
import type { ReadProvider } from './read-provider.js';
import type { ReadingData, ReadingReply } from './reading-thread.js';

export const readBlendedInThread: ReadBlended = (given) => readInThread({ reader: 'blended', given });

export const readProviderInThread: ReadProvider = (given) => readInThread({ reader: 'provider', given });

function readInThread<Read>(workerData: ReadingData): Promise<Read> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(codeFile('src/rates/published/reading-thread.js'), { workerData });
    thread.once('message', (reply: ReadingReply) => {
      if ('read' in reply) resolve(reply.read as Read);
      else reject(new PublicationError(reply.fault, reply.detail, { path: reply.path }));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the thread that reads the rates has ended without them')));
  });
}
