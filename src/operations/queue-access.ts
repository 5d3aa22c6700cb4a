import type { Logger } from 'pino';
import { createCoolDown } from '../../core/concurrency/within.js';
import { watchConnection } from '../../core/process/connection-errors.js';
import type { QueueStore, Queues } from '../../core/queues/queues.js';
import { HttpError } from '../http/errors.js';

/** For a process that also works without the queues. */
export type QueueAccess = ReturnType<typeof openQueueAccess>;

const COOL_DOWN_MS = 2_000;
const RETRY_AFTER_SECONDS = '5';

/** After a failure, does not connect again for two seconds. */
export function openQueueAccess(store: QueueStore, log: Logger) {
  const watch = watchConnection(log, 'job queues');
  const coolDown = createCoolDown();
  let opening: Promise<Queues> | undefined;
  let lastError: unknown;

  async function open(): Promise<Queues> {
    try {
      const { openQueues } = await import('../../core/queues/queues.js');
      const queues = await openQueues(store, { log });
      watch.recovered();
      return queues;
    } catch (error) {
      watch.failed(error);
      coolDown.start(COOL_DOWN_MS);
      lastError = error;
      opening = undefined;
      throw queuesUnavailable(error);
    }
  }

  return {
    /** Connects at the first call. Throws an HttpError 503 while the queues' server is unreachable. */
    async get(): Promise<Queues> {
      if (coolDown.isActive()) throw queuesUnavailable(lastError);
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

/** Undefined while the queues can't be reached. */
export async function withReachableQueues<T>(
  access: QueueAccess | undefined,
  work: (queues: Queues) => Promise<T>,
): Promise<T | undefined> {
  return withQueues(access, work).catch((error: unknown) => {
    if (error instanceof HttpError && error.status === 503) return undefined;
    throw error;
  });
}

function queuesUnavailable(cause: unknown): HttpError {
  return new HttpError(503, 'the job queue cannot be reached', {
    cause,
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
