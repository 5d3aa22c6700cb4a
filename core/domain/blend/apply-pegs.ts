import type { CalendarDate } from '../dates.js';
import type { Peg } from '../pegs.js';
import { PIVOT } from './carry-forward.js';

/** Units of `quote` per dollar on a date. */
export interface DollarRate {
  quote: string;
  date: CalendarDate;
  rate: number;
}

/**
 * Holds pegged currencies at their pegs, whatever providers say: directly where the peg is to the dollar, else
 * over the blended rate of the currency it is to. A published one keeps its date; one that nobody publishes is
 * dated as the newest row. No peg holds on a date before its first day, nor without its anchor. Sorted by quote.
 */
export function applyPegs(blends: readonly DollarRate[], pegs: readonly Peg[]): DollarRate[] {
  const blended = new Map(blends.map(({ quote, date, rate }) => [quote, { quote, date, rate }]));
  const anchored = new Map(blended);
  let newest: CalendarDate | undefined;
  for (const { date } of blends) if (newest === undefined || date > newest) newest = date;
  if (newest === undefined) return [];
  for (const { quote, base, rate, since } of pegs) {
    const date = blended.get(quote)?.date ?? newest;
    const dollarCosts = base === PIVOT ? 1 : blended.get(base)?.rate;
    if (date < since || dollarCosts === undefined) continue;
    anchored.set(quote, { quote, date, rate: rate * dollarCosts });
  }
  return [...anchored.values()].sort((one, other) => (one.quote < other.quote ? -1 : 1));
}
