import type { PlanningState } from '../../core/database/providers.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import type { Provider } from '../../core/domain/providers.js';
import { isPeriodPublished, nextPublishAt, pollingDayAt } from '../../core/domain/publish-schedule.js';
import type { Feed } from '../feeds/feed.js';
import { recentFrom } from '../ingest/windows.js';

/**
 * First day to ask a provider for at a polling slot; undefined where it is not to be asked. Until what it publishes is
 * stored, each slot asks for what is new, from the newest stored day on. The last slot of a day asks also for the days
 * that may have been corrected, whatever is stored.
 */
export function pollFrom(
  provider: Provider,
  { correctionDays }: Pick<Feed, 'correctionDays'>,
  state: PlanningState,
  { slot, today }: { slot: Date; today: CalendarDate },
): CalendarDate | undefined {
  if (isLeftAlone(state, slot)) return undefined;
  const isLast = slot.getTime() >= pollingDayAt(provider, slot).last.getTime();
  if (isLast || state.backfilledTo === null) return recentFrom(state, today, correctionDays);
  return isPublished(provider, state, slot) ? undefined : recentFrom(state, today, 0);
}

/**
 * First day to ask a provider for at any other instant, as for what was missed: all that the slots since it was asked last
 * would have asked for, and again after a failure.
 */
export function missedFrom(
  provider: Provider,
  feed: Pick<Feed, 'correctionDays'>,
  state: PlanningState,
  { now, today }: { now: Date; today: CalendarDate },
): CalendarDate | undefined {
  if (isLeftAlone(state, now)) return undefined;
  if (state.backfilledTo === null || state.lastError !== null)
    return recentFrom(state, today, feed.correctionDays);
  const askedAt = state.askedAt ?? new Date(0);
  let from: CalendarDate | undefined;
  for (
    let slot = nextPublishAt(provider, askedAt);
    slot && slot <= now;
    slot = nextPublishAt(provider, slot)
  ) {
    from = pollFrom(provider, feed, state, { slot, today });
    // Of a long time away one whole day says it all.
    if (slot >= pollingDayAt(provider, slot).last) break;
  }
  return from;
}

/** Whether a source asks not to be asked again yet, by `retry-after`. */
export function isLeftAlone({ askAfter }: PlanningState, now: Date): boolean {
  return askAfter !== null && askAfter > now;
}

/**
 * Whether the publish that a slot looks for is stored. By which day a source dates its rates is its own affair: a day is
 * published once a newer one than before was recorded since its first slot. Where several days were recorded at once, as after
 * an outage, it can't be told; nor while the newest one has few of the usual currencies.
 */
function isPublished(provider: Provider, state: PlanningState, slot: Date): boolean {
  if (state.isThin) return false;
  if (provider.publish_cadence !== 'daily') return isPeriodPublished(provider, state.endDate, slot);
  const { first } = pollingDayAt(provider, slot);
  const { newestAt, previousAt } = state;
  return newestAt !== null && previousAt !== null && newestAt >= first && previousAt < first;
}
