import {
  type Column,
  type Columns,
  firstFrom,
  lastRated,
  lastUpTo,
  rateAt,
} from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import type { DayWindow } from '../../../core/domain/dates.js';
import type { OwnPairs, OwnRates, Selection } from './row.js';

// As of a day D, a pair has the row of day d, the older of the newest days up to D on which its two currencies have a rate.
// The row uses the newest rate of each up to d, so that a pair and its inverse are one row, read both ways. A day has a row
// if it is such a d for any D: if both currencies have a rate on it, or if only one has, and the other has its next rate
// before that one has another.

export interface Pair {
  readonly days: Int32Array;
  readonly base: Column;
  readonly quote: Column;
  readonly own: OwnRates | undefined;
  /** For how many days a rate is carried: none between the means of periods. */
  readonly carriedDays: number;
}

/** Returns the pair of two currencies; undefined if either has no rates. */
export function pairOf(
  { byQuote, days }: Columns,
  { base, quote, own }: { base: string; quote: string; own: OwnPairs | undefined },
): Pair | undefined {
  const [ofBase, ofQuote] = [byQuote.get(base), byQuote.get(quote)];
  if (!ofBase || !ofQuote) return undefined;
  return { days, base: ofBase, quote: ofQuote, own: own?.(quote), carriedDays: WINDOW_DAYS };
}

/** Returns the rate of a pair in its row of a day, by index; NaN if it has no row. */
export function pairRateAt(pair: Pair, dayIndex: number): number {
  return ownRate(pair, isRow(pair, dayIndex) ? ratioOfRow(pair, dayIndex) : Number.NaN, dayIndex);
}

/** The ratio of the newest rates of both currencies, carried to a day; NaN if either has none. */
function ratioOfRow(pair: Pair, dayIndex: number): number {
  return newestRate(pair, pair.quote, dayIndex) / newestRate(pair, pair.base, dayIndex);
}

function ownRate({ own }: Pair, ratio: number, dayIndex: number): number {
  return own ? own.rateOn(ratio, dayIndex) : ratio;
}

function newestRate({ days, carriedDays }: Pair, column: Column, dayIndex: number): number {
  const rate = rateAt(column, dayIndex);
  if (!Number.isNaN(rate)) return rate;
  return rateAt(column, lastRated({ days }, column, dayIndex, (days[dayIndex] ?? 0) - carriedDays));
}

/** Returns the index of the day whose rate a currency has in the row of a day (day number); -1 if it has none. */
export function carriedIndex(columns: Columns, code: string, day: number, carriedDays = WINDOW_DAYS): number {
  const column = columns.byQuote.get(code);
  return column ? lastRated(columns, column, lastUpTo(columns.days, day), day - carriedDays) : -1;
}

/** Whether both currencies have a rate on a day, or one has, and the other has its next rate before that one has another. */
function isRow({ days, base, quote, carriedDays }: Pair, dayIndex: number): boolean {
  const isOfBase = !Number.isNaN(rateAt(base, dayIndex));
  if (isOfBase === !Number.isNaN(rateAt(quote, dayIndex))) return isOfBase;
  const [present, absent] = isOfBase ? [base, quote] : [quote, base];
  const end = (days[dayIndex] ?? 0) + carriedDays;
  for (let next = dayIndex + 1; (days[next] ?? Number.POSITIVE_INFINITY) <= end; next++) {
    if (!Number.isNaN(rateAt(present, next))) return false;
    if (!Number.isNaN(rateAt(absent, next))) return true;
  }
  return false;
}

export type Pairs = NonNullable<ReturnType<typeof pairsOf>>;

/** Returns the requested quotes that have rates; undefined if the base or all of them have none. */
export function pairsOf(
  all: Columns,
  { base: code, quotes: wanted, own: ownOf }: Selection,
  carriedDays = WINDOW_DAYS,
) {
  const base = all.byQuote.get(code);
  const quotes = wanted ? wanted.filter((quote) => all.byQuote.has(quote)) : all.quotes;
  if (!base || quotes.length === 0) return undefined;
  const columns = wanted ? quotes.flatMap((quote) => all.byQuote.get(quote) ?? []) : all.columns;
  const own = new Map<number, OwnRates>();
  quotes.forEach((quote, index) => {
    const rates = ownOf?.(quote);
    if (rates) own.set(index, rates);
  });
  return {
    days: all.days,
    quotes,
    /** The index of the base among the quotes; -1 if it is not among them. */
    baseIndex: quotes.indexOf(code),
    base,
    /** In the order of the quotes. */
    columns,
    /** The columns of all quotes, also of those that are not wanted. */
    all: all.columns,
    /** The pairs that have rates of their own, by the index of the quote. */
    own,
    carriedDays,
  };
}

export function pairAt({ days, base, columns, own, carriedDays }: Pairs, index: number): Pair {
  return { days, base, quote: columns[index] ?? base, own: own.get(index), carriedDays };
}

/** Sets the rates of all pairs on a day, as `pairRateAt` does, and that of the base. Returns false without any. */
// The base has a row on each day on which any of its pairs has one, whether that pair is wanted or not.
export function setRatesAt(pairs: Pairs, dayIndex: number, rates: Float64Array): boolean {
  const { base, baseIndex, columns, all, own } = pairs;
  const divisor = rateAt(base, dayIndex);
  let isRated = !Number.isNaN(divisor);
  for (let index = 0; index < rates.length; index++) {
    const column = columns[index];
    if (column) rates[index] = rateAt(column, dayIndex) / divisor;
  }
  if (mayBeCarried(pairs, dayIndex)) isRated = setCarriedRates(pairs, dayIndex, rates) || isRated;
  for (const [index, { rateOn }] of own) {
    const rate = rateOn(rates[index] ?? Number.NaN, dayIndex);
    rates[index] = rate;
    isRated ||= !Number.isNaN(rate);
  }
  if (baseIndex < 0) return isRated;
  if (columns !== all) isRated ||= isBaseRow(pairs, dayIndex);
  if (isRated) rates[baseIndex] = 1;
  return isRated;
}

/** Whether any pair of the base has a row on a day. */
function isBaseRow({ days, base, all, carriedDays }: Pairs, dayIndex: number): boolean {
  const own = { days, base, quote: base, own: undefined, carriedDays };
  if (Number.isNaN(newestRate(own, base, dayIndex))) return false;
  return all.some((quote) => isRow({ ...own, quote }, dayIndex));
}

/** Whether the base is carried to a day, or has no rate on the next day. */
function mayBeCarried({ days, base, carriedDays }: Pairs, dayIndex: number): boolean {
  const isNext = !Number.isNaN(rateAt(base, dayIndex + 1));
  const isSoon = (days[dayIndex + 1] ?? Number.POSITIVE_INFINITY) <= (days[dayIndex] ?? 0) + carriedDays;
  return isSoon && (Number.isNaN(rateAt(base, dayIndex)) || !isNext);
}

function setCarriedRates(pairs: Pairs, dayIndex: number, rates: Float64Array): boolean {
  let isRated = false;
  for (let index = 0; index < rates.length; index++) {
    const pair = pairAt(pairs, index);
    if (!isRow(pair, dayIndex)) continue;
    const ratio = ratioOfRow(pair, dayIndex);
    rates[index] = ratio;
    isRated ||= !Number.isNaN(ratio);
  }
  return isRated;
}

export interface PairRow {
  readonly dayIndex: number;
  readonly rate: number;
}

/** Finds the row of a pair of one base as of the day of an index; undefined if it is of a day before `oldest` (day number). */
export function createRowAsOf({ days, base }: Pick<Pair, 'days' | 'base'>, asOf: number, oldest: number) {
  const baseIndex = lastRated({ days }, base, asOf, oldest);
  return (pair: Pair): PairRow | undefined => {
    const { quote, own } = pair;
    const dayIndex = Math.min(baseIndex, lastRated({ days }, quote, asOf, oldest));
    // Rates of its own may be of later days.
    for (let later = asOf; own && later > dayIndex && (days[later] ?? oldest) >= oldest; later--) {
      const rate = own.rateOn(Number.NaN, later);
      if (!Number.isNaN(rate)) return { dayIndex: later, rate };
    }
    if (dayIndex < 0) return undefined;
    const rate = ownRate(pair, ratioOfRow(pair, dayIndex), dayIndex);
    return Number.isNaN(rate) ? undefined : { dayIndex, rate };
  };
}

/** Returns the first row of a pair in a window, or with a negative step the last; undefined if there is none. */
export function rowIn(pair: Pair, { from, to }: DayWindow, step: 1 | -1): PairRow | undefined {
  const [first, last] = [firstFrom(pair.days, from), lastUpTo(pair.days, to)];
  for (let dayIndex = step > 0 ? first : last; dayIndex >= first && dayIndex <= last; dayIndex += step) {
    const rate = pairRateAt(pair, dayIndex);
    if (!Number.isNaN(rate)) return { dayIndex, rate };
  }
  return undefined;
}

/** The first and the last day in a range on which any quote other than the base has a row. Days are day numbers. */
export function pairSpan(
  columns: Columns,
  { base, quotes = columns.quotes, own }: Selection,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: { from?: number; to?: number } = {},
): [first: number | undefined, last: number | undefined] {
  const { days } = columns;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const quote of quotes) {
    const pair = quote !== base || quotes.length === 1 ? pairOf(columns, { base, quote, own }) : undefined;
    if (!pair) continue;
    // Only days before the first day found so far, and after the last, can change these.
    const start = rowIn(pair, { from, to: Math.min(to, first - 1) }, 1);
    if (start) first = days[start.dayIndex] ?? first;
    const end = rowIn(pair, { from: Math.max(from, last + 1), to }, -1);
    if (end) last = days[end.dayIndex] ?? last;
  }
  return first > last ? [undefined, undefined] : [first, last];
}
