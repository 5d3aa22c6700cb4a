import { type CalendarDate, later } from '../dates.js';
import { type Peg, pegs } from '../pegs.js';
import { PIVOT } from './carry-forward.js';

/** Units of `quote` per dollar. */
export interface DollarRate {
  quote: string;
  date: CalendarDate;
  rate: number;
}

/**
 * Replaces the blends of pegged currencies by their pegs. A currency keeps the date of its blend, and gets the newest date of all
 * blends if it has none, or only one from before its peg, which is still carried forward. Skips pegs that are not in force and
 * pegs whose base has no blend. Sorted by quote.
 */
export function applyPegs(blends: readonly DollarRate[], pegs: readonly Peg[]): DollarRate[] {
  const blended = new Map(blends.map(({ quote, date, rate }) => [quote, { quote, date, rate }]));
  const result = new Map(blended);
  const newest = blends.reduce((date, blend) => later(date, blend.date), '');
  if (newest === '') return [];
  for (const { quote, base, rate, since, until } of pegs) {
    const own = blended.get(quote)?.date;
    const date = own !== undefined && own >= since ? own : newest;
    const dollarCosts = base === PIVOT ? 1 : blended.get(base)?.rate;
    const isInForce = date >= since && (until === undefined || date < until);
    if (dollarCosts === undefined || !isInForce) continue;
    result.set(quote, { quote, date, rate: rate * dollarCosts });
  }
  return [...result.values()].sort((one, other) => (one.quote < other.quote ? -1 : 1));
}

/** Only blends with this date, with pegs applied, and the dollar at 1. Empty if no blend has this date. */
export function blendedDay(date: CalendarDate, blends: readonly DollarRate[]): DollarRate[] {
  const own = applyPegs(blends, pegs).filter((rate) => rate.date === date);
  return own.length === 0 ? own : [...own, { quote: PIVOT, date, rate: 1 }];
}
