import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { availableMegabytes } from '../../core/process/memory-limit.js';
import { toError, toMessage } from './error-message.js';
import { FeedError } from './feed-error.js';
import type { HttpClient } from './http/client.js';
import type { readRates } from './read.js';
import type { ClientCall, ClientReturn, ReadingOutcome, ReadingTask } from './reading-thread.js';

export type ReadRates = typeof readRates;

/** Threads in which feeds read their sources. */
export interface ReadingThreads {
  /**
   * As `readRates` does, with the requests carried out here. Throws a FeedError where what the source sent takes more
   * memory, or more time without a request, than any bank's: the thread is ended, and the process goes on.
   */
  read: ReadRates;
  close(): Promise<void>;
}

interface ThreadsOptions extends Pick<ReadingTask, 'ownSources' | 'logLevel'> {
  limits?: Partial<typeof LIMITS>;
}

const LIMITS = {
  /**
   * Of the heap. The longest tables of banks take a quarter. Buffers are not counted; they are bounded by their number,
   * as a feed holds two bodies or three at once, and by the most bytes of a body and of what a zip unpacks to
   * (live-client.ts, zip.ts). A PDF is decoded in a thread of its own, whose buffers are watched (pdf-thread.ts).
   */
  megabytes: 256,
  /** For what comes between two requests; a backfill's longest step takes some seconds. */
  seconds: 60,
};
/** A backfill reads again and again. */
const KEPT_MS = 5_000;
/** Other jobs wait for one of them to be free, or store what they have read. */
const MOST_THREADS = 4;
/** A thread takes up to a hundred megabytes, half of it before it has read anything: in a small container there are fewer. */
const MEGABYTES_FOR_EACH = 192;
/** What is garbage within a response is collected early: V8 takes 48 MB for it by itself. */
const YOUNG_MEGABYTES = 8;

export function openReadingThreads({ ownSources, logLevel, limits }: ThreadsOptions): ReadingThreads {
  const { megabytes, seconds } = { ...LIMITS, ...limits };
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./reading-thread.js', import.meta.url)),
    minThreads: 0,
    maxThreads: Math.max(1, Math.min(MOST_THREADS, Math.floor(availableMegabytes() / MEGABYTES_FOR_EACH))),
    idleTimeout: KEPT_MS,
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  return {
    async read({ key }, request, { http, log: _, ...context }) {
      const { port1, port2 } = new MessageChannel();
      const ending = new AbortController();
      const refuse = (what: string, cause?: unknown) =>
        new FeedError(`${key}: reading what it sent takes more than ${what}`, { cause });
      serve(port1, http, {
        limitMs: seconds * 1_000,
        onLate: () => ending.abort(refuse(`${seconds} s`)),
      });
      const task: ReadingTask = { ...context, key, request, ownSources, logLevel, port: port2 };
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
    },
    close: () => pool.destroy(),
  };
}

/**
 * Carries out the requests that come through a port, and calls back where a thread has been at work for too long since
 * it began, or since its last request was answered.
 */
function serve(
  port: MessagePort,
  http: HttpClient,
  { limitMs, onLate }: { limitMs: number; onLate: () => void },
): void {
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(timer);
    if (underWay === 0) timer = setTimeout(onLate, limitMs);
  };
  port.on('message', async (call: ClientCall | 'begun') => {
    if (call === 'begun') return watch();
    underWay++;
    watch();
    const returned = await carryOut(http, call);
    underWay--;
    port.postMessage(returned);
    watch();
  });
  port.on('close', () => clearTimeout(timer));
}

async function carryOut(http: HttpClient, { id, method, parameters }: ClientCall): Promise<ClientReturn> {
  try {
    const { text: _, json: __, ...parts } = await http[method](...parameters);
    return { id, answer: parts };
  } catch (error) {
    return { id, error: toMessage(error) };
  }
}
