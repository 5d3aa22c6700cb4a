import { appendVersion } from '../../core/database/data-versions.js';
import type { Transaction } from '../../core/database/transactions.js';
import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { addDays, type CalendarDate, later } from '../../core/domain/dates.js';
import type { DateRange } from '../../core/domain/periods.js';
import { isBlended } from '../../core/domain/providers.js';
import { type OnProgress, recompute } from './recompute.js';

/**
 * Blends every day that rows of these dates, given in ascending order, can change, and appends the data version,
 * inside the transaction that stored them. Undefined where there are no dates.
 */
export async function blendChanged(
  transaction: Transaction,
  dates: readonly CalendarDate[],
  provider: string | undefined,
  onProgress?: OnProgress,
): Promise<bigint | undefined> {
  const first = dates[0];
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return undefined;
  // Rows without effect on a blend, such as outliers, are still served for their provider, and need a new data
  // version.
  const changed = { from: first, to: last };
  const windows = provider === undefined || isBlended(provider) ? affectedWindows(dates) : [];
  for (const window of windows) {
    const blended = await recompute(transaction, window, onProgress);
    if (blended) changed.to = later(changed.to, blended.to);
  }
  return appendVersion(transaction, changed, provider);
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
