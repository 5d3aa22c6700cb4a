import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { availableMegabytes } from '../../core/process/limits.js';
import { codeFile } from '../../core/process/project-files.js';
import { FeedError, toError, toMessage } from './feed-error.js';
import type { HttpClient } from './http/client.js';
import type { FeedRequest } from './http/request.js';
import type { readRates } from './read.js';
import type { ClientReturn, ReadingOutcome, ReadingTask } from './reading-thread.js';

export type ReadRates = typeof readRates;

/** Threads in which feeds read their sources. */
export type ReadingThreads = ReturnType<typeof openReadingThreads>;

interface ThreadsOptions extends Pick<ReadingTask, 'customSources' | 'logLevel'> {
  limits?: Partial<typeof LIMITS>;
}

const LIMITS = {
  /**
   * Limit of the heap. The longest tables take a quarter of it. Buffers are limited by the sizes of a body and of an unpacked
   * zip (live-client.ts, zip.ts); a PDF has its own thread, whose buffers are monitored (pdf-thread.ts).
   */
  megabytes: 256,
  /** Limit for the time between two requests. The longest step of a backfill takes some seconds. */
  seconds: 60,
};
/** A backfill reads repeatedly. */
const KEPT_MS = 5_000;
/** Other jobs wait for a free thread, or store what they have read. */
const MOST_THREADS = 4;
/** A thread takes up to a hundred megabytes, half of it before reading anything. A small container has fewer threads. */
const MEGABYTES_FOR_EACH = 192;
/** Collects garbage within a response early. V8's default is 48 MB. */
const YOUNG_MEGABYTES = 8;

export function openReadingThreads({ customSources, logLevel, limits }: ThreadsOptions) {
  const { megabytes, seconds } = { ...LIMITS, ...limits };
  const pool = new Piscina({
    filename: codeFile('worker/feeds/reading-thread.js'),
    minThreads: 0,
    maxThreads: Math.max(1, Math.min(MOST_THREADS, Math.floor(availableMegabytes() / MEGABYTES_FOR_EACH))),
    idleTimeout: KEPT_MS,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  /** Like `readRates`. Throws a FeedError if reading takes more memory or time than any bank; its thread is terminated. */
  const read: ReadRates = async ({ key }, request, { http, log: _, ...context }) => {
    const { port1, port2 } = new MessageChannel();
    const ending = new AbortController();
    const refuse = (what: string, cause?: unknown) =>
      new FeedError(`${key}: reading what it sent takes more than ${what}`, { cause });
    serve(port1, http, {
      limitMs: seconds * 1_000,
      onLate: () => ending.abort(refuse(`${seconds} s`)),
    });
    const task: ReadingTask = { ...context, key, request, customSources, logLevel, port: port2 };
    try {
      const outcome = (await pool.run(task, {
        transferList: [port2],
        signal: ending.signal,
      })) as ReadingOutcome;
      if ('error' in outcome) throw toError(outcome.error);
      return outcome.read;
    } catch (error) {
      if (ending.signal.aborted) throw ending.signal.reason;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      throw code === 'ERR_WORKER_OUT_OF_MEMORY' ? refuse(`${megabytes} MB of memory`, error) : error;
    } finally {
      port1.close();
    }
  };
  return { read, close: () => pool.destroy() };
}

/** Sends the requests that arrive through a port, one at a time. Calls back if the thread works for too long between them. */
function serve(
  port: MessagePort,
  http: HttpClient,
  { limitMs, onLate }: { limitMs: number; onLate: () => void },
): void {
  let timer: NodeJS.Timeout | undefined;
  port.on('message', async (request: FeedRequest | 'begun') => {
    clearTimeout(timer);
    if (request !== 'begun') port.postMessage(await carryOut(http, request));
    timer = setTimeout(onLate, limitMs).unref();
  });
  port.on('close', () => clearTimeout(timer));
}

async function carryOut(http: HttpClient, request: FeedRequest): Promise<ClientReturn> {
  try {
    const { text: _, ...answer } = await http.send(request);
    return { answer };
  } catch (error) {
    return { error: toMessage(error) };
  }
}
