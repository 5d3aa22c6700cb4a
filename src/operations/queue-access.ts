import type { Logger } from 'pino';
import { watchConnection } from '../../core/process/connection-errors.js';
import { openQueues, type QueueStore, type Queues } from '../../core/queues/queues.js';
import { HttpError } from '../http/errors.js';

/** The way to the jobs for a process that lives without it. */
export interface QueueAccess {
  /** Connects when first asked. Throws an HttpError 503 while the queues' server can't be reached. */
  get(): Promise<Queues>;
  close(): Promise<void>;
}

const REST_MS = 2_000;
const RETRY_AFTER_SECONDS = '5';

/** Nothing is connected before it is asked for; after a failure it isn't tried again for two seconds. */
export function openQueueAccess(store: QueueStore, log: Logger): QueueAccess {
  const outage = watchConnection(log, 'job queues');
  let opening: Promise<Queues> | undefined;

  function open(): Promise<Queues> {
    const attempt = openQueues(store, { log });
    attempt.then(outage.recovered, (error: unknown) => {
      outage.failed(error);
      setTimeout(() => {
        opening = undefined;
      }, REST_MS).unref();
    });
    return attempt;
  }

  return {
    async get() {
      opening ??= open();
      return opening.catch((cause: unknown) => {
        throw queueAway(cause);
      });
    },
    async close() {
      const queues = await opening?.catch(() => undefined); // What never opened needs no closing.
      await queues?.close();
    },
  };
}

/** Runs what asks the queues. Any failure of theirs becomes the one 503; an HttpError goes on as it is. */
export async function withQueues<T>(
  access: QueueAccess | undefined,
  work: (queues: Queues) => Promise<T>,
): Promise<T> {
  if (!access) throw queueAway(undefined);
  const queues = await access.get();
  try {
    return await work(queues);
  } catch (cause) {
    throw cause instanceof HttpError ? cause : queueAway(cause);
  }
}

function queueAway(cause: unknown): HttpError {
  return new HttpError(503, 'the job queue can not be reached', {
    cause,
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}
