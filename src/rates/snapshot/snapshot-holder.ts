import type { Logger } from 'pino';
import type { Database } from '../../../core/database/database.js';
import { inOneView } from '../../../core/database/transactions.js';
import { loadSnapshot, refreshSnapshot, type Snapshot } from './snapshot.js';

/** Holds the newest snapshot there is, and keeps it while the database is away. */
export interface SnapshotHolder {
  /** The newest snapshot; undefined until the first one is read. */
  current(): Snapshot | undefined;
  /** When it was last seen to be the newest, in milliseconds since 1970; undefined until the first one is read. */
  confirmedAt(): number | undefined;
  /** Settles when the first snapshot is there, or when the holder is closed before. */
  ready(): Promise<void>;
  /** Reads what has been committed up to now. Throws what the database throws; what is held then stays. */
  catchUp(): Promise<void>;
  /** Stops reading; waits for a read that is under way. */
  close(): Promise<void>;
}

export interface SnapshotHolderOptions {
  database: Database;
  log: Logger;
  /** Calls back when a new data version is announced. Announcements may get lost: there is a poll behind them. */
  announcements?: { subscribe(listener: () => void): Promise<void> };
  pollMs?: number;
  /** How soon to try again after a failure. */
  retryMs?: number;
}

const POLL_MS = 15_000;
const RETRY_MS = 500;

/** Starts reading at once, and goes on by announcement and by poll until closed. */
export function openSnapshotHolder(options: SnapshotHolderOptions): SnapshotHolder {
  const { database, log, announcements, pollMs = POLL_MS, retryMs = RETRY_MS } = options;
  let held: Snapshot | undefined;
  let confirmedAt: number | undefined;
  let closed = false;
  let failing = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let settleFirst = () => {};
  const first = new Promise<void>((resolve) => {
    settleFirst = resolve;
  });

  async function read(): Promise<void> {
    if (closed) return;
    const started = performance.now();
    const seenAt = Date.now();
    const read = await inOneView(database, (view) =>
      held ? refreshSnapshot(view, held) : loadSnapshot(view),
    );
    confirmedAt = seenAt;
    if (read === held) return;
    held = read;
    settleFirst();
    log.info(
      { version: read.version, days: read.days.days.length, ms: Math.round(performance.now() - started) },
      'rates snapshot read',
    );
  }

  /** One read at a time; whoever asks during one gets the one after it, which sees all that was committed by now. */
  function catchUp(): Promise<void> {
    if (!running) {
      running = read().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return catchUp();
      });
    return next;
  }

  function refresh(): void {
    if (closed) return;
    clearTimeout(timer);
    catchUp().then(
      () => {
        if (failing) log.info('rates are being read again');
        failing = false;
        schedule(pollMs);
      },
      (error: unknown) => {
        // Said once, not at every attempt: what is held goes on being served.
        if (!failing) log.warn({ err: error }, 'rates can not be read; trying again');
        failing = true;
        schedule(retryMs);
      },
    );
  }

  function schedule(delay: number): void {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(refresh, delay).unref();
  }

  announcements
    ?.subscribe(refresh)
    .catch((error: unknown) => log.warn({ err: error }, 'no announcements of new rates; polling alone'));
  refresh();

  return {
    current: () => held,
    confirmedAt: () => confirmedAt,
    ready: () => first,
    catchUp,
    async close() {
      closed = true;
      clearTimeout(timer);
      settleFirst();
      await Promise.allSettled([running, next]);
    },
  };
}
