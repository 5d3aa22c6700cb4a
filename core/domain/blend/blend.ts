import { type CalendarDate, fromDayNumber } from '../dates.js';
import { outliers, weightedMean } from './consensus.js';
import type { Contribution } from './dollar-pivot.js';

/** In units of `quote` per dollar. */
export interface Blend {
  quote: string;
  /** Day of the newest contribution that is not an outlier. */
  date: CalendarDate;
  rate: number;
  /** All contributions including outliers, sorted by provider. */
  contributions: readonly Contribution[];
  excluded: ReadonlySet<string>;
}

/** Units per dollar, sorted by quote, without pegs. Ages are relative to the newest day of all contributions, not to the clock. */
export function blendDollars(byQuote: ReadonlyMap<string, readonly Contribution[]>): Blend[] {
  if (byQuote.size === 0) return [];
  const newestOfAll = Math.max(...Array.from(byQuote.values(), newestOf));
  const date = fromDayNumber(newestOfAll);
  const blends: Blend[] = [];
  for (const quote of [...byQuote.keys()].sort()) {
    const contributions = byQuote.get(quote) ?? [];
    const excluded = outliers(contributions);
    const counted =
      excluded.size === 0 ? contributions : contributions.filter(({ provider }) => !excluded.has(provider));
    // Each provider may have an outlier, for example by a second pair with an older rate.
    if (counted.length === 0) continue;
    const newest = newestOf(counted);
    blends.push({
      quote,
      date: newest === newestOfAll ? date : fromDayNumber(newest),
      rate: weightedMean(counted, newestOfAll),
      contributions,
      excluded,
    });
  }
  return blends;
}

function newestOf(contributions: readonly Contribution[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { day } of contributions) if (day > newest) newest = day;
  return newest;
}
