import {
  type CarriedRows,
  carryForward,
  eachObservationDate,
  isCarried,
  type RawRow,
  type Series,
  sortedSeries,
} from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { type CalendarDate, dayNumber, fromDayNumber } from '../../../core/domain/dates.js';

/** One unit of the base costs `rate` units of `quote`, from one provider's own data. */
export interface RebasedRate {
  quote: string;
  /** Date of the row that names the quote. */
  date: CalendarDate;
  rate: number;
  /** Whether the provider publishes this pair in this direction: `rate` is then as published. */
  published: boolean;
  /** Why a row behind it is suspect; undefined where none is. */
  suspect: SuspicionReason | undefined;
}

export interface RebaseOptions {
  /** Only these quotes. */
  wanted?: ReadonlySet<string> | undefined;
  /** Why the newest row of a series is suspect. */
  suspicionOf?: (series: Series) => SuspicionReason | undefined;
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
  options: RebaseOptions = {},
): Generator<{ date: CalendarDate; rates: RebasedRate[] }> {
  for (const { date, carried } of eachObservationDate(rows, window)) {
    const rates = rebaseCarried(carried, dayNumber(date), base, pivot, options);
    yield { date, rates: rates.filter((rate) => rate.date === date) };
  }
}

/** A rate as a fraction, so that crossing rounds only once. */
interface Leg {
  units: number;
  per: number;
  day: number;
  published: boolean;
  suspect: SuspicionReason | undefined;
}

type Legs = Map<string, Map<string, Leg>>;

function rebaseCarried(
  carried: CarriedRows,
  day: number,
  base: string,
  pivot: string | null,
  { wanted, suspicionOf }: RebaseOptions = {},
): RebasedRate[] {
  const legs = legsOf(carried, day, suspicionOf);
  const fromBase = legs.get(base);
  if (!fromBase) return [];
  const counters = [...fromBase.keys()].sort((one, other) =>
    one === pivot || (other !== pivot && one < other) ? -1 : 1,
  );
  const date = fromDayNumber(day);
  const rates: RebasedRate[] = [];
  for (const quote of [...legs.keys()].sort()) {
    if (quote === base || (wanted && !wanted.has(quote))) continue;
    const leg = fromBase.get(quote) ?? cross(legs, fromBase, counters, quote);
    if (!leg) continue;
    rates.push({
      quote,
      date: leg.day === day ? date : fromDayNumber(leg.day),
      rate: leg.units / leg.per,
      published: leg.published,
      suspect: leg.suspect,
    });
  }
  return rates;
}

function cross(
  legs: Legs,
  fromBase: ReadonlyMap<string, Leg>,
  counters: readonly string[],
  quote: string,
): Leg | undefined {
  for (const counter of counters) {
    const first = fromBase.get(counter);
    const second = legs.get(counter)?.get(quote);
    if (first && second) {
      return {
        units: first.units * second.units,
        per: first.per * second.per,
        day: second.day,
        published: false,
        suspect: first.suspect ?? second.suspect,
      };
    }
  }
  return undefined;
}

function legsOf(
  carried: CarriedRows,
  day: number,
  suspicionOf: RebaseOptions['suspicionOf'] = () => undefined,
): Legs {
  const legs: Legs = new Map();
  const published = sortedSeries(carried).filter((series) => isCarried(series, day));
  for (const series of published) {
    const { base, quote, day, rate } = series;
    const suspect = suspicionOf(series);
    legFrom(legs, quote).set(base, { units: 1, per: rate, day, published: false, suspect });
  }
  for (const series of published) {
    const { base, quote, day, rate } = series;
    const suspect = suspicionOf(series);
    legFrom(legs, base).set(quote, { units: rate, per: 1, day, published: true, suspect });
  }
  return legs;
}

function legFrom(legs: Legs, currency: string): Map<string, Leg> {
  const known = legs.get(currency);
  if (known) return known;
  const made = new Map<string, Leg>();
  legs.set(currency, made);
  return made;
}
