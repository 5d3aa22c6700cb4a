import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ReplaceMessage } from './blends-thread.js';
import { type PackedBlends, packBlends, unpackBlends } from './packed-blends.js';
import type { ReplaceBlends } from './replace-blends.js';

/** Replaces blends in a thread of its own, as it takes half a second for decades. */
export const replaceBlendsInThread: ReplaceBlends = async (chunks, replaced) => {
  const workerData: ReplaceMessage = replaced && { ...replaced, old: packBlends(replaced.old) };
  const thread = new Worker(new URL('./blends-thread.js', import.meta.url), { workerData });
  const reply = once(thread, 'message');
  reply.catch(() => undefined); // Awaited once all is sent.
  try {
    for await (const chunk of chunks) {
      const copy = Uint8Array.from(chunk);
      thread.postMessage(copy, [copy.buffer]);
    }
    thread.postMessage(undefined);
    const [blends] = (await reply) as [PackedBlends];
    return unpackBlends(blends);
  } finally {
    await thread.terminate();
  }
};
