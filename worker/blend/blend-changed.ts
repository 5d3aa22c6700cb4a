import { appendVersion } from '../../core/database/data-versions.js';
import type { Transaction } from '../../core/database/transactions.js';
import type { Suspect } from '../../core/domain/blend/judge.js';
import { type CalendarDate, earlier, fromDayNumber, later } from '../../core/domain/dates.js';
import { isBlended } from '../../core/domain/providers.js';
import { affectedWindows, blendWindows } from './blend-windows.js';
import type { OnProgress } from './recompute.js';

/** Rates that were stored. */
export interface StoredDates {
  /** The dates with new or corrected rates, ascending. */
  dates: readonly CalendarDate[];
  /** Whose rates they are. */
  providers: readonly string[];
}

export interface Blended {
  /** The data version, undefined where there were no dates. */
  version: bigint | undefined;
  /** The suspects that are new, or have another status than before. */
  suspects: readonly Suspect[];
}

/**
 * Judges the stored rates, blends every day that they can change, and appends the data version, inside the transaction
 * that stored them.
 */
export async function blendChanged(
  transaction: Transaction,
  { dates, providers }: StoredDates,
  onProgress?: OnProgress,
): Promise<Blended> {
  const first = dates[0];
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return { version: undefined, suspects: [] };
  // Rows without effect on a blend, such as outliers, are still served for their provider, and need a new data
  // version.
  const range = { from: first, to: last };
  const windows = providers.some(isBlended) ? affectedWindows(dates) : [];
  const options = { judged: providers, onProgress };
  const { changed, suspects } = await blendWindows(transaction, windows, options);
  if (changed) {
    range.from = earlier(range.from, changed.from);
    range.to = later(range.to, changed.to);
  }
  // A confirmed rate of another provider changes what is shown of that one.
  const shown = new Set([...providers, ...suspects.map(({ series }) => series.provider)]);
  for (const { day } of suspects) range.from = earlier(range.from, fromDayNumber(day));
  const [only] = shown;
  return { version: await appendVersion(transaction, range, shown.size === 1 ? only : undefined), suspects };
}
