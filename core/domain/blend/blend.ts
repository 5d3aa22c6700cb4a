import { type CalendarDate, dayNumber, fromDayNumber } from '../dates.js';
import { type CarriedRows, carryForward, type RawRow } from './carry-forward.js';
import { outliers, weightedMean } from './consensus.js';
import { type Contribution, inDollars } from './dollar-pivot.js';

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

/** `rate` is in units of the quote per dollar. */
export interface Source {
  provider: string;
  date: CalendarDate;
  rate: number;
  excluded: boolean;
}

/** Units per dollar, sorted by quote, without pegs. Ignores rows after the date or more than 14 days before it. */
export function blend(rows: Iterable<RawRow>, asOf: CalendarDate): Blend[] {
  return blendCarried(carryForward(rows, asOf), dayNumber(asOf));
}

/** Blends the rows carried forward to a day, sorted by quote. No later row may have been observed. */
export function blendCarried(carried: CarriedRows, day: number): Blend[] {
  return blendDollars(inDollars(carried, day));
}

/** By quote. Ages are relative to the newest day of all contributions, not to the clock. */
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

/** All contributions to a blended rate, sorted by provider, then date. */
export function sourcesOf({ contributions, excluded }: Blend): Source[] {
  return contributions
    .map(({ provider, day, rate }) => ({
      provider,
      date: fromDayNumber(day),
      rate,
      excluded: excluded.has(provider),
    }))
    .sort((one, other) => (one.provider + one.date < other.provider + other.date ? -1 : 1));
}

function newestOf(contributions: readonly Contribution[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  for (const { day } of contributions) if (day > newest) newest = day;
  return newest;
}
