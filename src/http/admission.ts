import { createSemaphore, QueueFull, WaitTooLong } from '../../core/concurrency/semaphore.js';
import { HttpError } from './errors.js';
import type { Exchange } from './exchange.js';

/** What a request takes, as far as can be told before its work begins. */
export interface Cost {
  /** Rows of the response. Each source of a row counts as one. */
  rows: number;
  /** Days of which raw rows are read. */
  rawDays: number;
}

/** Bounds what requests hold in memory until their responses have been read by their clients. */
export interface Admission {
  /** Whether a request is so cheap that it always passes. */
  isCheap(cost: Cost): boolean;
  /**
   * Reserves what a request takes, until its exchange is over. Clients that wait come round in turn. Throws an HttpError
   * 503 where there is no room for two seconds.
   */
  admit(exchange: Exchange, cost: Cost): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;
const CHEAP_BYTES = 64 * 1024;
const ROW_BYTES = 96;
/** A stream has two buffers, of which the client reads one while the other is filled. */
const STREAM_BYTES = 2.5 * MEBIBYTE;
/** All sources together publish some 1,700 rows a day, of 18 bytes each. */
const RAW_DAY_BYTES = 30 * 1024;
/** Raw rows of long ranges are read in portions of so many days at most. */
const LONGEST_PORTION_DAYS = 92;
/** One client may hold this share of all. */
const SHARE_OF_CLIENT = 1 / 4;
const LONGEST_WAIT_MS = 2_000;
/** More requests than this don't wait: each takes some kilobytes itself. */
const MOST_WAITING = 1_000;

/** `megabytes` is what all requests may hold together. */
export function createAdmission(megabytes: number): Admission {
  const permits = megabytes * MEBIBYTE;
  const memory = createSemaphore({
    permits,
    permitsPerKey: permits * SHARE_OF_CLIENT,
    queueLimit: MOST_WAITING,
  });
  return {
    isCheap: (cost) => bytesOf(cost) <= CHEAP_BYTES,
    async admit(exchange, cost) {
      try {
        const claim = { permits: bytesOf(cost), key: exchange.client, waitMs: LONGEST_WAIT_MS };
        exchange.whenOver(await memory.acquire({ ...claim, signal: exchange.signal }));
      } catch (error) {
        throw error instanceof WaitTooLong || error instanceof QueueFull ? overloaded(error) : error;
      }
    },
  };
}

/** The reply to a request that there is no room for now. */
export function overloaded(cause: unknown): HttpError {
  return new HttpError(503, 'too much is asked for at once', { headers: { 'retry-after': '2' }, cause });
}

function bytesOf({ rows, rawDays }: Cost): number {
  const response = Math.min(rows * ROW_BYTES, STREAM_BYTES);
  return response + Math.min(rawDays, LONGEST_PORTION_DAYS) * RAW_DAY_BYTES;
}
