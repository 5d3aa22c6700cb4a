import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Config } from '../../core/process/config.js';
import { bytesOf, type Cost } from './cost.js';
import { HttpError } from './errors.js';
import { createQuota } from './quota.js';
import type { RequestContext } from './route.js';

/** Bounds how many requests are under way, and what they hold in memory until clients have read their responses. */
export interface Admission {
  /** Counts a request until its exchange is over; gives an HttpError 503 where too many are under way. */
  enter(context: RequestContext): HttpError | undefined;
  /**
   * Reserves what a request takes, until its response is over; without waiting if there is room or it is cheap. Clients
   * that wait come round in turn. Throws WaitTooLong where there is no room while its wait budget lasts, QueueFull where
   * too many wait.
   */
  admit(context: RequestContext, cost: Cost): Promise<void> | undefined;
}

const MEBIBYTE = 1024 * 1024;
const CHEAP_BYTES = 64 * 1024;
/** One client may hold this share of all. */
const SHARE_OF_CLIENT = 1 / 4;
/** More requests than this don't wait: each takes some kilobytes itself. */
const MOST_WAITING = 1_000;

type AdmissionConfig = Pick<Config, 'MAX_REQUESTS' | 'MAX_REQUESTS_PER_CLIENT' | 'MAX_BUFFERED_MB'>;

export function createAdmission(config: AdmissionConfig): Admission {
  const underWay = createQuota(config.MAX_REQUESTS, config.MAX_REQUESTS_PER_CLIENT);
  const permits = config.MAX_BUFFERED_MB * MEBIBYTE;
  const memory = createSemaphore({
    permits,
    permitsPerKey: permits * SHARE_OF_CLIENT,
    queueLimit: MOST_WAITING,
  });

  async function wait(context: RequestContext, permits: number): Promise<void> {
    const { client: key, signal, waitBudget } = context;
    context.whenOver(await memory.acquire({ permits, key, signal, waitBudget }));
  }

  return {
    enter(context) {
      const leave = underWay.enter(context.client);
      if (!leave) return overloaded();
      context.whenOver(leave);
      return undefined;
    },
    admit(context, cost) {
      const permits = bytesOf(cost);
      if (permits <= CHEAP_BYTES) return undefined;
      const release = memory.tryAcquire({ permits, key: context.client });
      if (!release) return wait(context, permits);
      context.whenOver(release);
      return undefined;
    },
  };
}

/** The reply to a request that there is no room for now. */
export function overloaded(cause?: unknown): HttpError {
  return new HttpError(503, 'too much is asked for at once', { headers: { 'retry-after': '2' }, cause });
}
