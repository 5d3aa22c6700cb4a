import type { PlanningState } from '../../core/database/providers.js';
import { addDays, type CalendarDate, earlier, later } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { BEFORE_ALL, type Feed } from '../feeds/feed.js';

/** The number of days in the first request to a provider. Its earlier history follows as a backfill. */
const FIRST_LOOK_DAYS = 14;
/** How many days to look back for something new: in December a monthly source may have nothing newer than October. */
const NEWEST_DAYS = { daily: FIRST_LOOK_DAYS, weekly: 28, monthly: 100, quarterly: 300 };
/** The number of days before the newest one that are requested again, as banks correct their latest rates. */
const CORRECTION_DAYS = 7;
/** No bank publishes later than this, in days. A longer gap of a source is not requested again. */
const LATEST_PUBLISH_DAYS = 92;

/** First day of the newest window: new days, days that may have been corrected, and days that were never requested. */
export function recentFrom(
  state: Pick<PlanningState, 'backfilledTo' | 'through' | 'endDate'>,
  today: CalendarDate,
  correctionDays: number = CORRECTION_DAYS,
): CalendarDate {
  if (state.backfilledTo === null) return addDays(today, 1 - Math.max(FIRST_LOOK_DAYS, correctionDays));
  const through = earlier(state.through ?? state.endDate ?? state.backfilledTo, today);
  const oldest = addDays(through, -Math.max(LATEST_PUBLISH_DAYS, correctionDays));
  // Imported rates may be newer than the last requested day.
  const wanted = addDays(earlier(state.endDate ?? through, through), -correctionDays);
  return later(wanted, oldest);
}

/** The shortest window that shows whether a source responds as it should. For an archive, its last days. */
export function newestWindow({ key, lastDay }: Pick<Feed, 'key' | 'lastDay'>, today: CalendarDate) {
  const days = NEWEST_DAYS[providerOf(key)?.publish_cadence ?? 'daily'];
  return lastDay !== undefined && lastDay < today
    ? { from: addDays(lastDay, 1 - days), to: lastDay }
    : { from: addDays(today, 1 - days), to: undefined };
}

/**
 * The next window of a backfill: the `backfillDays` before what has been requested, or everything at once if the source sends
 * its whole history. `untilEmpty` goes back until there is no more data. Undefined if there is nothing to request.
 */
export function nextBackfill(
  backfilledTo: CalendarDate | null,
  coverageStart: CalendarDate | null,
  backfillDays: number | undefined,
  untilEmpty = false,
): { from: CalendarDate; to: CalendarDate } | undefined {
  if (backfilledTo === null) return undefined;
  // A source that gives single days and has no known first day keeps no history worth stepping through.
  const start = coverageStart ?? (backfillDays === undefined || untilEmpty ? BEFORE_ALL : backfilledTo);
  if (backfilledTo <= start) return undefined;
  const from = backfillDays === undefined ? start : later(start, addDays(backfilledTo, -backfillDays));
  return { from, to: addDays(backfilledTo, -1) };
}
