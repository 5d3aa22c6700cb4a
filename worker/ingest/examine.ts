import type { Logger } from 'pino';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import { addDays, type CalendarDate, later } from '../../core/domain/dates.js';
import { BY_PROXY, causeOf, type Outage, UNREACHED, UNRESOLVED } from '../../core/domain/internet-access.js';
import { providerStatus } from '../../core/domain/provider-status.js';
import { providerOf } from '../../core/domain/providers.js';
import { reasonOf } from '../../core/process/connection-errors.js';
import { type Attempt, diagnose } from '../feeds/diagnosis.js';
import type { Feed } from '../feeds/feed.js';
import { countTraffic, type Traffic } from '../feeds/http/traffic.js';
import { readRates } from '../feeds/read.js';
import { pairAndDay } from '../feeds/reading.js';
import { type FeedSource, readContextOf } from './feed-source.js';
import { newestWindow } from './windows.js';

/** The result of a single test reading of a source. */
export type Examination = Awaited<ReturnType<typeof examineOne>>;

export interface StoredRates {
  newest: CalendarDate | null;
  /** Keyed by `pairAndDay`. */
  rates: ReadonlyMap<string, number>;
}

interface ExamineOptions {
  now: Date;
  log: Logger;
  /** The stored rates by provider. If absent, nothing is compared. */
  stored?: ReadonlyMap<string, StoredRates> | undefined;
  /** Sources that are not finished when this aborts are left out. */
  stopping?: AbortSignal;
  onExamined?(done: number): void;
}

const AT_ONCE = 8;

/** Requests the newest days of each source without storing them, and reports in order what happened and why. */
export async function examine(
  feeds: readonly Feed[],
  source: FeedSource,
  options: ExamineOptions,
): Promise<Examination[]> {
  const turns = createSemaphore({ permits: AT_ONCE });
  let done = 0;
  const examinations = await Promise.all(
    feeds.map((feed) =>
      turns.run(async () => {
        const examination = await examineOne(feed, source, options);
        if (options.stopping?.aborted) return [];
        options.onExamined?.(++done);
        return [examination];
      }),
    ),
  );
  return examinations.flat();
}

/** The outage if none of several sources could be reached, so that the fault is not theirs. */
export function outageIn(examinations: readonly Examination[]): Pick<Outage, 'keys' | 'cause'> | undefined {
  const asked = examinations.filter(({ diagnosis }) => diagnosis?.cause !== 'needs_a_key');
  const count = (pattern: string) => asked.filter(({ error = '' }) => new RegExp(pattern).test(error)).length;
  if (asked.length < 2 || count(UNREACHED) < asked.length) return undefined;
  const cause = causeOf(asked.length, { unresolved: count(UNRESOLVED), byProxy: count(BY_PROXY) });
  return { keys: asked.map(({ provider }) => provider), cause };
}

async function examineOne(feed: Feed, source: FeedSource, options: ExamineOptions) {
  const begun = performance.now();
  const attempt = await ask(feed, source, options);
  const { traffic, read } = attempt;
  const diagnosis = diagnose(attempt);
  const stored = options.stored?.get(feed.key);
  return {
    provider: feed.key,
    diagnosis,
    error: attempt.error === undefined ? undefined : reasonOf(attempt.error),
    /** Whether the operator must act. Not set for a source without its key, which is left out on purpose. */
    needsHand: diagnosis !== undefined && diagnosis.cause !== 'needs_a_key',
    status: traffic?.status,
    milliseconds: Math.round(performance.now() - begun),
    requests: traffic?.requests ?? 0,
    bytes: traffic?.bytes ?? 0,
    rows: read?.rows.length,
    newest: read?.newest,
    stored: stored && {
      newest: stored.newest,
      differing: (read?.rows ?? []).filter(
        (row) => (stored.rates.get(pairAndDay(row)) ?? row.rate) !== row.rate,
      ).length,
    },
  };
}

async function ask(feed: Feed, source: FeedSource, { now, log }: ExamineOptions): Promise<Attempt> {
  const { key } = feed;
  let traffic: Traffic | undefined;
  try {
    const access = await source.open(feed);
    const { credentials, recorded, today } = access;
    if (credentials.status === 'missing') return { key, missing: credentials.names };
    const window = recorded ?? newestWindow(feed, today);
    const counted = countTraffic(access.http);
    traffic = counted.traffic;
    const context = readContextOf({ ...access, http: counted.http }, log.child({ provider: key }));
    const { rows, noData, unread } = await readRates(feed, window, context);
    const newest = rows.reduce<CalendarDate | undefined>((day = '', { date }) => later(day, date), undefined);
    // A recording has no newer days than its own.
    const late = recorded === undefined && isLate(key, newest ?? addDays(window.from, -1), now);
    return { key, traffic, read: { rows, noData, unread, newest, isLate: late } };
  } catch (error) {
    return { key, traffic, error };
  }
}

function isLate(key: string, endDate: CalendarDate, now: Date): boolean {
  const provider = providerOf(key);
  return provider !== undefined && providerStatus(provider, { endDate, lastError: null }, now) === 'late';
}
