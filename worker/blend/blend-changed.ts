import { appendVersion } from '../../core/database/data-versions.js';
import type { JudgedSuspect } from '../../core/database/suspects.js';
import type { Transaction } from '../../core/database/transactions.js';
import { type CalendarDate, type DateRange, dayNumber, union } from '../../core/domain/dates.js';
import { isBlended } from '../../core/domain/providers.js';
import { type FirstBlends, storeFirst } from './blend-first.js';
import { blendWindows } from './blend-windows.js';
import type { Changes } from './judge-window.js';
import { affectedWindows, type OnProgress } from './recompute.js';

export interface StoredDates {
  /** The dates with new or corrected rates, ascending. */
  dates: readonly CalendarDate[];
  providers: readonly string[];
  /** Their blends and suspects, computed in advance if the database had no rates. */
  first?: FirstBlends | undefined;
}

export interface Blended extends Pick<Changes, 'suspects'> {
  /** The data version; undefined if there were no dates. */
  version: bigint | undefined;
}

/** Judges the stored rates, blends the days that they affect, and appends the data version, in one transaction. */
export async function blendChanged(
  transaction: Transaction,
  stored: StoredDates,
  onProgress?: OnProgress,
): Promise<Blended> {
  const { dates, providers, first } = stored;
  const [from, to] = [dates[0], dates.at(-1)];
  if (from === undefined || to === undefined) return { version: undefined, suspects: [] };
  const { changed, suspects } = first
    ? await storeFirst(transaction, first)
    : await blendStored(transaction, stored, onProgress);
  // Rows without effect on a blend, such as outliers, are still served for their provider, and need a new data version.
  const range = rangeOf(suspects, union(changed, { from, to })) ?? { from, to };
  // Another provider's rates are shown differently if one of them was confirmed, or is suspected for another reason.
  const shown = new Set([...providers, ...suspects.map(({ provider }) => provider)]);
  const [only] = shown;
  return { version: await appendVersion(transaction, range, shown.size === 1 ? only : undefined), suspects };
}

/** Judges the stored rates, and blends the days that they affect, without a data version. */
export function blendStored(
  transaction: Transaction,
  { dates, providers }: StoredDates,
  onProgress?: OnProgress,
): Promise<Changes> {
  const windows = providers.some(isBlended) ? affectedWindows(dates) : [];
  const [days, keys] = [new Set(dates.map(dayNumber)), new Set(providers)];
  const isChanged = (provider: string, day: number) => keys.has(provider) && days.has(day);
  return blendWindows(transaction, windows, { isChanged, onProgress });
}

/** Extends a range of days to include the days of suspects. */
export function rangeOf(
  suspects: readonly JudgedSuspect[],
  range: DateRange | undefined,
): DateRange | undefined {
  return suspects.reduce((all, { date }) => union(all, { from: date, to: date }), range);
}
