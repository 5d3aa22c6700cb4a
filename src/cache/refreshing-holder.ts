import type { Logger } from 'pino';
import type { LocalCopy } from './local-copy.js';

/** Keeps the newest value in memory, also while reading a newer one fails. */
export interface RefreshingHolder<T> {
  /** The newest value; undefined until the first complete one is read. */
  current(): T | undefined;
  /** When the value was last known to be the newest, on the clock of `performance.now()`; undefined until the first one is read. */
  confirmedAt(): number | undefined;
  /** Resolves when the first complete value is read, or the holder is closed. */
  ready(): Promise<void>;
  /** Resolves when a first value is read, be it complete or not, or the holder is closed. */
  tried(): Promise<void>;
  /** Takes the local copy, if there is one, for as long as nothing can be read. Never rejects. */
  fallBack(): Promise<void>;
  /** Whether the value is that of the local copy. */
  isStale(): boolean;
  /** Reads what has been committed up to now. Rejects with the error of the read; the current value then stays. */
  catchUp(): Promise<void>;
  /** Stops reading; waits for a read that is under way. */
  close(): Promise<void>;
}

/** When to read, and where to log. */
export interface RefreshOptions {
  log: Logger;
  /** Nothing is read before it resolves, nor if it rejects, which is for the caller to handle. */
  after?: Promise<unknown>;
  /** Calls back when there may be a newer value. Announcements may get lost, so the holder also polls. */
  announcements?: { subscribe(listener: () => void): Promise<void> };
  /** Where a copy of the value is kept on this machine. */
  copy?: LocalCopy | undefined;
  /** Milliseconds from one read to the next without an announcement. */
  pollMs?: number;
  /** Milliseconds from a failed read to the next. */
  retryMs?: number;
}

/** In milliseconds; a function where it is another one each time. */
type Delay = number | (() => number);

export interface RefreshingHolderOptions<T> extends Omit<RefreshOptions, 'pollMs' | 'retryMs'> {
  /** Name of the value, in the plural, for the log. */
  what: string;
  /** Reads the newest value. It may return the current one if there is nothing newer. */
  read(value: T | undefined): Promise<T>;
  /** Whether the first value may be given out. Until it may, it is read again as after a failure. */
  isComplete?(value: T): boolean;
  /** What of the value is kept in its copy, and the value made of that. By default all, as it is. */
  pack?(value: T): unknown;
  unpack?(kept: unknown): T;
  pollMs: Delay;
  retryMs: Delay;
}

/** A copy is at most so much older than what is read. */
const KEEP_MS = 300_000;

/** Starts reading at once, and reads again at announcements and by polling until closed. */
export function openRefreshingHolder<T>(options: RefreshingHolderOptions<T>): RefreshingHolder<T> {
  const { what, log, announcements, copy } = options;
  const { isComplete = () => true, pack = (all) => all, unpack = (kept) => kept as T } = options;
  let value: T | undefined;
  let isStale = false;
  let kept: T | undefined;
  let keptAt = Number.NEGATIVE_INFINITY;
  let keeping: Promise<void> | undefined;
  let confirmedAt: number | undefined;
  let isClosed = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  let settleReady = () => {};
  const ready = new Promise<void>((resolve) => {
    settleReady = resolve;
  });
  let settleTried = () => {};
  const tried = new Promise<void>((resolve) => {
    settleTried = resolve;
  });

  async function read(): Promise<void> {
    if (isClosed) return;
    const startedAt = performance.now();
    const newest = await options.read(value);
    confirmedAt = startedAt;
    settleTried();
    if (value === undefined && !isComplete(newest)) return;
    value = newest;
    isStale = false;
    settleReady();
    keep(newest);
  }

  function keep(newest: T): void {
    if (!copy || newest === kept || performance.now() - keptAt < KEEP_MS) return;
    kept = newest;
    keptAt = performance.now();
    keeping = copy.keep(pack(newest));
  }

  async function fallBack(): Promise<void> {
    const found = await copy?.read();
    if (found === undefined || value !== undefined || isClosed) return;
    value = unpack(found.value);
    isStale = true;
    confirmedAt = performance.now() - (Date.now() - found.keptAt);
    log.warn({ keptAt: new Date(found.keptAt) }, `${what} come from a local copy until they can be read`);
    settleReady();
  }

  /**
   * Runs one read at a time. A running read may have begun before the latest commit: one more is queued after it, and
   * shared by all calls in the meantime.
   */
  function catchUp(): Promise<void> {
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
        return catchUp();
      });
    return queued;
  }

  async function refresh(): Promise<void> {
    if (isClosed) return;
    clearTimeout(timer);
    try {
      await catchUp();
      if (isFailing) log.info(`${what} can be read again`);
      isFailing = false;
    } catch (error) {
      // Logged once and not at every attempt: the current value is still served.
      if (!isFailing) log.warn({ err: error }, `${what} cannot be read; retrying`);
      isFailing = true;
    }
    clearTimeout(timer);
    const waits = isFailing || value === undefined;
    const delay = waits ? options.retryMs : options.pollMs;
    if (!isClosed) timer = setTimeout(refresh, typeof delay === 'number' ? delay : delay()).unref();
  }

  function start(): void {
    announcements
      ?.subscribe(() => void refresh())
      .catch((error: unknown) =>
        log.warn({ err: error }, `cannot subscribe to announcements of ${what}; polling only`),
      );
    void refresh();
  }

  if (options.after) options.after.then(start, () => undefined);
  else start();

  return {
    current: () => value,
    confirmedAt: () => confirmedAt,
    ready: () => ready,
    tried: () => tried,
    fallBack,
    isStale: () => isStale,
    catchUp,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      settleReady();
      settleTried();
      await Promise.allSettled([running, queued, keeping]);
    },
  };
}
