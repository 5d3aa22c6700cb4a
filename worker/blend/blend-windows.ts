import type { Transaction } from '../../core/database/transactions.js';
import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import type { Suspect } from '../../core/domain/blend/judge.js';
import { addDays, type CalendarDate, fromDayNumber } from '../../core/domain/dates.js';
import type { DateRange } from '../../core/domain/periods.js';
import { type Recomputed, type RecomputeOptions, recompute, union } from './recompute.js';

/**
 * Blends windows of days again, and then all days from which a rate was held back that is confirmed now. The caller
 * holds the lock.
 */
export async function blendWindows(
  transaction: Transaction,
  windows: readonly DateRange[],
  options: RecomputeOptions,
): Promise<Recomputed> {
  const suspects: Suspect[] = [];
  let changed: DateRange | undefined;
  let waiting = windows;
  let { judged, onProgress } = options;
  while (waiting.length > 0) {
    const confirmed = new Set<CalendarDate>();
    for (const window of waiting) {
      const part = await recompute(transaction, window, { judged, onProgress });
      changed = union(changed, part.changed);
      for (const suspect of part.suspects) {
        suspects.push(suspect);
        if (suspect.status === 'confirmed') confirmed.add(fromDayNumber(suspect.day));
      }
    }
    waiting = affectedWindows([...confirmed].sort());
    // These have been judged.
    [judged, onProgress] = [[], undefined];
  }
  return { changed, suspects };
}

/**
 * The days whose blends can change with rows of these dates, given in ascending order: each date and the 14 days
 * after it. Windows whose raw rows overlap are one.
 */
export function affectedWindows(dates: readonly CalendarDate[]): DateRange[] {
  const windows: DateRange[] = [];
  for (const date of dates) {
    const to = addDays(date, WINDOW_DAYS);
    const last = windows.at(-1);
    if (last && date <= addDays(last.to, WINDOW_DAYS)) last.to = to;
    else windows.push({ from: date, to });
  }
  return windows;
}
