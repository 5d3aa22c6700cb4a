import { FRAME } from '../../core/blend/carry-forward.js';

/** What a dollar cost in one currency, day by day. Both arrays run in step; days ascend. */
export interface Column {
  /** Days since 1970-01-01; for weeks and months, that of the period's first day. */
  readonly days: Int32Array;
  /** Units of the currency per dollar. */
  readonly rates: Float64Array;
}

/** Columns of every currency, and the days on which any of them has a rate. */
export interface Columns {
  /** Currency codes in their order. */
  readonly quotes: readonly string[];
  readonly byQuote: ReadonlyMap<string, Column>;
  readonly days: Int32Array;
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

/**
 * Columns from parts, with the union of their days. Empty columns are left out; the dollar has a rate of 1 on
 * every day that has any.
 */
export function columnsOf(parts: Iterable<readonly [string, Column]>): Columns {
  const filled = new Map([...parts].filter(([, column]) => column.days.length > 0));
  if (filled.size === 0) return NO_COLUMNS;
  const days = unionOfDays([...filled.values()]);
  if (filled.get(FRAME)?.days.length !== days.length) {
    filled.set(FRAME, { days, rates: new Float64Array(days.length).fill(1) });
  }
  const sorted = [...filled].sort(([one], [other]) => (one < other ? -1 : 1));
  return { quotes: sorted.map(([quote]) => quote), byQuote: new Map(sorted), days };
}

/**
 * The columns with all that lies in [from, to] replaced. Columns that the window doesn't touch are shared with
 * the old ones, which stay as they are for whoever still reads them.
 */
export function replaceWindow(old: Columns, window: Columns, from: number, to: number): Columns {
  const codes = new Set([...old.quotes, ...window.quotes]);
  return columnsOf(
    [...codes].map(
      (code) => [code, splice(old.byQuote.get(code), window.byQuote.get(code), from, to)] as const,
    ),
  );
}

function splice(old: Column | undefined, within: Column | undefined, from: number, to: number): Column {
  if (!old) return within ?? { days: new Int32Array(0), rates: new Float64Array(0) };
  const start = firstFrom(old.days, from);
  const end = firstFrom(old.days, to + 1);
  const count = within?.days.length ?? 0;
  if (start === end && count === 0) return old;
  const length = old.days.length - (end - start) + count;
  const days = new Int32Array(length);
  const rates = new Float64Array(length);
  days.set(old.days.subarray(0, start));
  rates.set(old.rates.subarray(0, start));
  if (within) {
    days.set(within.days, start);
    rates.set(within.rates, start);
  }
  days.set(old.days.subarray(end), start + count);
  rates.set(old.rates.subarray(end), start + count);
  return { days, rates };
}

function unionOfDays(columns: readonly Column[]): Int32Array {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { days } of columns) {
    first = Math.min(first, days[0] ?? first);
    last = Math.max(last, days[days.length - 1] ?? last);
  }
  if (first > last) return new Int32Array(0);
  const seen = new Uint8Array(last - first + 1);
  for (const { days } of columns) for (const day of days) seen[day - first] = 1;
  const union = new Int32Array(seen.reduce((count, flag) => count + flag, 0));
  let length = 0;
  for (let offset = 0; offset < seen.length; offset++)
    if (seen[offset] === 1) union[length++] = first + offset;
  return union;
}

/** A column that grows by appending. */
export class ColumnBuilder {
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

  /** The column, its days ascending whatever order they came in. */
  finish(): Column {
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
