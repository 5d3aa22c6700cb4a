import type { Logger } from 'pino';
import { createGate } from '../../core/concurrency/gate.js';
import type { LocalCopy } from './local-copy.js';

/** Holds the newest value in memory, even while reading a newer one fails. */
export interface RefreshingHolder<T> {
  /** The newest value; undefined until the first complete one is read. */
  current(): T | undefined;
  /** When the value was last known to be the newest, by `performance.now()`; undefined until the first one is read. */
  confirmedAt(): number | undefined;
  /** Resolves when the first complete value is read, or the holder is closed. */
  ready(): Promise<void>;
  /** Resolves when a first value is read, complete or not, or the holder is closed. */
  tried(): Promise<void>;
  /** Serves the local copy, if there is one, until a value can be read. Never rejects. */
  fallBack(): Promise<void>;
  /** Whether the value is that of the local copy. */
  isStale(): boolean;
  /** Reads what has been committed up to now. Rejects with the error of the read; the current value then stays. */
  catchUp(): Promise<void>;
  /** Stops reading, and waits for a read in progress. */
  close(): Promise<void>;
}

/** When to read, and the log. */
export interface RefreshOptions {
  log: Logger;
  /** Reading waits until it resolves. If it rejects, nothing is read, and the caller must handle the error. */
  after?: Promise<unknown>;
  /** Calls back when there may be a newer value. Announcements may get lost, so the holder also polls. */
  announcements?: { subscribe(listener: () => void): Promise<void> };
  /** Stores a copy of the value on this machine. */
  copy?: LocalCopy | undefined;
  /** Milliseconds from one read to the next without an announcement. */
  pollMs?: number;
  /** Milliseconds from a failed read to the next. */
  retryMs?: number;
}

/** In milliseconds; a function if it varies. */
type Delay = number | (() => number);

export interface RefreshingHolderOptions<T> extends Omit<RefreshOptions, 'pollMs' | 'retryMs'> {
  /** Name of the value, in the plural, for the log. */
  what: string;
  /** Reads the newest value. It may return the current one if there is nothing newer. */
  read(value: T | undefined): Promise<T>;
  /** Whether the first value may be served. Until then, it is read again as after a failure. */
  isComplete?(value: T): boolean;
  /** Converts the value for its local copy, and back. By default it is stored unchanged. */
  pack?(value: T): unknown;
  unpack?(kept: unknown): T;
  pollMs: Delay;
  retryMs: Delay;
}

/** A copy is written at most this often. */
const KEEP_MS = 300_000;

/** Starts reading at once, and reads again on announcements and by polling until closed. */
export function openRefreshingHolder<T>(options: RefreshingHolderOptions<T>): RefreshingHolder<T> {
  const held = new HeldValue(options);
  const reads = oneAtATime(() => held.read());
  const stopPolling = startPolling(options, held, reads.run);
  return {
    current: () => held.value,
    confirmedAt: () => held.confirmedAt,
    ready: () => held.ready.opened,
    tried: () => held.tried.opened,
    fallBack: () => held.fallBack(),
    isStale: () => held.isStale,
    catchUp: reads.run,
    async close() {
      held.close();
      stopPolling();
      await Promise.allSettled([...reads.pending(), held.keeping]);
    },
  };
}

class HeldValue<T> {
  value: T | undefined;
  isStale = false;
  confirmedAt: number | undefined;
  isClosed = false;
  /** The latest write of the local copy. */
  keeping: Promise<void> | undefined;
  readonly ready = createGate();
  readonly tried = createGate();
  #kept: T | undefined;
  #keptAt = Number.NEGATIVE_INFINITY;

  constructor(readonly options: RefreshingHolderOptions<T>) {}

  async read(): Promise<void> {
    if (this.isClosed) return;
    const { read, isComplete = () => true } = this.options;
    const startedAt = performance.now();
    const newest = await read(this.value);
    this.confirmedAt = startedAt;
    this.tried.open();
    if (this.value === undefined && !isComplete(newest)) return;
    this.value = newest;
    this.isStale = false;
    this.ready.open();
    this.#keep(newest);
  }

  #keep(newest: T): void {
    const { copy, pack = (all) => all } = this.options;
    if (!copy || newest === this.#kept || performance.now() - this.#keptAt < KEEP_MS) return;
    this.#kept = newest;
    this.#keptAt = performance.now();
    this.keeping = copy.keep(pack(newest));
  }

  async fallBack(): Promise<void> {
    const { what, log, copy, unpack = (kept) => kept as T } = this.options;
    const found = await copy?.read();
    if (found === undefined || this.value !== undefined || this.isClosed) return;
    this.value = unpack(found.value);
    this.isStale = true;
    this.confirmedAt = performance.now() - (Date.now() - found.keptAt);
    log.warn({ keptAt: new Date(found.keptAt) }, `${what} come from a local copy until they can be read`);
    this.ready.open();
  }

  close(): void {
    this.isClosed = true;
    this.ready.open();
    this.tried.open();
  }
}

/**
 * Runs one read at a time. As a running read may have begun before the latest commit, one more is queued after it, which all
 * calls in the meantime share.
 */
function oneAtATime(read: () => Promise<void>) {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  function run(): Promise<void> {
    if (!running) {
      running = read().finally(() => {
        running = undefined;
      });
      return running;
    }
    queued ??= running
      .catch(() => undefined)
      .then(() => {
        queued = undefined;
        return run();
      });
    return queued;
  }
  return { run, pending: () => [running, queued] };
}

/** Returns a function that stops polling. */
function startPolling<T>(
  { what, log, after, announcements, pollMs, retryMs }: RefreshingHolderOptions<T>,
  held: HeldValue<T>,
  catchUp: () => Promise<void>,
): () => void {
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;

  async function refresh(): Promise<void> {
    if (held.isClosed) return;
    clearTimeout(timer);
    try {
      await catchUp();
      if (isFailing) log.info(`${what} can be read again`);
      isFailing = false;
    } catch (error) {
      // Logged once and not at every attempt, as the current value is still served.
      if (!isFailing) log.warn({ err: error }, `${what} cannot be read; retrying`);
      isFailing = true;
    }
    clearTimeout(timer);
    const delay = isFailing || held.value === undefined ? retryMs : pollMs;
    if (!held.isClosed) timer = setTimeout(refresh, typeof delay === 'number' ? delay : delay()).unref();
  }

  function start(): void {
    announcements
      ?.subscribe(() => void refresh())
      .catch((error: unknown) =>
        log.warn({ err: error }, `cannot subscribe to announcements of ${what}; polling only`),
      );
    void refresh();
  }

  if (after) after.then(start, () => undefined);
  else start();
  return () => clearTimeout(timer);
}
