import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Clock } from '../../core/domain/clock.js';
import type { ByteStream, Content, Task } from '../http/reply.js';
import type { RequestContext } from '../http/route.js';
import { packSnapshot, type WholeSnapshot } from '../rates/snapshot/snapshot.js';
import type { KeptRates } from '../rates/sources/kept-rates.js';
import { unpackProviderRates } from '../rates/sources/provider-rates.js';
import { unpackShares } from '../rates/sources/shares.js';
import { toError } from './errors.js';
import type { PublishedData } from './published-ground.js';
import type { ChunkMessage, KeptMessage, MadeMessage, MakeMessage, ThreadData } from './render-thread.js';

/** Who waits for a content. */
export type Waiter = Pick<RequestContext, 'client' | 'signal' | 'waitBudget' | 'whenOver'>;

/** Threads that make contents. */
export interface RenderThreads {
  /** Makes the content of a task; a stream has begun. Throws as its maker does, and WaitTooLong. */
  make(task: Task, waiter: Waiter, published?: PublishedData): Promise<Content>;
  close(): Promise<void>;
}

interface Thread {
  pool: Piscina;
  /** The name of the data version that it was last given. */
  version: string | undefined;
}

/** How many steps a thread has at a time: while one reads the database, it computes another. */
const STEPS_AT_ONCE = 2;

interface ThreadsOptions {
  count: number;
  clock: Clock;
  /** Absent where there is no database. */
  data?: ThreadData;
  /** Gets what the threads make of raw rows. */
  kept?: KeptRates;
}

export function openRenderThreads({ count, data, clock, kept }: ThreadsOptions): RenderThreads {
  const threads = Array.from({ length: count }, () => startThread(data, kept));
  // The beginning of a content and each of its chunks take one turn; clients come round.
  const turns = createSemaphore({ permits: STEPS_AT_ONCE * count });

  async function make(task: Task, waiter: Waiter, published?: PublishedData): Promise<Content> {
    const { client: key, signal, waitBudget } = waiter;
    const { port1, port2 } = new MessageChannel();
    waiter.whenOver(() => port1.close());
    const made = await turns.run(() => begin(task, port2, published), { key, signal, waitBudget });
    if ('error' in made) throw signal.aborted ? signal.reason : toError(made.error);
    const { content, body } = made;
    if (body !== undefined) {
      port1.close();
      return { ...content, body: typeof body === 'string' ? body : Buffer.from(body.buffer) };
    }
    return { ...content, body: chunksFrom(port1, (work) => turns.run(work, { key, signal })) };
  }

  function begin(
    { maker, input, snapshot }: Task,
    port: MessagePort,
    published: PublishedData | undefined,
  ): Promise<MadeMessage> {
    const thread = threads.reduce((one, other) => (waiting(other) < waiting(one) ? other : one));
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
    return thread.pool.run(message, { transferList: [port] });
  }

  return {
    make,
    async close() {
      await Promise.all(threads.map(({ pool }) => pool.destroy()));
    },
  };
}

function startThread(workerData: ThreadData | undefined, kept: KeptRates | undefined): Thread {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./render-thread.js', import.meta.url)),
    // On a publication, the first task that takes long starts it: earlier, it would slow the start of the API.
    minThreads: workerData ? 1 : 0,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: Number.MAX_SAFE_INTEGER,
    // It reads the database meanwhile, which it could not while it waits for the next task by Atomics.
    atomics: 'disabled',
    workerData,
  });
  const thread: Thread = { pool, version: undefined };
  // One that has crashed begins anew.
  pool.on('workerCreate', () => {
    thread.version = undefined;
  });
  pool.on('message', (message: KeptMessage) => {
    const version = { version: message.version };
    if ('key' in message) kept?.keepProvider(version, message.key, unpackProviderRates(message.rates));
    else kept?.keepShares(version, message.asOf, unpackShares(message.shares));
  });
  return thread;
}

function waiting({ pool }: Thread): number {
  return pool.queueSize;
}

/** The chunks of a stream, each asked for while the one before it is sent. */
async function* chunksFrom(
  port: MessagePort,
  inTurn: (work: () => Promise<ChunkMessage>) => Promise<ChunkMessage>,
): ByteStream {
  const ask = () => inTurn(() => answerOf(port));
  try {
    for (let next = ask(); ; ) {
      const message = await next;
      if ('error' in message) throw toError(message.error);
      if (message.chunk === undefined) return;
      next = ask();
      // Awaited when the chunk has been sent, if it ever is.
      next.catch(() => undefined);
      yield message.chunk;
    }
  } finally {
    port.close();
  }
}

function answerOf(port: MessagePort): Promise<ChunkMessage> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new Error('the thread has ended'));
    port.once('close', end);
    port.once('message', (message: ChunkMessage) => {
      port.off('close', end);
      resolve(message);
    });
    port.postMessage('next');
  });
}
