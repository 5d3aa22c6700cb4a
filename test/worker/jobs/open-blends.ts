import { closeWorker, openQueues, openWorker, type QueueStore } from '../../../core/queues/queues.js';
import { openLog } from '../ingest/support.js';

/** Queues, and a worker of blends that only notes the jobs it is given. */
export async function openBlends(store: QueueStore) {
  const { log, lines } = openLog();
  const queues = await openQueues(store, { log });
  const done: (string | undefined)[] = [];
  const note = async ({ id }: { id?: string | undefined }) => {
    done.push(id);
    return { version: null };
  };
  const worker = openWorker('blend', store, note, { log, concurrency: 1, lockDurationMs: 2_000 });
  const close = async () => {
    await closeWorker(worker);
    await queues.close();
  };
  return { queues, done, lines, close };
}
