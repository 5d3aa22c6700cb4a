import type { BackfillState } from '../../core/database/providers.js';
import { addDays, type CalendarDate, earlier, later } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { BEFORE_ALL, type Feed } from '../feeds/feed.js';

/** Of a provider that was never asked. */
export const NOT_BEGUN: BackfillState = { backfilledTo: null, through: null, endDate: null };

/** Days of the first look at a provider. Its history before them follows as a backfill. */
const FIRST_LOOK_DAYS = 14;
/**
 * Days back from today in which a source has something new, however late it is within its schedule: in December a
 * monthly one may have nothing newer than October.
 */
const NEWEST_DAYS = { daily: FIRST_LOOK_DAYS, weekly: 28, monthly: 100, quarterly: 300 };
/** Days before the newest one that are asked for again, as banks correct their latest rates. */
const CORRECTION_DAYS = 7;
/** No bank publishes a day later than this. A source silent for longer is not asked for its silence again. */
const LATEST_PUBLISH_DAYS = 92;

/** First day of the newest window: new days, days that may have been corrected, and all that was never asked for. */
export function recentFrom(
  state: BackfillState,
  today: CalendarDate,
  correctionDays: number = CORRECTION_DAYS,
): CalendarDate {
  if (state.backfilledTo === null) return addDays(today, 1 - Math.max(FIRST_LOOK_DAYS, correctionDays));
  const through = earlier(state.through ?? state.endDate ?? state.backfilledTo, today);
  const oldest = addDays(through, -Math.max(LATEST_PUBLISH_DAYS, correctionDays));
  // Rates that were imported may be newer than the last day that was asked for.
  const wanted = addDays(earlier(state.endDate ?? through, through), -correctionDays);
  return later(wanted, oldest);
}

/** The shortest window that shows whether a source returns what it should; of an archive its last days. */
export function newestWindow(
  { key, lastDay }: Pick<Feed, 'key' | 'lastDay'>,
  today: CalendarDate,
): { from: CalendarDate; to: CalendarDate | undefined } {
  const days = NEWEST_DAYS[providerOf(key)?.publish_cadence ?? 'daily'];
  return lastDay !== undefined && lastDay < today
    ? { from: addDays(lastDay, 1 - days), to: lastDay }
    : { from: addDays(today, 1 - days), to: undefined };
}

/**
 * The next window of a provider's backfill: the `backfillDays` before what has been asked for, or all of it at
 * once where the source gives its history whole; `untilEmpty` where the first day is found by asking. Undefined where
 * there is nothing (more) to ask for.
 */
export function nextBackfill(
  backfilledTo: CalendarDate | null,
  coverageStart: CalendarDate | null,
  backfillDays: number | undefined,
  untilEmpty = false,
): { from: CalendarDate; to: CalendarDate } | undefined {
  if (backfilledTo === null) return undefined;
  // Without a first day a source that gives days one by one keeps no history worth stepping through.
  const start = coverageStart ?? (backfillDays === undefined || untilEmpty ? BEFORE_ALL : backfilledTo);
  if (backfilledTo <= start) return undefined;
  const from = backfillDays === undefined ? start : later(start, addDays(backfilledTo, -backfillDays));
  return { from, to: addDays(backfilledTo, -1) };
}
