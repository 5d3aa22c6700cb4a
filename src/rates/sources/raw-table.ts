import { firstFrom } from '../../../core/columns/columns.js';
import { GrowableArray } from '../../../core/columns/growable-array.js';
import type { LeftOut } from '../../../core/database/suspects.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { type CalendarDate, fromDayNumber } from '../../../core/domain/dates.js';

/** Rows as published, sorted by date, in about twenty bytes each, and twelve more for its records. */
export interface RawTable {
  readonly days: Int32Array;
  readonly rates: Float64Array;
  /** Indices into `names`. */
  readonly providers: Uint16Array;
  readonly bases: Uint16Array;
  readonly quotes: Uint16Array;
  readonly names: readonly string[];
  /** The rows that are left out of blends as suspect, by their indices. */
  readonly leftOut: ReadonlyMap<number, SuspicionReason>;
  /** If read: when rows were recorded, in milliseconds since 1970, and by which runs; 0 if unknown. */
  readonly records?: { readonly at: Float64Array; readonly runs: Int32Array };
}

/** Generates the rows of a table from one day to another, both included, by date. */
export function* rawRows(
  table: RawTable,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): Generator<RawRow> {
  const { days } = table;
  let day = Number.NaN;
  let date = '';
  for (let index = firstFrom(days, from); index < days.length; index++) {
    const dayHere = days[index] ?? 0;
    if (dayHere > to) return;
    if (dayHere !== day) {
      day = dayHere;
      date = fromDayNumber(day);
    }
    yield rawRow(table, index, date);
  }
}

export function rawRow(table: RawTable, index: number, date: CalendarDate): RawRow {
  const { rates, providers, bases, quotes, names } = table;
  return {
    provider: names[providers[index] ?? 0] ?? '',
    date,
    base: names[bases[index] ?? 0] ?? '',
    quote: names[quotes[index] ?? 0] ?? '',
    rate: rates[index] ?? 0,
  };
}

/** Returns the number of a name. A new name gets the next one, so that the keys of `names` are in the order of numbers. */
export function numberIn(names: Map<string, number>, name: string): number {
  const number = names.get(name) ?? names.size;
  if (number === names.size) names.set(name, number);
  return number;
}

/** Collects rows in any order. Either all of them have a record or none. */
export class RawTableBuilder {
  readonly #names = new Map<string, number>();
  readonly #days = new GrowableArray(Int32Array);
  readonly #rates = new GrowableArray(Float64Array);
  readonly #providers = new GrowableArray(Uint16Array);
  readonly #bases = new GrowableArray(Uint16Array);
  readonly #quotes = new GrowableArray(Uint16Array);
  readonly #recordedAt = new GrowableArray(Float64Array);
  readonly #runs = new GrowableArray(Int32Array);

  add(
    day: number,
    rate: number,
    provider: string,
    base: string,
    quote: string,
    record?: { at: number; run: number },
  ): void {
    this.#days.push(day);
    this.#rates.push(rate);
    this.#providers.push(numberIn(this.#names, provider));
    this.#bases.push(numberIn(this.#names, base));
    this.#quotes.push(numberIn(this.#names, quote));
    if (!record) return;
    this.#recordedAt.push(record.at);
    this.#runs.push(record.run);
  }

  finish(leftOut: readonly LeftOut[]): RawTable {
    const names = [...this.#names.keys()];
    const order = orderOf(this.#days.values);
    const days = this.#days.inOrder(order);
    const rates = this.#rates.inOrder(order);
    const providers = this.#providers.inOrder(order);
    const bases = this.#bases.inOrder(order);
    const quotes = this.#quotes.inOrder(order);
    const records =
      this.#runs.length > 0
        ? { records: { at: this.#recordedAt.inOrder(order), runs: this.#runs.inOrder(order) } }
        : undefined;
    /** The index of a suspect rate; -1 if the pair now has another rate or none. */
    const indexOf = ({ day, rate, provider, base, quote }: LeftOut): number => {
      const pair = [provider, base, quote].map((name) => names.indexOf(name));
      for (let index = firstFrom(days, day); days[index] === day; index++) {
        const own = [providers[index], bases[index], quotes[index]];
        if (rates[index] === rate && own.every((number, at) => number === pair[at])) return index;
      }
      return -1;
    };
    const reasons = new Map(leftOut.map((row) => [indexOf(row), row.reason]));
    reasons.delete(-1);
    return { days, rates, providers, bases, quotes, names, leftOut: reasons, ...records };
  }
}

/** Returns the indices of the values in ascending order. It uses a stable counting sort, as there are few different days. */
function orderOf(days: Int32Array): Uint32Array {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const day of days) {
    if (day < first) first = day;
    if (day > last) last = day;
  }
  const order = new Uint32Array(days.length);
  if (days.length === 0) return order;
  const starts = new Uint32Array(last - first + 2);
  for (const day of days) starts[day - first + 1] = (starts[day - first + 1] ?? 0) + 1;
  for (let index = 1; index < starts.length; index++) {
    starts[index] = (starts[index] ?? 0) + (starts[index - 1] ?? 0);
  }
  days.forEach((day, index) => {
    const position = starts[day - first] ?? 0;
    order[position] = index;
    starts[day - first] = position + 1;
  });
  return order;
}
