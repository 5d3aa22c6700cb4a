import { eachObservationDate, PIVOT, type RawRow } from '../../core/domain/blend/carry-forward.js';
import { isCoarse } from '../../core/domain/blend/coarse.js';
import { type Contribution, inDollars } from '../../core/domain/blend/dollar-pivot.js';
import { type CalendarDate, dayNumber, fromDayNumber } from '../../core/domain/dates.js';
import { inForce, pegOf } from '../../core/domain/pegs.js';

/** The others' rates may be this many days old: those of a Friday are compared with on Monday. */
const OLDEST_DAYS = 3;

/** One provider's rate: a dollar costs `rate` units of `quote` on the day. */
interface PublishedRate {
  provider: string;
  quote: string;
  day: number;
  rate: number;
}

/** What every provider says that a dollar costs, brought to dollars as the blend does. */
export interface DollarRates {
  /** Every rate on its own day. */
  published: readonly PublishedRate[];
  /**
   * The other providers' rate of a currency some days after its day: units per dollar, the median of
   * rates at most three days old. For a pegged currency its peg instead. Undefined where nobody else says anything,
   * or nobody published on that day.
   */
  ofOthers(rate: PublishedRate, daysLater: number): number | undefined;
}

/** Whether others may be compared with a provider's rate. */
type IsTrusted = (rate: { provider: string; quote: string; date: CalendarDate }) => boolean;

/** Brings the rows of all providers to dollars, day by day, without coarse ones. The rows may come in any order. */
export function collectDollarRates(rows: Iterable<RawRow>, isTrusted: IsTrusted): DollarRates {
  const published: PublishedRate[] = [];
  const trusted = new Map<string, Map<number, readonly Contribution[]>>();
  for (const { date, carried } of eachObservationDate(byDate(rows), EVER)) {
    const today = dayNumber(date);
    for (const [quote, contributions] of inDollars(carried, today)) {
      for (const { provider, day, rate } of contributions) {
        if (day === today) published.push({ provider, quote, day, rate });
      }
      const others = contributions.filter(
        ({ provider, day }) =>
          day >= today - OLDEST_DAYS && isTrusted({ provider, quote, date: fromDayNumber(day) }),
      );
      const days = trusted.get(quote) ?? new Map<number, readonly Contribution[]>();
      if (others.length > 0) trusted.set(quote, days.set(today, others));
    }
  }

  function ofOthers({ provider, quote, day, rate }: PublishedRate, daysLater: number): number | undefined {
    const peg = pegOf(quote);
    if (peg && inForce(peg)(day + daysLater)) {
      if (peg.base === PIVOT) return peg.rate;
      const base = ofOthers({ provider, quote: peg.base, day, rate: rate / peg.rate }, daysLater);
      return base === undefined ? undefined : peg.rate * base;
    }
    const rates: number[] = [];
    for (const other of trusted.get(quote)?.get(day + daysLater) ?? []) {
      if (other.provider !== provider) rates.push(other.rate);
    }
    return medianNear(rate, rates);
  }

  return { published, ofOthers };
}

const EVER = { from: '0001-01-01', to: '9999-12-31' };

function byDate(rows: Iterable<RawRow>): RawRow[] {
  const fine = [...rows].filter(({ rate }) => !isCoarse(rate));
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
