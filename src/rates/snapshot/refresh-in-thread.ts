import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { codeFile } from '../../../core/process/project-files.js';
import type { RefreshMessage } from './refresh-thread.js';
import { type PackedSnapshot, packSnapshot, unpackSnapshot, type WholeSnapshot } from './snapshot.js';

/** Refreshes a snapshot in a thread with a connection of its own, as decades take a second. Throws the thread's error. */
export async function refreshInThread(
  current: WholeSnapshot,
  database: Omit<RefreshMessage, 'current'>,
): Promise<WholeSnapshot> {
  const workerData: RefreshMessage = { ...database, current: packSnapshot(current) };
  const thread = new Worker(codeFile('src/rates/snapshot/refresh-thread.js'), { workerData });
  try {
    const messages = on(thread, 'message', { close: ['exit'] }) as AsyncIterableIterator<[PackedSnapshot]>;
    for await (const [snapshot] of messages) return unpackSnapshot(snapshot);
    throw new Error('the thread that refreshes rates ended without a result');
  } finally {
    await thread.terminate();
  }
}
