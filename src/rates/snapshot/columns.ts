import { PIVOT, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';

/**
 * What a dollar cost in every currency on every day on which any had a rate. The rates of a day lie side by side, as
 * nearly all that is asked is asked of some day: of the newest, of one in the past, of each in a range.
 */
export interface Columns {
  /** Currency codes in their order. */
  readonly quotes: readonly string[];
  /** In the same order. */
  readonly byQuote: ReadonlyMap<string, Column>;
  /** Days since 1970-01-01, ascending; for weeks and months, that of the period's first day. */
  readonly days: Int32Array;
  /** Day by day a rate for each of the quotes. */
  readonly rates: Float64Array;
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

/** What is carried of a column at a place: its newest rate in the 14 days up to it; NaN where there is none. */
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
  const quotes = withFrame(filled.keys(), days);
  const columns = columnsOver(quotes, days, new Float64Array(days.length * quotes.length).fill(Number.NaN));
  for (const [quote, series] of filled) {
    const column = columns.byQuote.get(quote);
    if (!column) continue;
    for (let index = 0; index < series.days.length; index++) {
      const place = placeOf(series.days[index] ?? 0);
      columns.rates[column.first + place * column.step] = series.rates[index] ?? Number.NaN;
    }
  }
  return withDollars(columns);
}

function withFrame(quotes: Iterable<string>, days: Int32Array): string[] {
  return days.length === 0 ? [] : [...new Set([...quotes, PIVOT])].sort();
}

function columnsOver(quotes: readonly string[], days: Int32Array, rates: Float64Array): Columns {
  const step = quotes.length;
  return {
    quotes,
    byQuote: new Map(quotes.map((quote, first) => [quote, { rates, first, step }])),
    days,
    rates,
  };
}

function withDollars(columns: Columns): Columns {
  const { rates, byQuote } = columns;
  const dollar = byQuote.get(PIVOT);
  if (dollar) for (let index = dollar.first; index < rates.length; index += dollar.step) rates[index] = 1;
  return columns;
}

/**
 * The columns with all that lies in [from, to] replaced. The old ones stay as they are for whoever still reads them.
 */
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
  const quotes = withFrame([...new Set([...old.quotes, ...window.quotes])].filter(isLeft), days);
  const columns = columnsOver(quotes, days, new Float64Array(days.length * quotes.length));
  copyDays(old, { from: 0, to: start }, columns, 0);
  copyDays(window, { from: 0, to: window.days.length }, columns, start);
  copyDays(old, { from: end, to: old.days.length }, columns, afterwards);
  return withDollars(columns);
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
  #days: Int32Array;
  #rates: Float64Array;
  #length = 0;

  /** Room for as many is there from the start. */
  constructor(room = 0) {
    this.#days = new Int32Array(room);
    this.#rates = new Float64Array(room);
  }

  append(day: number, rate: number): void {
    if (this.#length === this.#days.length) this.#grow();
    this.#days[this.#length] = day;
    this.#rates[this.#length] = rate;
    this.#length++;
  }

  get length(): number {
    return this.#length;
  }

  /** All of it, in the memory that it was gathered in. */
  finish(): Series {
    return { days: this.#days.subarray(0, this.#length), rates: this.#rates.subarray(0, this.#length) };
  }

  #grow(): void {
    const room = Math.max(64, this.#days.length * 2);
    const days = new Int32Array(room);
    const rates = new Float64Array(room);
    days.set(this.#days);
    rates.set(this.#rates);
    this.#days = days;
    this.#rates = rates;
  }
}
