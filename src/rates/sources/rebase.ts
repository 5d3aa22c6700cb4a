import {
  type CarriedRows,
  carryForward,
  eachObservationDate,
  isCarried,
  type RawRow,
  type Series,
  sortedSeries,
} from '../../../core/domain/blend/carry-forward.js';
import { type Crossing, crossingsOf, unitsPer } from '../../../core/domain/crossing.js';
import { type CalendarDate, dayNumber, fromDayNumber } from '../../../core/domain/dates.js';

/** One unit of the base costs `rate` units of `quote`, from one provider's own data. */
export interface RebasedRate {
  quote: string;
  /** Date of the row that names the quote. */
  date: CalendarDate;
  rate: number;
  /** Whether the provider publishes this pair in this direction: `rate` is then as published. */
  published: boolean;
}

/**
 * Converts one provider's rows as of a date to units per unit of `base`, for every currency, sorted by quote and
 * without the base itself. A published pair is used as it is; else the inverse pair is inverted; else two pairs are
 * crossed over a common currency: the provider's pivot if possible, else the first by code. All rows must be of the
 * same provider.
 */
export function rebaseWithin(
  rows: Iterable<RawRow>,
  asOf: CalendarDate,
  base: string,
  pivot: string | null,
): RebasedRate[] {
  return rebaseCarried(carryForward(rows, asOf), dayNumber(asOf), base, pivot);
}

/**
 * The same for every date of a window on which the provider published: the rates whose own date it is, so that a
 * range, a day and the newest rates agree. Rows in the order that `eachObservationDate` requires.
 */
export function* rebaseEachDate(
  rows: Iterable<RawRow>,
  window: { from: CalendarDate; to: CalendarDate },
  base: string,
  pivot: string | null,
): Generator<{ date: CalendarDate; rates: RebasedRate[] }> {
  for (const { date, carried } of eachObservationDate(rows, window)) {
    const rates = rebaseCarried(carried, dayNumber(date), base, pivot);
    yield { date, rates: rates.filter((rate) => rate.date === date) };
  }
}

function rebaseCarried(carried: CarriedRows, day: number, base: string, pivot: string | null): RebasedRate[] {
  const pairs = pairsByCurrency(carried, day);
  const withBase = pairs.get(base);
  if (!withBase) return [];
  const legOf = (currency: string, per: string) => pairs.get(per)?.get(currency);
  const others = [...withBase.keys()].sort();
  // One at a time: nearly always the first or the pivot is enough.
  function* pers(quote: string) {
    yield base;
    yield quote;
    if (pivot !== null) yield pivot;
    yield* others;
  }
  return [...pairs.keys()].sort().flatMap((quote) => {
    if (quote === base) return [];
    const [best] = crossingsOf({ base, quote }, pers(quote), legOf);
    return best ? rateOf(best, base, quote) : [];
  });
}

function rateOf({ per, ...legs }: Crossing<Series>, base: string, quote: string): RebasedRate {
  const units = (leg: Series | undefined, currency: string) => (leg ? unitsPer(leg, currency, per) : 1);
  return {
    quote,
    date: fromDayNumber((legs.quote ?? legs.base)?.day ?? Number.NaN),
    rate: units(legs.quote, quote) / units(legs.base, base),
    published: legs.quote?.base === base,
  };
}

/** What gives each currency per unit of another, by that and the currency: the pair as it is published, else its inverse. */
function pairsByCurrency(carried: CarriedRows, day: number): Map<string, Map<string, Series>> {
  const pairs = new Map<string, Map<string, Series>>();
  const set = (per: string, currency: string, series: Series) => {
    const known = pairs.get(per);
    if (known) known.set(currency, series);
    else pairs.set(per, new Map([[currency, series]]));
  };
  const published = sortedSeries(carried).filter((series) => isCarried(series, day));
  for (const series of published) set(series.quote, series.base, series);
  for (const series of published) set(series.base, series.quote, series);
  return pairs;
}
