import { PIVOT, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { GrowableArray } from '../growable-array.js';

/**
 * What a dollar cost in every currency on every day on which any had a rate. The rates of a day lie side by side, as
 * nearly every request is about some day: the newest, one in the past, each in a range.
 */
export interface Columns {
  /** Currency codes, sorted. */
  readonly quotes: readonly string[];
  /** In the order of the quotes. */
  readonly columns: readonly Column[];
  readonly byQuote: ReadonlyMap<string, Column>;
  /** Days since 1970-01-01, ascending; for weeks and months, that of the period's first day. */
  readonly days: Int32Array;
  /** Day by day a rate for each of the quotes. */
  readonly rates: Float64Array;
  /** What `columnsForBase` made of these columns so far, by base. */
  readonly forPeggedBase: Map<string, Columns>;
}

/** Where the rates of one currency lie: units of it per dollar, NaN on a day without. */
export interface Column {
  readonly rates: Float64Array;
  /** The index of its rate on the first day, and how far it is from one day to the next. */
  readonly first: number;
  readonly step: number;
}

/** Rates of one currency on days of its own. Both arrays run in step, in any order. */
export interface Series {
  readonly days: Int32Array;
  readonly rates: Float64Array;
}

export const NO_COLUMNS = columnsOver([], new Int32Array(0), new Float64Array(0));

/** Index of the first day that is not before `day`; the length where all are. */
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

/** Index of the last day that is not after `day`; -1 where all are. */
export function lastUpTo(days: Int32Array, day: number): number {
  const last = days.length - 1;
  // Most questions are about the newest day.
  if (last < 0 || (days[last] ?? 0) <= day) return last;
  return firstFrom(days, day + 1) - 1;
}

/** The rate at a place of the days; NaN where there is none. */
export function rateAt({ rates, first, step }: Column, place: number): number {
  return rates[first + place * step] ?? Number.NaN;
}

/** The last place up to `place`, and not before the day `oldest`, at which the column has a rate; -1 where none has. */
export function lastRated({ days }: Columns, column: Column, place: number, oldest: number): number {
  for (let at = place; at >= 0 && (days[at] ?? 0) >= oldest; at--) {
    if (!Number.isNaN(rateAt(column, at))) return at;
  }
  return -1;
}

/** The carried rate of a column at a place: its newest in the 14 days up to it; NaN where there is none. */
export function carriedAt(columns: Columns, column: Column, place: number): number {
  const at = lastRated(columns, column, place, (columns.days[place] ?? 0) - WINDOW_DAYS);
  return at < 0 ? Number.NaN : rateAt(column, at);
}

/**
 * Columns from series, whose rates are put in their places whatever order they come in. Empty ones are left out; the
 * dollar has a rate of 1 on every day that has any.
 */
export function columnsOf(parts: Iterable<readonly [string, Series]>): Columns {
  const filled = new Map([...parts].filter(([, { days }]) => days.length > 0));
  const { days, placeOf } = unionOfDays([...filled.values()]);
  const quotes = withPivot(filled.keys(), days);
  const columns = columnsOver(quotes, days, new Float64Array(days.length * quotes.length).fill(Number.NaN));
  for (const [quote, series] of filled) {
    const column = columns.byQuote.get(quote);
    if (!column) continue;
    for (let index = 0; index < series.days.length; index++) {
      const place = placeOf(series.days[index] ?? 0);
      columns.rates[column.first + place * column.step] = series.rates[index] ?? Number.NaN;
    }
  }
  return withPivotRates(columns);
}

function withPivot(quotes: Iterable<string>, days: Int32Array): string[] {
  return days.length === 0 ? [] : [...new Set([...quotes, PIVOT])].sort();
}

function columnsOver(quotes: readonly string[], days: Int32Array, rates: Float64Array): Columns {
  const step = quotes.length;
  const byQuote = new Map(quotes.map((quote, first) => [quote, { rates, first, step }]));
  return { quotes, columns: [...byQuote.values()], byQuote, days, rates, forPeggedBase: new Map() };
}

function withPivotRates(columns: Columns): Columns {
  const { rates, byQuote } = columns;
  const dollar = byQuote.get(PIVOT);
  if (dollar) for (let index = dollar.first; index < rates.length; index += dollar.step) rates[index] = 1;
  return columns;
}

/** New columns with that of one currency replaced. The old ones stay as they are, and share their rates. */
export function replaceColumn(old: Columns, quote: string, column: Column): Columns {
  const byQuote = new Map(old.byQuote).set(quote, column);
  return { ...old, columns: [...byQuote.values()], byQuote, forPeggedBase: new Map() };
}

/** New columns with all days from one to another, both included, replaced. The old ones stay as they are. */
export function replaceWindow(old: Columns, window: Columns, from: number, to: number): Columns {
  const start = firstFrom(old.days, from);
  const end = firstFrom(old.days, to + 1);
  const afterwards = start + window.days.length;
  const days = new Int32Array(afterwards + old.days.length - end);
  days.set(old.days.subarray(0, start));
  days.set(window.days, start);
  days.set(old.days.subarray(end), afterwards);
  const isLeft = (quote: string) =>
    window.byQuote.has(quote) ||
    !isRated(old, quote, start, end) ||
    isRated(old, quote, 0, start) ||
    isRated(old, quote, end, old.days.length);
  const quotes = withPivot([...new Set([...old.quotes, ...window.quotes])].filter(isLeft), days);
  const columns = columnsOver(quotes, days, new Float64Array(days.length * quotes.length));
  copyDays(old, { from: 0, to: start }, columns, 0);
  copyDays(window, { from: 0, to: window.days.length }, columns, start);
  copyDays(old, { from: end, to: old.days.length }, columns, afterwards);
  return withPivotRates(columns);
}

/** Whether a currency has a rate from one place to another, the last excluded. */
function isRated({ byQuote }: Columns, quote: string, from: number, to: number): boolean {
  const column = byQuote.get(quote);
  for (let place = from; column && place < to; place++) {
    if (!Number.isNaN(rateAt(column, place))) return true;
  }
  return false;
}

/** Copies all rates from one place to another, the last excluded; NaN for quotes that aren't in the source. */
function copyDays(source: Columns, { from, to }: { from: number; to: number }, target: Columns, at: number) {
  const width = target.quotes.length;
  if (source.quotes.join() === target.quotes.join()) {
    target.rates.set(source.rates.subarray(from * width, to * width), at * width);
    return;
  }
  const columns = target.quotes.map((quote) => source.byQuote.get(quote));
  let index = at * width;
  for (let place = from; place < to; place++) {
    for (const column of columns) target.rates[index++] = column ? rateAt(column, place) : Number.NaN;
  }
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
  readonly #days: GrowableArray<Int32Array>;
  readonly #rates: GrowableArray<Float64Array>;

  /** `capacity`: for how many rates there is memory from the start. */
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

  /** All that was appended, in the memory that it was gathered in. */
  finish(): Series {
    return { days: this.#days.values, rates: this.#rates.values };
  }
}
