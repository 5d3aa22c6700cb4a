import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { type IncompleteDay, markIncompleteDays } from '../../core/database/incomplete-days.js';
import {
  failRun,
  type ReadingCounts,
  type RunCounts,
  type RunFailure,
  startRun,
  succeedRun,
} from '../../core/database/ingest-runs.js';
import { lockProvider } from '../../core/database/locks.js';
import { extendBackfill } from '../../core/database/providers.js';
import { recordResponses } from '../../core/database/run-responses.js';
import { requarantine, takeBackSetAside } from '../../core/database/set-aside.js';
import type { StoredRates } from '../../core/database/store-rates.js';
import type { JudgedSuspect } from '../../core/database/suspects.js';
import { inTransaction, type PrismaTransaction } from '../../core/database/transactions.js';
import { addDays, type DateRange } from '../../core/domain/dates.js';
import { isOfDays } from '../../core/domain/providers.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import type { Announcements } from '../../core/queues/announcements.js';
import type { IngestReason } from '../../core/queues/queues.js';
import { BEFORE_ALL, type Feed, FeedError } from '../feeds/feed.js';
import { LONGEST_WAIT_MS } from '../feeds/http/retries.js';
import { type ReadRequest, readRates } from '../feeds/read.js';
import type { ReadRates } from '../feeds/reading-threads.js';
import { type FeedAccess, type FeedSource, readContextOf } from './feed-source.js';
import { type Store, storeAlone } from './store.js';

export interface IngestDeps {
  database: Database;
  announcements: Pick<Announcements, 'publish'>;
  source: FeedSource;
  log: Logger;
  reason: IngestReason;
  jobId?: string;
  /** Aborts when this process stops. That does not count against the provider, nor does a failure to store. */
  stopping?: AbortSignal;
  /** Called under the provider's lock: whether the window is still to be ingested. */
  stillWanted?: () => Promise<boolean>;
  onProgress?: (step: IngestStep) => void;
  /** Runs in the transaction that records a failure of the provider, under its lock. */
  onFailure?: (transaction: PrismaTransaction, reason: string) => Promise<void>;
  read?: ReadRates | undefined;
  store?: Store;
}

type IngestStep = 'reading' | 'storing' | 'stored';

export interface IngestResult extends RunCounts, ReadingCounts {
  run: string;
  /** The new data version; undefined if nothing changed that can be served. */
  version: bigint | undefined;
}

/**
 * Reads a window of a feed, stores its rows and blends what they affect in one transaction. Records the attempt in
 * `ingest_runs`. Undefined if `stillWanted` returns false. Throws ProviderBusy, CredentialsMissing, a FeedError if there are
 * no rates and no documented reason, and the errors of reading and storing.
 */
export async function ingest(
  feed: Feed,
  requested: ReadRequest,
  deps: IngestDeps,
): Promise<IngestResult | undefined> {
  const lock = await lockProvider(deps.database, feed.key);
  try {
    if (deps.stillWanted && !(await deps.stillWanted())) return undefined;
    const access = await deps.source.open(feed);
    // A recording is read over the days that it covers, unless an operator names the days.
    const window = (deps.reason !== 'operator' && access.recorded) || requested;
    const wanted = { from: window.from, to: window.to ?? access.today };
    const run = await startRun(deps.database, {
      provider: feed.key,
      jobId: deps.jobId,
      reason: deps.reason,
      reading: readingOf(feed),
      ...wanted,
    });
    let read: Read | undefined;
    let isRead = false;
    try {
      deps.onProgress?.('reading');
      read = await readWindow(feed, window, access, deps);
      // A recording only has responses for its own days, so missing days mean nothing.
      if (!access.recorded) requireOutcome(feed, wanted, read);
      isRead = true;
      lock.check();
      deps.onProgress?.('storing');
      const result = await store(feed, wanted, read, { ...deps, run, access });
      deps.onProgress?.('stored');
      if (result.version !== undefined) await deps.announcements.publish(result.version);
      return result;
    } catch (error) {
      const isOfWorker = isRead || deps.stopping?.aborted;
      const fault = isOfWorker ? 'worker' : deps.reason === 'retry' ? 'window' : 'provider';
      const askAfter = askAfterOf(error, Date.now());
      const failure = { error: describe(error), fault, askAfter, reading: read?.counts } as const;
      await recordFailure(feed, run, wanted, failure, deps).catch((second: unknown) => {
        // The database is unreachable. The next holder of the lock closes the run.
        deps.log.warn({ provider: feed.key, run, reason: reasonOf(second) }, 'failure could not be recorded');
      });
      throw error;
    }
  } finally {
    await lock.release();
  }
}

/** The maximum that is honored, as a date far ahead is a mistake. */
const LONGEST_ABSENCE_MS = 7 * 86_400_000;

/** When the source may be requested again, if a 429 or 503 has a longer `retry-after` than a run waits for. */
export function askAfterOf(error: unknown, now: number): Date | undefined {
  if (!(error instanceof HttpClientError) || ![429, 503].includes(error.status ?? 0)) return undefined;
  const { retryAfterMs = 0 } = error;
  return retryAfterMs > LONGEST_WAIT_MS
    ? new Date(now + Math.min(retryAfterMs, LONGEST_ABSENCE_MS))
    : undefined;
}

async function recordFailure(
  { key: provider }: Feed,
  run: string,
  window: DateRange,
  failure: RunFailure,
  deps: IngestDeps,
): Promise<void> {
  await inTransaction(deps.database, async (transaction) => {
    const isHeldAgainst = await failRun(transaction, run, provider, failure);
    if (isHeldAgainst) await deps.onFailure?.(transaction, failure.error);
    if (failure.fault === 'window')
      await requarantine(transaction, { provider, ...window, reason: failure.error });
  });
}

/**
 * Throws a FeedError if reading yielded nothing and no documented reason, as such a window must not count as requested. Rates
 * of other days are acceptable only from a source that sends its whole history.
 */
function requireOutcome(feed: Feed, wanted: DateRange, { rows, counts }: Read): void {
  if (rows.length > 0 || Object.keys(counts.noData).length > 0) return;
  const days = `${wanted.from} to ${wanted.to}`;
  const dropped = Object.entries(counts.rowsDropped).map(([reason, count]) => `${count} ${reason}`);
  if (dropped.length > 0) throw new FeedError(`no valid rate for ${days}: ${dropped.join(', ')}`);
  if (feed.backfillDays !== undefined || counts.responses === 0) {
    throw new FeedError(`no rate for ${days} and no documented reason, from ${counts.responses} responses`);
  }
}

type Read = Awaited<ReturnType<typeof readWindow>>;

async function readWindow(
  feed: Feed,
  window: ReadRequest,
  access: FeedAccess,
  { log, read: readFeed = readRates }: IngestDeps,
) {
  const context = readContextOf(access, log.child({ provider: feed.key }));
  const { rows, dropped, skipped, noData, responses, unread } = await readFeed(feed, window, context);
  const counts = {
    rowsDropped: dropped,
    rowsSkipped: skipped,
    noData,
    responses: responses.length,
    responseBytes: responses.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  return { rows, counts, responses, unread };
}

export function readingOf({ reading = 1 }: Pick<Feed, 'reading'>): number {
  return reading;
}

async function store(
  feed: Feed,
  wanted: DateRange,
  read: Read,
  deps: IngestDeps & { run: string; access: FeedAccess },
): Promise<IngestResult> {
  const storeRows = deps.store ?? storeAlone(deps.database);
  let incomplete: IncompleteDay[] = [];
  const run = { id: deps.run, reading: readingOf(feed) };
  const stored = await storeRows(feed.key, read.rows, run, async (transaction, counts) => {
    await succeedRun(transaction, deps.run, feed.key, countsOf(counts, read));
    // Rates that were already known are proven by the run that recorded them.
    if (counts.changedDates.length > 0) await recordResponses(transaction, deps.run, read.responses);
    // A correction within the period of an official rate naturally covers few currencies.
    if (isOfDays(feed.key))
      incomplete = await markIncompleteDays(transaction, feed.key, counts.changedDates, deps.access.today);
    // A recording only has responses for its own days, so nothing is known of the days before and after.
    if (deps.access.recorded) return;
    const isFirst = feed.backfillUntilEmpty && deps.reason === 'backfill' && read.rows.length === 0;
    const asked = isFirst ? { ...wanted, from: BEFORE_ALL } : wanted;
    await extendBackfill(transaction, feed.key, asked, deps.access.today);
    await takeBackSetAside(transaction, feed.key, wanted, read.unread);
    for (const { from, to, reason } of read.unread)
      await requarantine(transaction, { provider: feed.key, from, to, reason });
  });
  const [unread] = read.unread;
  if (unread) {
    const documents = read.unread.length;
    deps.log.warn({ provider: feed.key, run: deps.run, documents, ...unread }, 'documents are set aside');
  }
  for (const day of incomplete)
    deps.log.warn({ provider: feed.key, run: deps.run, ...day }, 'an incomplete day');
  logSuspects(stored.suspects, deps);
  return { run: deps.run, version: stored.version, ...countsOf(stored, read) };
}

/** Older suspects, as in a history that is read for the first time, change no rate of today. */
const URGENT_DAYS = 30;

/** One line for all that are held: a history may have hundreds. It is a warning if the newest of them is recent. */
function logSuspects(
  suspects: readonly JudgedSuspect[],
  { log, run, access }: { log: Logger; run: string; access: FeedAccess },
): void {
  const lines = suspects.map(({ provider, base, quote, date, rate, reason, expected, status }) => {
    return { provider, run, base, quote, date, rate, reason, expected, status };
  });
  const held = lines.filter(({ status }) => status === 'held');
  for (const line of lines) if (!held.includes(line)) log.info(line, 'a suspect rate is resolved');
  const newest = held.at(-1);
  if (!newest) return;
  const level = newest.date > addDays(access.today, -URGENT_DAYS) ? 'warn' : 'info';
  log[level]({ ...newest, suspects: held.length }, 'suspect rates are held back from the blend');
}

function countsOf({ rowsNew, rowsCorrected, rowsUnchanged }: StoredRates, { counts }: Read) {
  return { rowsNew, rowsCorrected, rowsUnchanged, ...counts };
}

/** A single line for an operator, with the cause, such as the certificate that a connection failed on. */
function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${reasonOf(error.cause)})` : '';
  return `${reasonOf(error)}${cause}`.slice(0, 500);
}
