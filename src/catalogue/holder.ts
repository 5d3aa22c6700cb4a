import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { watchConnection } from '../../core/process/connection-errors.js';
import { HttpError } from '../http/errors.js';
import type { Catalogue } from './catalogue.js';
import { loadCatalogue } from './load.js';

/** The catalogue in memory: it goes on answering while the database can't be reached. */
export interface CatalogueHolder {
  /** Undefined until the first one is read. */
  current(): Catalogue | undefined;
  /** Reads what has been committed up to now. Throws what the database throws; what is held then stays. */
  catchUp(): Promise<void>;
  /** Stops reading; waits for a read that is under way. */
  close(): Promise<void>;
}

export interface CatalogueHolderOptions {
  database: Database;
  log: Logger;
  /** Calls back when a new data version is announced. */
  announcements?: { subscribe(listener: () => void): Promise<void> };
  /** How often to read unasked: the states of providers change without a data version. */
  pollMs?: number;
  /** How soon to try again after a failure. */
  retryMs?: number;
}

const POLL_MS = 10_000;
const RETRY_MS = 1_000;
const RETRY_AFTER_SECONDS = '5';

/** Starts reading at once, and goes on by announcement and by poll until closed. */
export function openCatalogueHolder(options: CatalogueHolderOptions): CatalogueHolder {
  const { database, log, announcements, pollMs = POLL_MS, retryMs = RETRY_MS } = options;
  const outage = watchConnection(log, 'postgresql (currencies and providers)');
  let held: Catalogue | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function read(): Promise<void> {
    if (!closed) held = await loadCatalogue(database, held);
  }

  /** A read under way may have begun before the latest commit: one more waits behind it, shared by all who ask. */
  function catchUp(): Promise<void> {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = read();
        return running;
      });
    return next;
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    let delay = pollMs;
    try {
      await catchUp();
      outage.recovered();
    } catch (error) {
      outage.failed(error);
      delay = retryMs;
    }
    clearTimeout(timer);
    if (!closed) timer = setTimeout(look, delay).unref();
  }

  announcements
    ?.subscribe(() => void look())
    .catch((error: unknown) => log.warn({ err: error }, 'no announcements of new rates; polling alone'));
  void look();

  return {
    current: () => held,
    catchUp,
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.allSettled([running, next]);
    },
  };
}

/** The catalogue, or a 503 while none was ever read. */
export function requireCatalogue(holder: Pick<CatalogueHolder, 'current'>): Catalogue {
  const catalogue = holder.current();
  if (catalogue) return catalogue;
  throw new HttpError(503, 'the data is not loaded yet', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
}
