import { type Column, type Columns, firstFrom, lastUpTo, rateAt } from '../../../core/columns/columns.js';
import type { OwnPairs, OwnRates, Selection } from './row.js';

/** Two currencies of the same columns. */
export interface Pair {
  readonly base: Column;
  readonly quote: Column;
  readonly own: OwnRates | undefined;
}

/** Days as day numbers, both included. */
interface Days {
  from: number;
  to: number;
}

/** The pair of two currencies; undefined where either has no rates. */
export function pairOf(
  { byQuote }: Columns,
  { base, quote, own }: { base: string; quote: string; own: OwnPairs | undefined },
): Pair | undefined {
  const [ofBase, ofQuote] = [byQuote.get(base), byQuote.get(quote)];
  return ofBase && ofQuote && { base: ofBase, quote: ofQuote, own: own?.(quote) };
}

/**
 * The rate of a pair on the day of an index; NaN where it has no row on it. It has one where both of its currencies have a
 * rate of that day, and where it has one of its own. Nothing is carried from another day, so that a pair and its inverse
 * have rows on the same days.
 */
export function pairRateAt({ base, quote, own }: Pair, dayIndex: number): number {
  const rate = rateAt(quote, dayIndex);
  // Most quotes of a long history have no rate on a day.
  const ratio = Number.isNaN(rate) ? rate : rate / rateAt(base, dayIndex);
  return own ? own.rateOn(ratio, dayIndex) : ratio;
}

/** The pairs of one base, to be read day by day. */
export interface Pairs {
  readonly quotes: readonly string[];
  readonly base: Column;
  /** In the order of the quotes. */
  readonly columns: readonly Column[];
  /** By the index of the quote, of the pairs that have rates of their own. */
  readonly own: ReadonlyMap<number, OwnRates>;
}

/** Of the requested quotes those that have rates; undefined where the base or all of them have none. */
export function pairsOf(
  all: Columns,
  { base: code, quotes: wanted, own: ownOf }: Selection,
): Pairs | undefined {
  const base = all.byQuote.get(code);
  const quotes = wanted ? wanted.filter((quote) => all.byQuote.has(quote)) : all.quotes;
  if (!base || quotes.length === 0) return undefined;
  const columns = wanted ? quotes.flatMap((quote) => all.byQuote.get(quote) ?? []) : all.columns;
  const own = new Map<number, OwnRates>();
  quotes.forEach((quote, index) => {
    const rates = ownOf?.(quote);
    if (rates) own.set(index, rates);
  });
  return { quotes, base, columns, own };
}

/** One of some pairs. */
export function pairAt({ base, columns, own }: Pairs, index: number): Pair {
  return { base, quote: columns[index] ?? base, own: own.get(index) };
}

/** Sets the rates of all pairs on the day of an index, as `pairRateAt` gives them. Returns false where there are none. */
export function setRatesAt({ base, columns, own }: Pairs, dayIndex: number, rates: Float64Array): boolean {
  const divisor = rateAt(base, dayIndex);
  let isRated = !Number.isNaN(divisor);
  if (!isRated && own.size === 0) return false;
  for (let index = 0; index < rates.length; index++) {
    const column = columns[index];
    if (column) rates[index] = rateAt(column, dayIndex) / divisor;
  }
  for (const [index, { rateOn }] of own) {
    const rate = rateOn(rates[index] ?? Number.NaN, dayIndex);
    rates[index] = rate;
    isRated ||= !Number.isNaN(rate);
  }
  return isRated;
}

/** Index of the day of a pair's newest row in some days; -1 where there is none. */
export function newestRowIn(days: Int32Array, pair: Pair, { from, to }: Days): number {
  for (let dayIndex = lastUpTo(days, to); dayIndex >= 0 && (days[dayIndex] ?? from) >= from; dayIndex--) {
    if (!Number.isNaN(pairRateAt(pair, dayIndex))) return dayIndex;
  }
  return -1;
}

/** The same of its first row. */
export function firstRowIn(days: Int32Array, pair: Pair, { from, to }: Days): number {
  const end = firstFrom(days, to + 1);
  for (let dayIndex = firstFrom(days, from); dayIndex < end; dayIndex++) {
    if (!Number.isNaN(pairRateAt(pair, dayIndex))) return dayIndex;
  }
  return -1;
}
