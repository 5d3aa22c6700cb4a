import type { Logger } from 'pino';
import { watchConnection } from '../../core/process/connection-errors.js';
import type { QueueStore, Queues } from '../../core/queues/queues.js';
import { HttpError, unavailable } from '../http/errors.js';

/** For a process that also works without the queues. */
export type QueueAccess = ReturnType<typeof openQueueAccess>;

const COOL_DOWN_MS = 2_000;

/** After a failure, does not connect again for two seconds. */
export function openQueueAccess(store: QueueStore, log: Logger) {
  const watch = watchConnection(log, 'job queues');
  let opening: Promise<Queues> | undefined;

  async function open(): Promise<Queues> {
    try {
      const { openQueues } = await import('../../core/queues/queues.js');
      const queues = await openQueues(store, { log });
      watch.recovered();
      return queues;
    } catch (error) {
      watch.failed(error);
      setTimeout(() => (opening = undefined), COOL_DOWN_MS).unref();
      throw queuesUnavailable(error);
    }
  }

  return {
    /** Connects at the first call. Throws an HttpError 503 while the queues' server is unreachable. */
    async get(): Promise<Queues> {
      opening ??= open();
      return opening;
    },
    async close() {
      const queues = await opening?.catch(() => undefined); // If opening failed, there is nothing to close.
      await queues?.close();
    },
  };
}

/** Any error but an HttpError becomes a 503. */
export async function withQueues<T>(
  access: QueueAccess | undefined,
  work: (queues: Queues) => Promise<T>,
): Promise<T> {
  if (!access) throw queuesUnavailable(undefined);
  const queues = await access.get();
  try {
    return await work(queues);
  } catch (cause) {
    throw cause instanceof HttpError ? cause : queuesUnavailable(cause);
  }
}

/** For what is shown also while the queues can't be reached: undefined for that error. Throws any other. */
export function ifUnreachable(error: unknown): undefined {
  if (!(error instanceof HttpError && error.status === 503)) throw error;
}

const queuesUnavailable = (cause: unknown) => unavailable('the job queue cannot be reached', cause);
