import type { Logger } from 'pino';

/** Holds the newest value that was read, and goes on holding it while reading fails. */
export interface RefreshingHolder<T> {
  /** The newest value; undefined until the first one is read. */
  current(): T | undefined;
  /** When it was last seen to be the newest, on the clock of `performance.now()`; undefined until the first one is read. */
  confirmedAt(): number | undefined;
  /** Settles when the first value is there, or when the holder is closed before. */
  ready(): Promise<void>;
  /** Reads what has been committed up to now. Rejects with what the read throws; the value held then stays. */
  catchUp(): Promise<void>;
  /** Stops reading; waits for a read that is under way. */
  close(): Promise<void>;
}

/** When to read, and where to log. */
export interface RefreshOptions {
  log: Logger;
  /** Calls back when there may be something new. Announcements may get lost: there is a poll behind them. */
  announcements?: { subscribe(listener: () => void): Promise<void> };
  /** Milliseconds from one read to the next where nothing is announced. */
  pollMs?: number;
  /** Milliseconds from a failed read to the next. */
  retryMs?: number;
}

export interface RefreshingHolderOptions<T> extends RefreshOptions {
  /** What is held, in the plural, for the log. */
  what: string;
  /** Reads the newest value. Given the one held so far, it may return that where there is nothing newer. */
  read(held: T | undefined): Promise<T>;
  pollMs: number;
  retryMs: number;
}

/** Starts reading at once, and goes on by announcement and by poll until closed. */
export function openRefreshingHolder<T>(options: RefreshingHolderOptions<T>): RefreshingHolder<T> {
  const { what, log, announcements, pollMs, retryMs } = options;
  let held: T | undefined;
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

  async function read(): Promise<void> {
    if (isClosed) return;
    const startedAt = performance.now();
    held = await options.read(held);
    confirmedAt = startedAt;
    settleReady();
  }

  /**
   * One read at a time. A read under way may have begun before the latest commit: one more is queued behind it, and
   * shared by all who ask meanwhile.
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
      if (isFailing) log.info(`${what} are being read again`);
      isFailing = false;
    } catch (error) {
      // Logged once and not at every attempt: the value held goes on being served.
      if (!isFailing) log.warn({ err: error }, `${what} can not be read; trying again`);
      isFailing = true;
    }
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(refresh, isFailing ? retryMs : pollMs).unref();
  }

  announcements
    ?.subscribe(() => void refresh())
    .catch((error: unknown) => log.warn({ err: error }, `no announcements of new ${what}; polling alone`));
  void refresh();

  return {
    current: () => held,
    confirmedAt: () => confirmedAt,
    ready: () => ready,
    catchUp,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      settleReady();
      await Promise.allSettled([running, queued]);
    },
  };
}
