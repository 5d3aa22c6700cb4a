import { runInThread } from '../../../core/process/run-in-thread.js';
import type { RefreshMessage } from './refresh-thread.js';
import { type PackedSnapshot, packSnapshot, unpackSnapshot, type WholeSnapshot } from './snapshot.js';

/** Refreshes a snapshot in a thread with a connection of its own, as decades take a second. Throws the thread's error. */
export async function refreshInThread(databaseUrl: string, current: WholeSnapshot): Promise<WholeSnapshot> {
  const message: RefreshMessage = { databaseUrl, current: packSnapshot(current) };
  return unpackSnapshot(await runInThread<PackedSnapshot>('src/rates/snapshot/refresh-thread.js', message));
}
