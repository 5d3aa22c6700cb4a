import type { Logger } from 'pino';

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
  /** Milliseconds from one read to the next without an announcement. */
  pollMs?: number;
  /** Milliseconds from a failed read to the next. */
  retryMs?: number;
}

export interface RefreshingHolderOptions<T> extends RefreshOptions {
  /** Name of the value, in the plural, for the log. */
  what: string;
  /** Reads the newest value. It may return the current one if there is nothing newer. */
  read(value: T | undefined): Promise<T>;
  /** Whether the first value may be given out. Until it may, it is read again as after a failure. */
  isComplete?(value: T): boolean;
  pollMs: number;
  retryMs: number;
}

/** Starts reading at once, and reads again at announcements and by polling until closed. */
export function openRefreshingHolder<T>(options: RefreshingHolderOptions<T>): RefreshingHolder<T> {
  const { what, log, announcements, pollMs, retryMs, isComplete = () => true } = options;
  let value: T | undefined;
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
      if (!isFailing) log.warn({ err: error }, `${what} can not be read; retrying`);
      isFailing = true;
    }
    clearTimeout(timer);
    const waits = isFailing || value === undefined;
    if (!isClosed) timer = setTimeout(refresh, waits ? retryMs : pollMs).unref();
  }

  function start(): void {
    announcements
      ?.subscribe(() => void refresh())
      .catch((error: unknown) =>
        log.warn({ err: error }, `can not subscribe to announcements of ${what}; polling only`),
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
    catchUp,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      settleReady();
      settleTried();
      await Promise.allSettled([running, queued]);
    },
  };
}
