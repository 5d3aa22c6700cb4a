import type { Logger } from 'pino';
import type { Database } from '../../core/database/database.js';
import { lockProvider, ProviderBusy } from '../../core/database/locks.js';
import {
  beginHistoryAgain,
  noteMissingCredentials,
  type PlanningState,
  readHistoryReadings,
  readPlanningStates,
} from '../../core/database/providers.js';
import type { Clock } from '../../core/domain/clock.js';
import { today } from '../../core/domain/clock.js';
import { needsKeyError } from '../../core/domain/provider-status.js';
import { type Provider, providers } from '../../core/domain/providers.js';
import { nextPublishAt } from '../../core/domain/publish-schedule.js';
import { enqueueRecent, share } from '../../core/queues/enqueue.js';
import type { IngestQueue } from '../../core/queues/queues.js';
import { type Credentials, credentialsFor } from '../feeds/credentials.js';
import type { Feed } from '../feeds/feed.js';
import { readingOf } from '../ingest/ingest.js';
import { NOT_BEGUN, nextBackfill, recentFrom } from '../ingest/windows.js';
import { continueBackfill } from './backfill.js';

export interface PlanDeps {
  database: Database;
  queue: IngestQueue;
  feeds: ReadonlyMap<string, Feed>;
  /** What credentials there are, whatever the feed. */
  variables: Readonly<Record<string, unknown>>;
  clock: Clock;
  log: Logger;
}

/** Milliseconds over which the first questions to all banks are spread. */
const SPREAD_MS = 60_000;
/** A start soon after a start asks nobody twice. */
const SLOT_MS = 30 * 60_000;

const NEVER_TRIED: PlanningState = { ...NOT_BEGUN, lastError: null, askedAt: null };

/**
 * Asks every provider for its newest window, spread over `spreadMs` so that no host meets a crowd; each answer
 * sets off what is left of that provider's backfill. An archive that is complete is left alone. Histories that were read
 * otherwise than they would be now are asked for again.
 */
export async function catchUp(deps: PlanDeps, spreadMs = SPREAD_MS): Promise<void> {
  await noteCredentials(deps);
  await readAgain(deps);
  const states = await readPlanningStates(deps.database);
  const slot = new Date(Math.floor(deps.clock().getTime() / SLOT_MS) * SLOT_MS);
  for (const { provider, feed } of askable(deps)) {
    const state = states.get(provider.key) ?? NEVER_TRIED;
    if (isCompleteArchive(provider, feed, state.backfilledTo)) continue;
    await enqueueFrom(state, feed, { ...deps, slot, reason: 'catch-up', spreadMs });
  }
}

/**
 * Asks again what was not asked, or in vain: providers whose newest attempt failed or came before their last slot, as
 * where the workers or the queue were away at it, and backfills that are not at their end. What is waiting or running
 * already is not added again, nor twice at the slot of this look.
 */
export async function sweep(deps: PlanDeps, slot: Date): Promise<void> {
  await readAgain(deps);
  const states = await readPlanningStates(deps.database);
  for (const { provider, feed } of askable(deps)) {
    const state = states.get(provider.key) ?? NEVER_TRIED;
    if (isToBeAsked(provider, state, deps.clock()))
      await enqueueFrom(state, feed, { ...deps, slot, reason: 'catch-up', spreadMs: SPREAD_MS });
    else await continueBackfill(feed, deps);
  }
}

function isToBeAsked(provider: Provider, state: PlanningState, now: Date): boolean {
  if (state.backfilledTo === null || state.lastError !== null) return true;
  const due = nextPublishAt(provider, state.askedAt ?? new Date(0));
  return due !== null && due <= now;
}

/** Asks one provider for its newest window, due at the slot. */
export async function askForRecent(deps: PlanDeps, feed: Feed, slot: Date, spreadMs: number): Promise<void> {
  const states = await readPlanningStates(deps.database, feed.key);
  const state = states.get(feed.key) ?? NEVER_TRIED;
  await enqueueFrom(state, feed, { ...deps, slot, reason: 'schedule', spreadMs });
}

interface Asking extends Pick<PlanDeps, 'queue' | 'clock'> {
  slot: Date;
  reason: 'schedule' | 'catch-up';
  /** Milliseconds over which the providers of a slot are spread. */
  spreadMs: number;
}

/** Adds a job for what a provider in this state has to be asked for. */
async function enqueueFrom(
  state: PlanningState,
  { key, correctionDays }: Feed,
  { queue, clock, slot, reason, spreadMs }: Asking,
): Promise<void> {
  const job = { provider: key, from: recentFrom(state, today(clock), correctionDays), reason };
  const delay = Math.round(share(key) * spreadMs);
  await enqueueRecent(queue, job, { id: instantOf(slot.getTime()), delay });
}

/** The providers that have a feed and the credentials it needs. */
export function askable(deps: Pick<PlanDeps, 'feeds' | 'variables'>): { provider: Provider; feed: Feed }[] {
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
  if (missing.size > 0) log.info({ providers: [...missing.keys()] }, 'not asked for want of a key');
}

/** Begins the backfill of those providers again whose feeds have a newer reading number than their histories. */
async function readAgain(deps: PlanDeps): Promise<void> {
  const readings = await readHistoryReadings(deps.database);
  for (const { provider, feed } of askable(deps)) {
    const before = readings.get(provider.key);
    const reading = readingOf(feed);
    if (before !== undefined && before < reading) await beginAgain(deps, provider.key, { before, reading });
  }
}

async function beginAgain(
  { database, log }: PlanDeps,
  provider: string,
  { before, reading }: { before: number; reading: number },
): Promise<void> {
  // What is being read may be read by the older number; it must not be counted as asked for.
  const lock = await lockProvider(database, provider).catch((error: unknown) => {
    if (error instanceof ProviderBusy) return undefined; // The hourly look comes back to it.
    throw error;
  });
  if (!lock) return;
  try {
    if (await beginHistoryAgain(database, provider, reading))
      log.info(
        { provider, before, reading },
        'its feed reads responses in a new way: its history is asked for again',
      );
  } finally {
    await lock.release();
  }
}

function isCompleteArchive(provider: Provider, feed: Feed, backfilledTo: string | null): boolean {
  if (provider.publish_schedule !== null || backfilledTo === null) return false;
  return (
    nextBackfill(backfilledTo, provider.coverage_start, feed.backfillDays, feed.backfillUntilEmpty) ===
    undefined
  );
}

/** The minute of an instant in a form that a job's id may hold: `20261121T1430`. */
export function instantOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replaceAll(/[-:]/g, '');
}
