import type { PlanningState } from '../../core/database/providers.js';
import { addDays, type CalendarDate, earlier } from '../../core/domain/dates.js';
import type { Provider } from '../../core/domain/providers.js';
import { isPeriodPublished, nextPublishAt, pollingDayAt } from '../../core/domain/publish-schedule.js';
import type { IngestJob } from '../../core/queues/queues.js';
import type { Feed } from '../feeds/feed.js';
import { recentFrom } from '../ingest/windows.js';

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
export function isLeftAlone({ askAfter }: PlanningState, now: Date): boolean {
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
