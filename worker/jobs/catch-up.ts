import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { lockProvider, ProviderBusy } from '../../core/database/locks.js';
import {
  beginHistoryAgain,
  noteMissingCredentials,
  type PlanningState,
  readPlanningState,
} from '../../core/database/providers.js';
import { addDays, type CalendarDate, type Clock, earlier, today } from '../../core/domain/dates.js';
import { needsKeyError } from '../../core/domain/provider-status.js';
import { type Provider, providerOf, providers } from '../../core/domain/providers.js';
import { isPeriodPublished, nextPublishAt, pollingDayAt } from '../../core/domain/publish-schedule.js';
import { enqueuePast, enqueueRecent, share } from '../../core/queues/enqueue.js';
import type { IngestJob, Queues } from '../../core/queues/queues.js';
import { type Credentials, credentialsFor } from '../feeds/credentials.js';
import type { Feed } from '../feeds/feed.js';
import { readingOf } from '../ingest/ingest.js';
import { nextBackfill, recentFrom } from '../ingest/windows.js';

export interface PlanDeps {
  database: Database;
  queues: Pick<Queues, 'ingest' | 'blend'>;
  feeds: ReadonlyMap<string, Feed>;
  /** All configured credentials, for any feed. */
  variables: Readonly<Record<string, unknown>>;
  clock: Clock;
  log: Logger;
}

/** The period over which the first requests to all banks are spread, in milliseconds. */
const SPREAD_MS = 60_000;
/** The period over which the banks of one slot of their schedules are spread, in milliseconds. */
const SPREAD_OF_SLOT_MS = 90_000;
/** Two starts within this time request nothing twice. */
const SLOT_MS = 30 * 60_000;

/** When a program starts, requests what was missed while none was running, and records which providers lack credentials. */
export async function catchUp(deps: PlanDeps, spreadMs = SPREAD_MS): Promise<void> {
  await noteCredentials(deps);
  await sweep(deps, new Date(Math.floor(deps.clock().getTime() / SLOT_MS) * SLOT_MS), spreadMs);
}

/**
 * Requests what was missed or failed since a provider's last request, its unfinished backfill, and its history if that was
 * read with an older reading number. Spreads requests over `spreadMs`. Adds no job that is waiting or running, and none twice for
 * a slot.
 */
export async function sweep(deps: PlanDeps, slot: Date, spreadMs = SPREAD_MS): Promise<void> {
  const now = deps.clock();
  for (const { provider, feed } of sourcesOf(deps)) {
    const state = await readAgain(deps, feed, await readPlanningState(deps.database, feed.key));
    const missed = missedPoll(provider, feed, state, { now, today: today(deps.clock) });
    if (missed) await ask(deps, { provider: provider.key, ...missed, reason: 'catch-up' }, slot, spreadMs);
    else if (!isLeftAlone(state, now)) await continueBackfill(feed, deps);
  }
}

/** Requests from a provider what its slot is for, unless that is already stored. */
export async function poll(deps: PlanDeps, { provider, feed }: Source, slot: Date): Promise<void> {
  const state = await readPlanningState(deps.database, feed.key);
  const due = pollAt(provider, feed, state, { slot, today: today(deps.clock) });
  if (due) await ask(deps, { provider: feed.key, ...due, reason: 'schedule' }, slot, SPREAD_OF_SLOT_MS);
}

/** `spreadMs` is the period over which the providers of a slot are spread, in milliseconds. */
async function ask(
  { queues }: PlanDeps,
  job: Parameters<typeof enqueueRecent>[1],
  slot: Date,
  spreadMs: number,
): Promise<void> {
  const delay = Math.round(share(job.provider) * spreadMs);
  await enqueueRecent(queues.ingest, job, { id: instantOf(slot), delay });
}

/** Adds a job for the next step of a backfill, if there is one. Progress is stored with the rows, so it can resume. */
export async function continueBackfill(
  { key, backfillDays, backfillUntilEmpty }: Feed,
  { database, queues }: Pick<PlanDeps, 'database' | 'queues'>,
): Promise<void> {
  const { backfilledTo } = await readPlanningState(database, key);
  const start = providerOf(key)?.coverage_start ?? null;
  const window = nextBackfill(backfilledTo, start, backfillDays, backfillUntilEmpty);
  if (window) await enqueuePast(queues.ingest, { provider: key, ...window, reason: 'backfill' });
}

interface Source {
  provider: Provider;
  feed: Feed;
}

/** The providers that have a feed and the credentials it needs. */
export function sourcesOf(deps: Pick<PlanDeps, 'feeds' | 'variables'>): Source[] {
  return providers.flatMap((provider) => {
    const feed = deps.feeds.get(provider.key);
    return feed && credentialsFor(feed, deps.variables).status === 'present' ? [{ provider, feed }] : [];
  });
}

async function noteCredentials({ database, feeds, variables, log }: PlanDeps): Promise<void> {
  const missing = new Map<string, string>();
  for (const feed of feeds.values()) {
    const credentials: Credentials = credentialsFor(feed, variables);
    if (credentials.status === 'missing') missing.set(feed.key, needsKeyError(credentials.names));
  }
  await noteMissingCredentials(database, missing);
  if (missing.size > 0) log.info({ providers: [...missing.keys()] }, 'not read: their keys are missing');
}

/** Restarts the backfill of a provider whose feed has a newer reading number than its history. Returns its state after that. */
async function readAgain(
  { database, log }: PlanDeps,
  feed: Feed,
  state: PlanningState,
): Promise<PlanningState> {
  const [before, reading] = [state.reading, readingOf(feed)];
  if (before === null || before >= reading) return state;
  // A running read may use the older number, and must not count as requested.
  const lock = await lockProvider(database, feed.key).catch((error: unknown) => {
    if (error instanceof ProviderBusy) return undefined; // The hourly sweep tries again.
    throw error;
  });
  const isBegun = lock && (await beginHistoryAgain(database, feed.key, reading).finally(lock.release));
  if (!isBegun) return state;
  const what = 'its feed reads responses in a new way: its history is read again';
  log.info({ provider: feed.key, before, reading }, what);
  return { ...state, backfilledTo: null };
}

/** The minute of an instant in a form that is valid in a job's ID: `20261121T1430`. */
export function instantOf(instant: Date): string {
  return instant.toISOString().slice(0, 16).replaceAll(/[-:]/g, '');
}

/** What to request from a provider. */
export type Poll = Pick<IngestJob, 'from' | 'newerThan'>;

export type PolledFeed = Pick<Feed, 'correctionDays' | 'dayByDay' | 'empty'>;

/**
 * What to request from a provider at a polling slot; undefined for nothing. Starting one slot before the one at which its
 * last rates arrived, each slot requests newer rates and days that may have been corrected, until they are stored. Then no
 * slot requests any more. A source with one request per day is only asked for new days, and at the last slot of a day,
 * whatever is stored, for days that may have been corrected.
 */
export function pollAt(
  provider: Provider,
  { correctionDays, dayByDay, empty }: PolledFeed,
  state: PlanningState,
  { slot, today }: { slot: Date; today: CalendarDate },
): Poll | undefined {
  if (isLeftAlone(state, slot)) return undefined;
  const everything = { from: recentFrom(state, today, correctionDays) };
  if (state.backfilledTo === null || state.endDate === null) return everything;
  const isLast = slot >= pollingDayAt(provider, slot).last;
  if (isLast && dayByDay) return everything;
  if (isPublished(provider, state, slot)) return undefined;
  if (isLast) return everything;
  if (isEarly(provider, state, slot)) return undefined;
  if (!dayByDay) return { ...everything, newerThan: state.endDate };
  const newest = recentFrom(state, today, 0);
  // If a source has no documented response for a day without rates, the request includes a day with rates.
  return {
    from: empty === undefined ? newest : earlier(addDays(newest, 1), today),
    newerThan: state.endDate,
  };
}

/** What the slots since a provider's last request would have requested. After a failure, everything recent. */
export function missedPoll(
  provider: Provider,
  feed: PolledFeed,
  state: PlanningState,
  { now, today }: { now: Date; today: CalendarDate },
): Poll | undefined {
  if (isLeftAlone(state, now)) return undefined;
  if (state.backfilledTo === null || state.lastError !== null)
    return { from: recentFrom(state, today, feed.correctionDays) };
  let poll: Poll | undefined;
  let slot = nextPublishAt(provider, state.askedAt ?? new Date(0));
  while (slot && slot <= now) {
    poll = pollAt(provider, feed, state, { slot, today }) ?? poll;
    // After a long absence, a single day is enough.
    if (slot >= pollingDayAt(provider, slot).last) break;
    slot = nextPublishAt(provider, slot);
  }
  return poll;
}

/** Whether a source has asked by `retry-after` not to be requested yet. */
function isLeftAlone({ askAfter }: PlanningState, now: Date): boolean {
  return askAfter !== null && askAfter > now;
}

/**
 * Whether the publish that a slot polls for is stored: a newer day than before was recorded since the first slot, as sources
 * date rates differently. Unknown if several days were recorded at once, such as after an outage, and while the newest day has
 * few of the usual currencies.
 */
function isPublished(provider: Provider, state: PlanningState, slot: Date): boolean {
  if (state.isIncomplete) return false;
  if (provider.publish_cadence !== 'daily') return isPeriodPublished(provider, state.endDate, slot);
  const { first } = pollingDayAt(provider, slot);
  const { newestAt, previousAt } = state;
  return newestAt !== null && previousAt !== null && newestAt >= first && previousAt < first;
}

/** Rates recorded longer than this after the last slot of a day were not found by that slot. */
const LONGEST_JOB_MS = 30 * 60_000;

/** Whether a slot is two or more slots before the time of day at which the provider's last rates arrived. */
function isEarly(provider: Provider, { newestAt }: PlanningState, slot: Date): boolean {
  if (newestAt === null) return false;
  const before = pollingDayAt(provider, newestAt);
  const { first } = pollingDayAt(provider, slot);
  const isOfSlot = newestAt >= before.first && newestAt.getTime() < before.last.getTime() + LONGEST_JOB_MS;
  if (!isOfSlot || before.first >= first) return false;
  const next = nextPublishAt(provider, slot);
  const afterNext = next && nextPublishAt(provider, next);
  return (
    afterNext !== null && afterNext.getTime() - first.getTime() <= newestAt.getTime() - before.first.getTime()
  );
}
