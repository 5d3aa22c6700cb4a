import {
  createCarriedRows,
  observe,
  PIVOT,
  type RawRow,
  seriesOf,
} from '../../core/domain/blend/carry-forward.js';
import { type Contribution, inDollars } from '../../core/domain/blend/dollar-pivot.js';
import { isCoarse } from '../../core/domain/blend/exclusions.js';
import { type CalendarDate, dayNumber, fromDayNumber } from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { inForce, pegOf } from '../../core/domain/pegs.js';

/** A rate that is further than this from what the others say deviates. */
const FAR = 0.02;
/** Banks take their rates at other hours, and print them under other dates: a rate of a near day is no wrong one. */
const NEARBY_DAYS = [-3, -2, -1, 1, 2, 3];
/** The others' rates may be this many days old: those of a Friday are compared with on Monday. */
const OLDEST_DAYS = 3;

/** A rate that is more than 2 % from what others say, on its own day and on the three days before and after it. */
export interface Deviation {
  provider: string;
  quote: string;
  date: CalendarDate;
  /** Relative: 0.05 is 5 % more units per dollar than the others say. */
  deviation: number;
}

/** One provider's rate: a dollar costs `rate` units of `quote` on the day. */
interface PublishedRate extends Omit<Contribution, 'paths'> {
  quote: string;
}

/** What the trusted providers say that a dollar costs, by currency and day. */
type Trusted = Map<string, Map<number, readonly Contribution[]>>;

/** Whether others may be compared with a provider's rate. */
type IsTrusted = (rate: { provider: string; quote: string; date: CalendarDate }) => boolean;

/**
 * Returns the rates of each provider that deviate from those of the others. Rates are converted to dollars as in the blend,
 * and coarse ones are left out. The order of the rows does not matter.
 */
export function deviationsIn(rows: Iterable<RawRow>, isTrusted: IsTrusted): Deviation[] {
  const published: PublishedRate[] = [];
  const trusted: Trusted = new Map();
  const carried = createCarriedRows();
  for (const [date, ofDate] of groupBy(byDate(rows), (row) => row.date)) {
    const today = dayNumber(date);
    for (const { provider, base, quote, rate } of ofDate)
      observe(seriesOf(carried, provider, base, quote), today, rate);
    for (const [quote, contributions] of inDollars(carried, today)) {
      for (const one of contributions) if (one.day === today) published.push({ ...one, quote });
      const others = contributions.filter(
        ({ provider, day }) =>
          day >= today - OLDEST_DAYS && isTrusted({ provider, quote, date: fromDayNumber(day) }),
      );
      const days = trusted.get(quote) ?? new Map<number, readonly Contribution[]>();
      if (others.length > 0) trusted.set(quote, days.set(today, others));
    }
  }
  return published.flatMap((one) => {
    const deviationAfter = (days: number) => one.rate / (ofOthers(trusted, one, days) ?? Number.NaN) - 1;
    const isNear = (days: number) => Math.abs(deviationAfter(days)) <= FAR;
    const deviation = deviationAfter(0);
    // NaN if no other provider has a rate.
    if (!(Math.abs(deviation) > FAR) || NEARBY_DAYS.some(isNear)) return [];
    const { provider, quote, day } = one;
    return [{ provider, quote, date: fromDayNumber(day), deviation }];
  });
}

/**
 * The other providers' rate of a currency some days after its day, in units per dollar: the median of rates at most three
 * days old, or the peg of a pegged currency. Undefined if no other provider has a rate, or none published on that day.
 */
function ofOthers(trusted: Trusted, one: PublishedRate, daysLater: number): number | undefined {
  const { provider, quote, day, rate } = one;
  const peg = pegOf(quote);
  if (peg && inForce(peg)(day + daysLater)) {
    if (peg.base === PIVOT) return peg.rate;
    const base = ofOthers(trusted, { provider, quote: peg.base, day, rate: rate / peg.rate }, daysLater);
    return base === undefined ? undefined : peg.rate * base;
  }
  const others = (trusted.get(quote)?.get(day + daysLater) ?? []).filter(
    (other) => other.provider !== provider,
  );
  return medianNear(
    rate,
    others.map((other) => other.rate),
  );
}

function byDate(rows: Iterable<RawRow>): RawRow[] {
  const fine = [...rows].filter((row) => !isCoarse(row));
  return fine.sort((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)));
}

/**
 * The median; of two middle ones the one that is nearer to the rate. So a rate that one of two others confirms is not
 * blamed for what the second says. Undefined if there are none. Sorts the array.
 */
function medianNear(rate: number, values: number[]): number | undefined {
  values.sort((one, other) => one - other);
  const upper = values[values.length >> 1];
  const lower = values[(values.length - 1) >> 1];
  if (upper === undefined || lower === undefined) return undefined;
  return rate * rate < lower * upper ? lower : upper;
}
