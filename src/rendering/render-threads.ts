import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Clock } from '../../core/domain/clock.js';
import type { Waiter } from '../http/admission.js';
import type { Content, Task } from '../http/reply.js';
import { packSnapshot, type WholeSnapshot } from '../rates/snapshot/snapshot.js';
import type { KeptRates } from '../rates/sources/kept-rates.js';
import { unpackProviderRates } from '../rates/sources/provider-rates.js';
import { unpackShares } from '../rates/sources/shares.js';
import { toError } from './errors.js';
import type { PublishedData } from './published-ground.js';
import type { KeptMessage, MadeMessage, MakeMessage, ThreadData } from './render-thread.js';
import { streamFrom } from './stream-port.js';

/** Threads that make contents. */
export interface RenderThreads {
  /** Makes the content of a task; a stream has begun. Throws the errors of its maker, and WaitTooLong. */
  make(task: Task, waiter: Waiter, published?: PublishedData): Promise<Content>;
  close(): Promise<void>;
}

interface Thread {
  pool: Piscina;
  /** The name of the data version that was sent to it last. */
  version: string | undefined;
  /** How many steps it runs now. */
  steps: number;
}

/** How many steps a thread runs at a time: while one reads the database, it computes another. */
const STEPS_AT_ONCE = 2;
const YOUNG_GENERATION_MB = 6;

interface ThreadsOptions {
  count: number;
  /** Absent if there is no database. */
  data?: ThreadData;
  clock: Clock;
  log: Logger;
  /** Stores what the threads make from raw rows. */
  kept?: KeptRates;
  /** The JavaScript module that they run. */
  module?: URL;
}

export function openRenderThreads(options: ThreadsOptions): RenderThreads {
  const { count, clock } = options;
  const threads = Array.from({ length: count }, () => startThread(options));
  // The beginning of a content and each of its chunks take one turn. Clients take turns.
  const turns = createSemaphore({ permits: STEPS_AT_ONCE * count });

  async function make(task: Task, waiter: Waiter, published?: PublishedData): Promise<Content> {
    const { client: key, signal, waitBudget } = waiter;
    const { port1: port, port2 } = new MessageChannel();
    const chunks = streamFrom(port);
    waiter.whenOver(() => port.close());
    try {
      const [thread, made] = await turns.run(() => begin(task, port2, published), {
        key,
        signal,
        waitBudget,
      });
      signal.throwIfAborted();
      if ('error' in made) throw toError(made.error);
      const { content, body } = made;
      if (body === undefined)
        return { ...content, body: chunks((work) => turns.run(() => step(thread, work), { key, signal })) };
      port.close();
      return { ...content, body: typeof body === 'string' ? body : bufferOf(body) };
    } catch (error) {
      port.close();
      throw signal.aborted ? signal.reason : error;
    }
  }

  async function begin(
    { maker, input, snapshot }: Task,
    port: MessagePort,
    published: PublishedData | undefined,
  ): Promise<[thread: Thread, made: MadeMessage]> {
    const thread = threads.reduce((one, each) => (each.steps < one.steps ? each : one));
    const isKnown = snapshot === undefined || thread.version === snapshot.version;
    thread.version = snapshot?.version ?? thread.version;
    const message: MakeMessage = {
      maker,
      input,
      version: snapshot?.version,
      snapshot: isKnown ? undefined : packSnapshot(snapshot as WholeSnapshot),
      published,
      now: clock().getTime(),
      port,
    };
    return [thread, await step(thread, () => thread.pool.run(message, { transferList: [port] }))];
  }

  return {
    make,
    async close() {
      await Promise.all(threads.map(({ pool }) => pool.destroy()));
    },
  };
}

const MODULE = new URL('./render-thread.js', import.meta.url);

function startThread({ data: workerData, kept, log, module = MODULE }: ThreadsOptions): Thread {
  const pool = new Piscina({
    filename: fileURLToPath(module),
    // On a publication, the first long task starts the thread: earlier, it would slow the start of the API.
    minThreads: workerData ? 1 : 0,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: Number.MAX_SAFE_INTEGER,
    // The thread reads the database between tasks, which it could not while it waits for the next one by Atomics.
    atomics: 'disabled',
    // By default V8 lets it grow to 48 MB before it collects; with this, long responses take a few percent longer.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    workerData,
  });
  const thread: Thread = { pool, version: undefined, steps: 0 };
  // The replacement starts without a snapshot.
  pool.on('workerDestroy', () => {
    thread.version = undefined;
  });
  // Without a listener, a crash between two steps would end the process.
  pool.on('error', (err: unknown) => log.error({ err }, 'a thread that makes contents has ended'));
  pool.on('message', (message: KeptMessage) => {
    const version = { version: message.version };
    if ('key' in message) kept?.keepProvider(version, message.key, unpackProviderRates(message.rates));
    else kept?.keepShares(version, message.asOf, unpackShares(message.shares));
  });
  return thread;
}

async function step<T>(thread: Thread, work: () => Promise<T>): Promise<T> {
  thread.steps++;
  try {
    return await work();
  } finally {
    thread.steps--;
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
