import { createSemaphore, type WaitBudget } from '../../core/concurrency/semaphore.js';
import type { Config } from '../../core/process/config.js';
import { type HttpError, overloaded } from './errors.js';

/** The estimated cost of a request, before its work begins. */
export interface Cost {
  /** Rows of the response. Each source of a row counts as one. */
  rows: number;
  /** Days of which raw rows are read. */
  rawDays: number;
  /** Bytes of what is held whole, and not read while it is made: a body, or a response. */
  wholeBytes?: number;
  /** Whether the database is read, though not for days of raw rows. */
  reads?: boolean;
}

/** Of what is at hand and short. */
export const LITTLE: Cost = { rows: 1, rawDays: 0 };

const MEBIBYTE = 1024 * 1024;
const ROW_BYTES = 96;
/** A stream has the buffer of its encoder, three chunks on their way to the client, and perhaps a compressor. */
const STREAM_BYTES = 1.5 * MEBIBYTE;
/** All sources together publish some 1,700 rows a day, of 18 bytes each. */
const RAW_DAY_BYTES = 30 * 1024;
/** Raw rows of long ranges are read in portions of at most this many days. */
const LONGEST_PORTION_DAYS = 92;

const MOST_ROWS_AT_ONCE = 16_000;
const MOST_BYTES_AT_ONCE = MEBIBYTE;

/** Whether making a response takes longer than about a millisecond: it must not keep the event loop busy. */
export function isLong({ rows, rawDays, wholeBytes = 0, reads = false }: Cost): boolean {
  return reads || rawDays > 0 || rows > MOST_ROWS_AT_ONCE || wholeBytes > MOST_BYTES_AT_ONCE;
}

/** An estimate of what the request holds in memory until its response has been read, in bytes. */
export function bytesOf({ rows, rawDays, wholeBytes = 0 }: Cost): number {
  const response = Math.min(rows * ROW_BYTES, STREAM_BYTES);
  return response + Math.min(rawDays, LONGEST_PORTION_DAYS) * RAW_DAY_BYTES + wholeBytes;
}

/** What of a request its waiting for room needs. */
export interface Waiter {
  /** Who counts as one client, as its address tells; see clientKey. */
  readonly client: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** How long it may still wait in queues before its response begins. */
  readonly waitBudget: WaitBudget;
  /** Calls back once the response has ended or the client has disconnected. */
  whenOver(callback: () => void): void;
}

/** Bounds how many requests are under way, and what they hold in memory until clients have read their responses. */
export interface Admission {
  /** Counts a request until its exchange is over; gives an HttpError 503 where too many are under way. */
  enter(context: Waiter): HttpError | undefined;
  /**
   * Reserves what a request takes, until its response is over; without waiting if there is room or it is cheap. Clients
   * that wait come round in turn. Throws WaitTooLong where there is no room while its wait budget lasts, QueueFull where
   * too many wait.
   */
  admit(context: Waiter, cost: Cost): Promise<void> | undefined;
}

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

  async function wait(context: Waiter, permits: number): Promise<void> {
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

/** Bounds how many of something there are at a time, in all and for each client. */
export interface Quota {
  /** Counts one more of a client, until the returned function is called; undefined where there are too many. */
  enter(client: string): (() => void) | undefined;
}

export function createQuota(inAll: number, perClient: number): Quota {
  const byClient = new Map<string, number>();
  let count = 0;

  function leave(client: string): void {
    count--;
    const left = (byClient.get(client) ?? 0) - 1;
    if (left > 0) byClient.set(client, left);
    else byClient.delete(client);
  }

  return {
    enter(client) {
      const own = byClient.get(client) ?? 0;
      if (count >= inAll || own >= perClient) return undefined;
      count++;
      byClient.set(client, own + 1);
      return () => leave(client);
    },
  };
}
