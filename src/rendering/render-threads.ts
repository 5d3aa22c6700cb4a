import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Piscina } from 'piscina';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Clock } from '../../core/domain/dates.js';
import { codeFile } from '../../core/process/project-files.js';
import type { Waiter } from '../http/admission.js';
import type { Content, Task } from '../http/reply.js';
import type { WholeSnapshot } from '../rates/snapshot/snapshot.js';
import type { KeptMessage, KeptRates } from '../rates/sources/kept-rates.js';
import { toError } from './errors.js';
import type { PublishedData } from './published-context.js';
import type { MadeMessage, MakeMessage, ThreadData } from './render-thread.js';
import { streamFrom } from './stream-port.js';

export type RenderThreads = ReturnType<typeof openRenderThreads>;

/** How many steps the thread runs at a time: while one reads the database, it computes another. */
const STEPS_AT_ONCE = 2;
const YOUNG_GENERATION_MB = 6;

interface ThreadsOptions {
  data?: ThreadData;
  clock: Clock;
  log: Logger;
  kept?: KeptRates;
  modulePath?: string;
}

/** Opens one thread: a machine with more cores serves more with several APIs, which also share no event loop. */
export function openRenderThreads({ clock, ...options }: ThreadsOptions) {
  let sent: string | undefined;
  let isReady = false;
  const pool = openPool(options);
  pool.on('workerCreate', () => (isReady = true));
  // The replacement starts without a snapshot.
  pool.on('workerDestroy', () => ([sent, isReady] = [undefined, false]));
  // The beginning of a content and each of its chunks take one turn. Clients take turns.
  const turns = createSemaphore({ permits: STEPS_AT_ONCE });

  /** A stream has begun. Throws the errors of the maker, and WaitTooLong. */
  async function make(task: Task, waiter: Waiter, published?: PublishedData): Promise<Content> {
    const { client: key, signal, waitBudget } = waiter;
    const { port1: port, port2 } = new MessageChannel();
    const chunks = streamFrom(port);
    waiter.whenOver(() => port.close());
    try {
      const made = await turns.run(() => begin(task, port2, published), { key, signal, waitBudget });
      signal.throwIfAborted();
      if ('error' in made) throw toError(made.error);
      const { content, body } = made;
      if (body === undefined) return { ...content, body: chunks((work) => turns.run(work, { key, signal })) };
      port.close();
      if (typeof body === 'string') return { ...content, body };
      return { ...content, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
    } catch (error) {
      port.close();
      throw signal.aborted ? signal.reason : error;
    }
  }

  function begin(task: Task, port: MessagePort, published: PublishedData | undefined): Promise<MadeMessage> {
    const { maker, input, snapshot } = task;
    const version = snapshot?.version;
    // A message that waits for the thread is never sent if its client leaves.
    const isKnown = snapshot === undefined || (isReady && sent === version);
    const whole = isKnown ? undefined : (snapshot as WholeSnapshot);
    sent = version ?? sent;
    const now = clock().getTime();
    const message: MakeMessage = { maker, input, version, snapshot: whole, published, now, port };
    return pool.run(message, { transferList: [port] }).catch((error: unknown) => {
      sent = undefined;
      throw error;
    });
  }

  return { make, close: () => pool.destroy() };
}

function openPool({ data: workerData, kept, log, modulePath }: Omit<ThreadsOptions, 'clock'>): Piscina {
  const pool = new Piscina({
    filename: modulePath ?? codeFile('src/rendering/render-thread.js'),
    // The first long task starts the thread: earlier, it would slow the start of the API.
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: Number.MAX_SAFE_INTEGER,
    // The thread reads the database between tasks, which it could not while it waits for the next one by Atomics.
    atomics: 'disabled',
    // By default V8 lets it grow to 48 MB before it collects; with this, long responses take a few percent longer.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    workerData,
  });
  // Without a listener, a crash between two steps would end the process.
  pool.on('error', (err: unknown) => log.error({ err }, 'a thread that makes contents has ended'));
  pool.on('message', (message: KeptMessage) => kept?.take(message));
  return pool;
}
