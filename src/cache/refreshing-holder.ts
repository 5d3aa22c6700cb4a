import type { Logger } from 'pino';
import { createGate } from '../../core/concurrency/gate.js';
import type { LocalCopy } from './local-copy.js';

export type RefreshingHolder<T> = ReturnType<typeof openRefreshingHolder<T>>;

export interface RefreshOptions {
  log: Logger;
  /** Reading waits until it resolves. If it rejects, nothing is read, and the caller must handle the error. */
  after?: Promise<unknown>;
  /** Announcements may get lost, so the holder also polls. */
  announcements?: { subscribe(listener: () => void): Promise<void> };
  copy?: LocalCopy | undefined;
  pollMs?: number;
  retryMs?: number;
}

/** In milliseconds. */
type Delay = number | (() => number);

export interface RefreshingHolderOptions<T> extends Omit<RefreshOptions, 'pollMs' | 'retryMs'> {
  /** In the plural, for the log. */
  what: string;
  /** May return the current value if there is nothing newer. */
  read(value: T | undefined): Promise<T>;
  /** Until the first value is complete, it is read again as after a failure. */
  isComplete?(value: T): boolean;
  /** Converts the value for its local copy, and back. */
  pack?(value: T): unknown;
  unpack?(kept: unknown): T;
  pollMs: Delay;
  retryMs: Delay;
}

const KEEP_MS = 300_000;

/** Holds the newest value, even while reading a newer one fails. Reads at once, on announcements and by polling until closed. */
export function openRefreshingHolder<T>(options: RefreshingHolderOptions<T>) {
  const held = new HeldValue(options);
  const reads = oneAtATime(() => held.read());
  const stopPolling = startPolling(options, held, reads.run);
  return {
    /** Undefined until the first complete value is read. */
    current: () => held.value,
    /** When the value was last known to be the newest, by `performance.now()`. */
    confirmedAt: () => held.confirmedAt,
    /** Resolves when the first complete value is read, or the holder is closed. */
    ready: () => held.ready.opened,
    /** Resolves when a first value is read, complete or not, or the holder is closed. */
    tried: () => held.tried.opened,
    /** Serves the local copy, if there is one, until a value can be read. Never rejects. */
    fallBack: () => held.fallBack(),
    isStale: () => held.isStale,
    /** Reads what has been committed up to now. Rejects with the error of the read; the current value then stays. */
    catchUp: reads.run,
    /** Waits for a read in progress. */
    async close(): Promise<void> {
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

/** A running read may have begun before the latest commit, so one more is queued, which later calls share. */
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
