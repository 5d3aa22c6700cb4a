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

/** Rates of one currency on days of its own. Both arrays run in step; days ascend. */
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
  const days = unionOfDays(filled.map(([, series]) => series));
  return overDays(
    days,
    filled.map(([quote, series]) => [quote, laidOver(days, series)]),
  );
}

function laidOver(days: Int32Array, series: Series): Column {
  const start = firstFrom(days, series.days[0] ?? 0);
  const end = lastUpTo(days, series.days[series.days.length - 1] ?? 0) + 1;
  const rates = new Float64Array(end - start);
  let next = 0;
  for (let place = start; place < end; place++) {
    const isHere = series.days[next] === days[place];
    rates[place - start] = isHere ? (series.rates[next] ?? Number.NaN) : Number.NaN;
    if (isHere) next++;
  }
  return { start, rates };
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
  rates.set(within, Math.max(0, start - from));
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

function unionOfDays(series: readonly Series[]): Int32Array {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { days } of series) {
    first = Math.min(first, days[0] ?? first);
    last = Math.max(last, days[days.length - 1] ?? last);
  }
  if (first > last) return new Int32Array(0);
  const seen = new Uint8Array(last - first + 1);
  for (const { days } of series) for (const day of days) seen[day - first] = 1;
  const union = new Int32Array(seen.reduce((count, flag) => count + flag, 0));
  let length = 0;
  for (let offset = 0; offset < seen.length; offset++)
    if (seen[offset] === 1) union[length++] = first + offset;
  return union;
}

/** A series that grows by appending. */
export class SeriesBuilder {
  #days: Int32Array;
  #rates: Float64Array;
  #length = 0;
  #ascending = true;

  /** Room for as many is there from the start. */
  constructor(room = 64) {
    this.#days = new Int32Array(room);
    this.#rates = new Float64Array(room);
  }

  append(day: number, rate: number): void {
    if (this.#length === this.#days.length) this.#grow();
    if (this.#length > 0 && (this.#days[this.#length - 1] ?? 0) >= day) this.#ascending = false;
    this.#days[this.#length] = day;
    this.#rates[this.#length] = rate;
    this.#length++;
  }

  /** The series, its days ascending whatever order they came in. */
  finish(): Series {
    const full = this.#length === this.#days.length;
    const days = full ? this.#days : this.#days.slice(0, this.#length);
    const rates = full ? this.#rates : this.#rates.slice(0, this.#length);
    if (this.#ascending) return { days, rates };
    const order = Array.from(days.keys()).sort((one, other) => (days[one] ?? 0) - (days[other] ?? 0));
    return {
      days: Int32Array.from(order, (index) => days[index] ?? 0),
      rates: Float64Array.from(order, (index) => rates[index] ?? 0),
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
