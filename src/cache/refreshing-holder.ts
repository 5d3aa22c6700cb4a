import type { Logger } from 'pino';
import { createGate } from '../../core/concurrency/gate.js';
import type { LocalCopy } from './local-copy.js';

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
  /** Restores a value from its local copy. */
  received?(kept: unknown): T;
  pollMs: Delay;
  retryMs: Delay;
}

const KEEP_MS = 300_000;

export const openRefreshingHolder = <T>(options: RefreshingHolderOptions<T>) => new RefreshingHolder(options);

/** Holds the newest value, even while reading a newer one fails. Reads at once, on announcements and by polling until closed. */
export class RefreshingHolder<T> {
  readonly #options: RefreshingHolderOptions<T>;
  readonly #ready = createGate();
  readonly #tried = createGate();
  readonly #reads = oneAtATime(() => this.#read());
  #value: T | undefined;
  #confirmedAt: number | undefined;
  #isStale = false;
  #isClosed = false;
  #isFailing = false;
  #timer: NodeJS.Timeout | undefined;
  #kept: { value: T; at: number; keeping: Promise<void> } | undefined;

  constructor(options: RefreshingHolderOptions<T>) {
    this.#options = options;
    const { after, announcements, log, what } = options;
    const start = () => {
      announcements
        ?.subscribe(() => void this.#refresh())
        .catch((error: unknown) =>
          log.warn({ err: error }, `cannot subscribe to announcements of ${what}; polling only`),
        );
      void this.#refresh();
    };
    if (after) after.then(start, () => undefined);
    else start();
  }

  /** Undefined until the first complete value is read. */
  current = () => this.#value;
  /** When the value was last known to be the newest, by `performance.now()`. */
  confirmedAt = () => this.#confirmedAt;
  /** Resolves when the first complete value is read, or the holder is closed. */
  ready = () => this.#ready.opened;
  /** Resolves when a first value is read, complete or not, or the holder is closed. */
  tried = () => this.#tried.opened;
  isStale = () => this.#isStale;
  /** Reads what has been committed up to now. Rejects with the error of the read; the current value then stays. */
  catchUp = () => this.#reads.run();

  /** Serves the local copy, if there is one, until a value can be read. Never rejects. */
  fallBack = async (): Promise<void> => {
    const { what, log, copy, received = (kept) => kept as T } = this.#options;
    const found = await copy?.read();
    if (found === undefined || this.#value !== undefined || this.#isClosed) return;
    this.#value = received(found.value);
    this.#isStale = true;
    this.#confirmedAt = performance.now() - (Date.now() - found.keptAt);
    log.warn({ keptAt: new Date(found.keptAt) }, `${what} come from a local copy until they can be read`);
    this.#ready.open();
  };

  /** Waits for a read in progress. */
  close = async (): Promise<void> => {
    this.#isClosed = true;
    this.#ready.open();
    this.#tried.open();
    clearTimeout(this.#timer);
    await Promise.allSettled([...this.#reads.pending(), this.#kept?.keeping]);
  };

  async #read(): Promise<void> {
    if (this.#isClosed) return;
    const { read, isComplete = () => true } = this.#options;
    const startedAt = performance.now();
    const newest = await read(this.#value);
    this.#confirmedAt = startedAt;
    this.#tried.open();
    if (this.#value === undefined && !isComplete(newest)) return;
    this.#value = newest;
    this.#isStale = false;
    this.#ready.open();
    this.#keep(newest);
  }

  #keep(value: T): void {
    const { copy } = this.#options;
    const { value: last, at = Number.NEGATIVE_INFINITY } = this.#kept ?? {};
    if (!copy || value === last || performance.now() - at < KEEP_MS) return;
    this.#kept = { value, at: performance.now(), keeping: copy.keep(value) };
  }

  async #refresh(): Promise<void> {
    if (this.#isClosed) return;
    const { what, log, pollMs, retryMs } = this.#options;
    clearTimeout(this.#timer);
    try {
      await this.#reads.run();
      if (this.#isFailing) log.info(`${what} can be read again`);
      this.#isFailing = false;
    } catch (error) {
      // Logged once and not at every attempt, as the current value is still served.
      if (!this.#isFailing) log.warn({ err: error }, `${what} cannot be read; retrying`);
      this.#isFailing = true;
    }
    clearTimeout(this.#timer);
    const delay = this.#isFailing || this.#value === undefined ? retryMs : pollMs;
    const ms = typeof delay === 'number' ? delay : delay();
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#refresh(), ms).unref();
  }
}

/** A running read may have begun before the latest commit, so one more is queued, which later calls share. */
function oneAtATime(read: () => Promise<void>) {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  function run(): Promise<void> {
    if (running) {
      queued ??= running.catch(() => undefined).then(run);
      return queued;
    }
    queued = undefined;
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  }
  return { run, pending: () => [running, queued] };
}
