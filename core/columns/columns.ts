import { PIVOT, WINDOW_DAYS } from '../domain/blend/carry-forward.js';
import { inForce, type Peg, pegOf } from '../domain/pegs.js';
import { GrowableArray } from './growable-array.js';
import { shared, sharedArray } from './shared-memory.js';

/** Rates per dollar or another pivot, by row, as requests read days. Immutable. Days and rates are in shared memory. */
export interface Columns {
  readonly quotes: readonly string[];
  readonly columns: readonly Column[];
  readonly byQuote: ReadonlyMap<string, Column>;
  /** Days since 1970-01-01, ascending. Weeks and months are dated by their first day. */
  readonly days: Int32Array;
  /** The matrix, row by row; NaN where a currency has no rate on a day. */
  readonly rates: Float64Array;
}

/** In units of the currency per dollar or other pivot; NaN on days without a rate. */
export interface Column {
  readonly rates: Float64Array;
  /** The index of the first day's rate in `rates`. */
  readonly first: number;
  readonly step: number;
}

/** In any order. `rates[i]` is the rate on `days[i]`. */
export interface Series {
  readonly days: Int32Array;
  readonly rates: Float64Array;
}

/** The index of the first day on or after `day`; the length if all days are earlier. */
export function firstFrom(days: Int32Array, day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? 0) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the last day on or before `day`; -1 if all days are later. */
export function lastUpTo(days: Int32Array, day: number): number {
  const last = days.length - 1;
  // Most lookups are for the newest day.
  if (last < 0 || (days[last] ?? 0) <= day) return last;
  return firstFrom(days, day + 1) - 1;
}

/** The last day on or before `day`; undefined if all days are later. */
export function lastDayUpTo(days: Int32Array, day: number): number | undefined {
  return days[lastUpTo(days, day)];
}

/** NaN if it has none. */
export function rateAt({ rates, first, step }: Column, dayIndex: number): number {
  return rates[first + dayIndex * step] ?? Number.NaN;
}

/** Index of the last day with a rate, up to the day of `dayIndex` and not before day `oldest`; -1 if no day has one. */
export function lastRated(
  { days }: Pick<Columns, 'days'>,
  column: Column,
  dayIndex: number,
  oldest: number,
): number {
  for (let at = dayIndex; at >= 0 && (days[at] ?? 0) >= oldest; at--) {
    if (!Number.isNaN(rateAt(column, at))) return at;
  }
  return -1;
}

export type NamedSeries = readonly [string, Series];

/** Columns of series in units per `pivot`, which is 1 on every day. A currency may have several, or an empty one. */
export function columnsOf(parts: Iterable<NamedSeries>, pivot = PIVOT): Columns {
  const filled = [...parts].filter(([, { days }]) => days.length > 0);
  const days = unionOfDays(filled.map(([, series]) => series));
  const columns = emptyColumns(new Set(filled.map(([quote]) => quote)), days, pivot);
  const indices = new Map(Array.from(days, (day, index) => [day, index]));
  for (const [quote, series] of filled) {
    const column = columns.byQuote.get(quote);
    if (!column || quote === pivot) continue;
    for (let index = 0; index < series.days.length; index++) {
      const dayIndex = indices.get(series.days[index] ?? 0) ?? 0;
      columns.rates[column.first + dayIndex * column.step] = series.rates[index] ?? Number.NaN;
    }
  }
  return columns;
}

/** Columns of some currencies, without rates, and of the pivot. None if there are no days. */
function emptyColumns(currencies: Set<string>, days: Int32Array, pivot: string): Columns {
  const columns = columnsOver(days.length === 0 ? [] : [...currencies.add(pivot)].sort(), days);
  const { rates, byQuote } = columns;
  rates.fill(Number.NaN);
  const column = byQuote.get(pivot);
  if (column) for (let index = column.first; index < rates.length; index += column.step) rates[index] = 1;
  return columns;
}

function columnsOver(
  quotes: readonly string[],
  days: Int32Array,
  rates: Float64Array = sharedArray(Float64Array, days.length * quotes.length),
): Columns {
  const step = quotes.length;
  const byQuote = new Map<string, Column>(quotes.map((quote, first) => [quote, { rates, first, step }]));
  return { quotes, columns: [...byQuote.values()], byQuote, days, rates };
}

/** Moves columns from a local copy into shared memory. Those from a thread are there, but V8 must count them here as well. */
export function receivedColumns({ quotes, days, rates }: Columns): Columns {
  return columnsOver(quotes, shared(days), shared(rates));
}

/** Replaces the days from `from` to `to`, both included. If `to` is earlier, there are none. */
export function replaceWindow(old: Columns, window: Columns, from: number, to: number): Columns {
  const next = Math.max(from, to + 1);
  const isRated = (column: Column, first: number, last: number) =>
    lastRated(old, column, lastUpTo(old.days, last), first) >= 0;
  // Retired currencies have no rate in the window, and others have one shortly before it.
  const isLeft = (column: Column) =>
    !isRated(column, from, next - 1) ||
    isRated(column, Number.NEGATIVE_INFINITY, from - 1) ||
    isRated(column, next, Number.POSITIVE_INFINITY);
  const left = [...old.byQuote].flatMap(([quote, column]) => (isLeft(column) ? quote : []));
  return joinColumns(
    [
      { columns: old, from: Number.NEGATIVE_INFINITY, to: from - 1 },
      { columns: window, from, to },
      { columns: old, from: next, to: Number.POSITIVE_INFINITY },
    ],
    [...left, ...window.quotes],
  );
}

/** Copies day indices from `from` up to but not including `to`. Quotes that the source does not have become NaN. */
function copyDays(source: Columns, { from, to }: { from: number; to: number }, target: Columns, at: number) {
  const width = target.quotes.length;
  if (source.quotes.join() === target.quotes.join()) {
    target.rates.set(source.rates.subarray(from * width, to * width), at * width);
    return;
  }
  const columns = target.quotes.map((quote) => source.byQuote.get(quote));
  let index = at * width;
  for (let dayIndex = from; dayIndex < to; dayIndex++) {
    for (const column of columns) target.rates[index++] = column ? rateAt(column, dayIndex) : Number.NaN;
  }
}

/** The part of some columns from day number `from` to `to`, both included. */
export interface DaysOf {
  columns: Columns;
  from: number;
  to: number;
}

/** Each after the one before it. `wanted` restricts them to these currencies and the dollar. */
export function joinColumns(parts: readonly DaysOf[], wanted?: Iterable<string>): Columns {
  const spans = parts.map(({ columns, from, to }) => ({
    columns,
    start: firstFrom(columns.days, from),
    end: firstFrom(columns.days, to + 1),
  }));
  const days = sharedArray(
    Int32Array,
    spans.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0),
  );
  const isKnown = (quote: string) => spans.some(({ columns }) => columns.byQuote.has(quote));
  const known = wanted ? [...wanted].filter(isKnown) : spans.flatMap(({ columns }) => columns.quotes);
  const joined = emptyColumns(new Set(known), days, PIVOT);
  let at = 0;
  for (const { columns, start, end } of spans) {
    if (end <= start) continue;
    days.set(columns.days.subarray(start, end), at);
    copyDays(columns, { from: start, to: end }, joined, at);
    at += end - start;
  }
  return joined;
}

/** The days of any series, ascending. */
function unionOfDays(series: readonly Series[]): Int32Array {
  const union = new Set<number>();
  for (const { days } of series) for (const day of days) union.add(day);
  return shared(Int32Array.from(union).sort());
}

export class SeriesBuilder {
  readonly #days: GrowableArray<Int32Array>;
  readonly #rates: GrowableArray<Float64Array>;

  constructor(capacity = 0) {
    this.#days = new GrowableArray(Int32Array, capacity);
    this.#rates = new GrowableArray(Float64Array, capacity);
  }

  append(day: number, rate: number): void {
    this.#days.push(day);
    this.#rates.push(rate);
  }

  get length(): number {
    return this.#days.length;
  }

  finish(): Series {
    return { days: this.#days.values, rates: this.#rates.values };
  }
}

/** Rates arrive in any order. Of two of a currency and a day, the last counts. */
export class ColumnsBuilder {
  readonly #series = new Map<string, SeriesBuilder>();

  append(quote: string, day: number, rate: number): void {
    let series = this.#series.get(quote);
    if (!series) {
      series = new SeriesBuilder();
      this.#series.set(quote, series);
    }
    series.append(day, rate);
  }

  finish(pivot?: string): Columns {
    return columnsOf(
      [...this.#series].map(([quote, series]) => [quote, series.finish()] as const),
      pivot,
    );
  }
}

/** Undefined without a peg in force whose base has a rate in the 14 days up to the day: the euro starts without. */
export function pegAt(columns: Columns, currency: string, dayIndex: number): Peg | undefined {
  const peg = pegOf(currency);
  const anchor = peg && columns.byQuote.get(peg.base);
  const day = columns.days[dayIndex] ?? Number.NaN;
  if (!anchor || !inForce(peg)(day)) return undefined;
  return lastRated(columns, anchor, dayIndex, day - WINDOW_DAYS) < 0 ? undefined : peg;
}
