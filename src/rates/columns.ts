import { FRAME, WINDOW_DAYS } from '../../core/blend/carry-forward.js';

/**
 * What a dollar cost in one currency on the days of its Columns, from the first on which it had a rate to the last. All
 * currencies lie over the same days, so that one place in them answers for all of them.
 */
export interface Column {
  /** The place of the first rate among the days. */
  readonly start: number;
  /** Units of the currency per dollar; NaN on a day without. */
  readonly rates: Float64Array;
}

/** Columns of every currency, over the days on which any of them has a rate. */
export interface Columns {
  /** Currency codes in their order. */
  readonly quotes: readonly string[];
  /** In the same order. */
  readonly byQuote: ReadonlyMap<string, Column>;
  /** Days since 1970-01-01, ascending; for weeks and months, that of the period's first day. */
  readonly days: Int32Array;
}

/** Rates of one currency on days of its own. Both arrays run in step, in any order. */
export interface Series {
  readonly days: Int32Array;
  readonly rates: Float64Array;
}

export const NO_COLUMNS: Columns = { quotes: [], byQuote: new Map(), days: new Int32Array(0) };

const NEAR = 8;

/**
 * Index of the first day that is not before `day`; the length where all are. Days lie nearly evenly, so that the
 * place is guessed, and looked for in a window around the guess that grows until it holds it: a handful of steps
 * near each other in memory, where halving the whole touches a dozen places far apart.
 */
export function firstFrom(days: Int32Array, day: number): number {
  const count = days.length;
  const first = days[0] ?? Number.POSITIVE_INFINITY;
  const last = days[count - 1] ?? Number.NEGATIVE_INFINITY;
  if (day <= first) return 0;
  if (day > last) return count;
  const guess = Math.floor(((day - first) / (last - first)) * (count - 1));
  let low = guess;
  let high = guess;
  for (let reach = NEAR; low > 0 && (days[low - 1] ?? 0) >= day; reach *= 2) low = Math.max(0, low - reach);
  for (let reach = NEAR; high < count && (days[high] ?? 0) < day; reach *= 2) high += reach;
  high = Math.min(high, count);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? 0) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the last day that is not after `day`; -1 where all are. */
export function lastUpTo(days: Int32Array, day: number): number {
  const last = days.length - 1;
  // Most questions are about the newest day.
  if (last < 0 || (days[last] ?? 0) <= day) return last;
  return firstFrom(days, day + 1) - 1;
}

/** The rate at a place of the days; NaN where there is none. */
export function rateAt({ start, rates }: Column, place: number): number {
  const index = place - start;
  return index >= 0 && index < rates.length ? (rates[index] ?? Number.NaN) : Number.NaN;
}

/** The last place up to `place`, and not before the day `oldest`, at which the column has a rate; -1 where none has. */
export function lastRated({ days }: Columns, column: Column, place: number, oldest: number): number {
  const last = Math.min(place, column.start + column.rates.length - 1);
  for (let at = last; at >= column.start && (days[at] ?? 0) >= oldest; at--) {
    if (!Number.isNaN(rateAt(column, at))) return at;
  }
  return -1;
}

/** What is carried of a column at a place: its newest rate in the 14 days up to it; NaN where there is none. */
export function carriedAt(columns: Columns, column: Column, place: number): number {
  const at = lastRated(columns, column, place, (columns.days[place] ?? 0) - WINDOW_DAYS);
  return at < 0 ? Number.NaN : rateAt(column, at);
}

/** Columns from series. Empty ones are left out; the dollar has a rate of 1 on every day that has any. */
export function columnsOf(parts: Iterable<readonly [string, Series]>): Columns {
  const filled = [...parts].filter(([, { days }]) => days.length > 0);
  const { days, placeOf } = unionOfDays(filled.map(([, series]) => series));
  return overDays(
    days,
    filled.map(([quote, series]) => [quote, laidOver(series, placeOf)]),
  );
}

/** Each rate is put in its place, so that the order in which they come doesn't matter. */
function laidOver(series: Series, placeOf: (day: number) => number): Column {
  const { first, last } = spanOf(series.days);
  const start = placeOf(first);
  const rates = new Float64Array(placeOf(last) - start + 1).fill(Number.NaN);
  for (let index = 0; index < series.days.length; index++) {
    rates[placeOf(series.days[index] ?? 0) - start] = series.rates[index] ?? Number.NaN;
  }
  return { start, rates };
}

function spanOf(days: Int32Array): { first: number; last: number } {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    if (day < first) first = day;
    if (day > last) last = day;
  }
  return { first, last };
}

function overDays(days: Int32Array, columns: readonly (readonly [string, Column])[]): Columns {
  if (days.length === 0) return NO_COLUMNS;
  const dollar: Column = { start: 0, rates: new Float64Array(days.length).fill(1) };
  const others = columns.filter(([quote]) => quote !== FRAME);
  const sorted = [...others, [FRAME, dollar] as const].sort(([one], [other]) => (one < other ? -1 : 1));
  return { quotes: sorted.map(([quote]) => quote), byQuote: new Map(sorted), days };
}

/**
 * The columns with all that lies in [from, to] replaced. Columns that the window doesn't touch are shared with
 * the old ones, which stay as they are for whoever still reads them.
 */
export function replaceWindow(old: Columns, window: Columns, from: number, to: number): Columns {
  const start = firstFrom(old.days, from);
  const end = firstFrom(old.days, to + 1);
  const days = joined(Int32Array, old.days.subarray(0, start), window.days, old.days.subarray(end));
  const shift = window.days.length - (end - start);
  const splice = (one: Column | undefined, within: Column | undefined): Column => {
    if (one && !within) {
      const isAfter = one.start >= end;
      if (isAfter && shift !== 0) return { ...one, start: one.start + shift };
      const isBefore = one.start + one.rates.length <= start;
      if (isAfter || isBefore || (shift === 0 && !isRatedIn(one, start, end))) return one;
    }
    const before = part(one, 0, start);
    const middle = part(within, 0, window.days.length);
    const after = part(one, end, old.days.length);
    return trimmed(joined(Float64Array, before, middle, after));
  };
  const codes = new Set([...old.quotes, ...window.quotes]);
  const columns = [...codes].map(
    (code) => [code, splice(old.byQuote.get(code), window.byQuote.get(code))] as const,
  );
  return overDays(
    days,
    columns.filter(([, { rates }]) => rates.length > 0),
  );
}

function isRatedIn({ start, rates }: Column, from: number, to: number): boolean {
  const within = rates.subarray(Math.max(0, from - start), Math.max(0, to - start));
  return within.some((rate) => !Number.isNaN(rate));
}

/** The rates of all places from one to another, the last excluded. */
function part(column: Column | undefined, from: number, to: number): Float64Array {
  const rates = new Float64Array(to - from).fill(Number.NaN);
  if (!column) return rates;
  const { start } = column;
  const within = column.rates.subarray(Math.max(0, from - start), Math.max(0, to - start));
  if (within.length > 0) rates.set(within, Math.max(0, start - from));
  return rates;
}

function trimmed(rates: Float64Array): Column {
  const start = rates.findIndex((rate) => !Number.isNaN(rate));
  if (start < 0) return { start: 0, rates: new Float64Array(0) };
  return { start, rates: rates.slice(start, rates.findLastIndex((rate) => !Number.isNaN(rate)) + 1) };
}

function joined<T extends Int32Array | Float64Array>(
  type: new (length: number) => T,
  ...parts: readonly T[]
): T {
  const whole = new type(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of parts) {
    whole.set(each, at);
    at += each.length;
  }
  return whole;
}

/** All days of the series, ascending, and the place of each among them. */
function unionOfDays(series: readonly Series[]): { days: Int32Array; placeOf(day: number): number } {
  const spans = series.map(({ days }) => spanOf(days));
  const first = spans.reduce((least, span) => Math.min(least, span.first), Number.POSITIVE_INFINITY);
  const last = spans.reduce((most, span) => Math.max(most, span.last), Number.NEGATIVE_INFINITY);
  // By offset from the first day: first whether any has a rate there, then the place.
  const places = new Int32Array(Math.max(0, last - first + 1));
  for (const { days } of series) for (const day of days) places[day - first] = 1;
  const days = new Int32Array(places.reduce((count, flag) => count + flag, 0));
  let length = 0;
  for (let offset = 0; offset < places.length; offset++) {
    if (places[offset] !== 1) continue;
    days[length] = first + offset;
    places[offset] = length++;
  }
  return { days, placeOf: (day) => places[day - first] ?? 0 };
}

/** A series that grows by appending. */
export class SeriesBuilder {
  #days: Int32Array;
  #rates: Float64Array;
  #length = 0;

  /** Room for as many is there from the start. */
  constructor(room = 64) {
    this.#days = new Int32Array(room);
    this.#rates = new Float64Array(room);
  }

  append(day: number, rate: number): void {
    if (this.#length === this.#days.length) this.#grow();
    this.#days[this.#length] = day;
    this.#rates[this.#length] = rate;
    this.#length++;
  }

  finish(): Series {
    const isFull = this.#length === this.#days.length;
    return {
      days: isFull ? this.#days : this.#days.slice(0, this.#length),
      rates: isFull ? this.#rates : this.#rates.slice(0, this.#length),
    };
  }

  #grow(): void {
    const days = new Int32Array(this.#days.length * 2);
    const rates = new Float64Array(this.#rates.length * 2);
    days.set(this.#days);
    rates.set(this.#rates);
    this.#days = days;
    this.#rates = rates;
  }
}
