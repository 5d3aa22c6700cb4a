import { createSemaphore, type WaitBudget } from '../../core/concurrency/semaphore.js';
import { type HttpError, overloaded } from './errors.js';

export interface Cost {
  /** Each source of a row counts as one. */
  rows: number;
  rawDays: number;
  /** Bytes held in memory as a whole, not streamed: of a body or a response. */
  wholeBytes?: number;
  /** Whether the request reads the database other than for days of raw rows. */
  reads?: boolean;
}

export const LITTLE: Cost = { rows: 1, rawDays: 0 };

const MEBIBYTE = 1024 * 1024;
const ROW_BYTES = 96;
/** A stream holds the buffer of its encoder, three chunks on their way to the client, and perhaps a compressor. */
const STREAM_BYTES = 1.5 * MEBIBYTE;
/** All sources together publish some 1,700 rows a day, of 18 bytes each. */
const RAW_DAY_BYTES = 30 * 1024;
/** Raw rows of long ranges are read in batches of at most this many days. */
const LONGEST_PORTION_DAYS = 92;

const MOST_ROWS_AT_ONCE = 16_000;
const MOST_BYTES_AT_ONCE = MEBIBYTE;

/** Whether making the response takes longer than about a millisecond and would block the event loop. */
export function isLong({ rows, rawDays, wholeBytes = 0, reads = false }: Cost): boolean {
  return reads || rawDays > 0 || rows > MOST_ROWS_AT_ONCE || wholeBytes > MOST_BYTES_AT_ONCE;
}

/** The estimated bytes that a request holds until the client has read its response. */
export function bytesOf({ rows, rawDays, wholeBytes = 0 }: Cost): number {
  const response = Math.min(rows * ROW_BYTES, STREAM_BYTES);
  return response + Math.min(rawDays, LONGEST_PORTION_DAYS) * RAW_DAY_BYTES + wholeBytes;
}

export interface Waiter {
  /** The `clientKey` of the client. */
  readonly client: string;
  readonly signal: AbortSignal;
  /** How long the request may still wait in queues before its response begins. */
  readonly waitBudget: WaitBudget;
  whenOver(callback: () => void): void;
}

export type Admission = ReturnType<typeof createAdmission>;

const CHEAP_BYTES = 64 * 1024;
const SHARE_OF_CLIENT = 1 / 4;
/** At most this many requests wait, as each holds some kilobytes itself. */
const MOST_WAITING = 1_000;

/** What an API takes on at a time. More requests or memory would not make it faster: run more APIs instead. */
const LIMITS = {
  requests: 1_000,
  requestsPerClient: 256,
  bufferedBytes: 128 * MEBIBYTE,
};

export type AdmissionLimits = typeof LIMITS;

export function createAdmission(limits: Partial<AdmissionLimits> = {}) {
  const { requests, requestsPerClient, bufferedBytes: permits } = { ...LIMITS, ...limits };
  const underWay = createSemaphore({ permits: requests, permitsPerKey: requestsPerClient });
  const memory = createSemaphore({
    permits,
    permitsPerKey: permits * SHARE_OF_CLIENT,
    queueLimit: MOST_WAITING,
  });

  async function wait(context: Waiter, permits: number): Promise<void> {
    const { client: key, signal, waitBudget } = context;
    context.whenOver(await memory.acquire({ permits, key, signal, waitBudget }));
  }

  return {
    /** Counts a request until its exchange is over. Returns an HttpError 503 at the limit. */
    enter(context: Waiter): HttpError | undefined {
      const leave = underWay.tryAcquire({ key: context.client });
      if (!leave) return overloaded();
      context.whenOver(leave);
      return undefined;
    },
    /** Reserves memory until the response is over; clients take turns. Throws WaitTooLong or QueueFull. */
    admit(context: Waiter, cost: Cost): Promise<void> | undefined {
      const permits = bytesOf(cost);
      if (permits <= CHEAP_BYTES) return undefined;
      const release = memory.tryAcquire({ permits, key: context.client });
      if (!release) return wait(context, permits);
      context.whenOver(release);
      return undefined;
    },
  };
}
