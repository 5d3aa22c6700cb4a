import { runInThread } from '../../../core/process/run-in-thread.js';
import { PublicationError } from '../../../core/publication/publication-error.js';
import type { ReadBlended } from './read-blended.js';
import type { ReadProvider } from './read-provider.js';
import type { ReadingData, ReadingReply } from './reading-thread.js';

export const readBlendedInThread: ReadBlended = (given) => readInThread({ reader: 'blended', given });

export const readProviderInThread: ReadProvider = (given) => readInThread({ reader: 'provider', given });

async function readInThread<Read>(data: ReadingData): Promise<Read> {
  const reply = await runInThread<ReadingReply>('src/rates/published/reading-thread.js', data);
  if ('read' in reply) return reply.read as Read;
  throw new PublicationError(reply.fault, reply.detail, { path: reply.path });
}
