import type { PlanningState } from '../../core/database/providers.js';
import { addDays, type CalendarDate, earlier } from '../../core/domain/dates.js';
import type { Provider } from '../../core/domain/providers.js';
import { isPeriodPublished, nextPublishAt, pollingDayAt } from '../../core/domain/publish-schedule.js';
import type { Feed } from '../feeds/feed.js';
import { recentFrom } from '../ingest/windows.js';

/** What a provider is asked for. */
export interface Poll {
  from: CalendarDate;
  /** The newest day that is known, where a newer one is looked for. */
  newerThan?: CalendarDate;
}

/** What a poll goes by of a feed. */
export type PolledFeed = Pick<Feed, 'correctionDays' | 'dayByDay' | 'empty'>;

/**
 * What to ask a provider for at a polling slot; undefined where it is not to be asked. From one slot before the one at which its
 * last rates came, each slot looks for newer ones, and at days that may have been corrected, until they are stored. Then
 * no slot asks any more. A source that is asked for one day after another is asked for new days alone, and at the last slot of a
 * day, whatever is stored, for days that may have been corrected.
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
  // A source that has no word for a day without rates is asked for one with them too.
  return {
    from: empty === undefined ? newest : earlier(addDays(newest, 1), today),
    newerThan: state.endDate,
  };
}

/**
 * What to ask a provider for at any other instant, as for what was missed: what the slots since it was asked last would have
 * asked for, and again after a failure.
 */
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
    // Of a long time away one day says it all.
    if (slot >= pollingDayAt(provider, slot).last) break;
    slot = nextPublishAt(provider, slot);
  }
  return poll;
}

/** Whether a source asks not to be asked again yet, by `retry-after`. */
export function isLeftAlone({ askAfter }: PlanningState, now: Date): boolean {
  return askAfter !== null && askAfter > now;
}

/**
 * Whether the publish that a slot looks for is stored. By which day a source dates its rates is its own affair: a day is
 * published once a newer one than before was recorded since its first slot. Where several days were recorded at once, as after
 * an outage, this is unknown, as it is while the newest day has few of the usual currencies.
 */
function isPublished(provider: Provider, state: PlanningState, slot: Date): boolean {
  if (state.isThin) return false;
  if (provider.publish_cadence !== 'daily') return isPeriodPublished(provider, state.endDate, slot);
  const { first } = pollingDayAt(provider, slot);
  const { newestAt, previousAt } = state;
  return newestAt !== null && previousAt !== null && newestAt >= first && previousAt < first;
}

/** What is recorded later than so long after the last slot of a day was not found by it. */
const LONGEST_JOB_MS = 30 * 60_000;

/** Whether a slot is two and more before the time of day at which the provider's last rates came. */
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
