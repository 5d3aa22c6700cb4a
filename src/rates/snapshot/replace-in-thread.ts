import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { codeFile } from '../../../core/process/project-files.js';
import { type PackedBlends, packBlends, type ReplaceBlends, unpackBlends } from './blends.js';
import type { ReplaceMessage } from './blends-thread.js';

/** Receiving more at once would keep requests waiting. */
const CHUNKS_AHEAD = 4;

/** Replaces blends in a thread of its own, as it takes half a second for decades. */
export const replaceBlendsInThread: ReplaceBlends = async (chunks, replaced) => {
  const workerData: ReplaceMessage = replaced && { ...replaced, old: packBlends(replaced.old) };
  const thread = new Worker(codeFile('src/rates/snapshot/blends-thread.js'), { workerData });
  const replies = on(thread, 'message', { close: ['exit'] }) as AsyncIterableIterator<[PackedBlends?]>;
  try {
    let sent = 0;
    for await (const chunk of chunks) {
      const copy = new Uint8Array(chunk);
      thread.postMessage(copy, [copy.buffer]);
      if (++sent > CHUNKS_AHEAD) await replies.next();
    }
    thread.postMessage(undefined);
    for await (const [blends] of replies) if (blends) return unpackBlends(blends);
    throw new Error('the thread that replaces blends has ended without them');
  } finally {
    await thread.terminate();
  }
};
