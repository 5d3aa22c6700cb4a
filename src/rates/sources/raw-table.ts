import { firstFrom } from '../../../core/columns/columns.js';
import { GrowableArray } from '../../../core/columns/growable-array.js';
import { eachRate, type RawSelection } from '../../../core/database/bulk/read-rates.js';
import { type LeftOut, readLeftOut } from '../../../core/database/suspects.js';
import type { Transaction } from '../../../core/database/transactions.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { fromDayNumber } from '../../../core/domain/dates.js';

/** Rows as published, sorted by date, in about twenty bytes each, and twelve more for its records. */
export interface RawTable {
  readonly days: Int32Array;
  readonly rates: Float64Array;
  /** Indices into `names`. */
  readonly providers: Uint16Array;
  readonly bases: Uint16Array;
  readonly quotes: Uint16Array;
  /** Provider keys and currency codes. */
  readonly names: readonly string[];
  /** The rows that are left out of blends as suspect, by their indices. */
  readonly leftOut: ReadonlyMap<number, SuspicionReason>;
  /** By whom they were recorded, where that was read. */
  readonly records?: RowRecords;
}

/** When rows were recorded, in milliseconds since 1970, and the numbers of the runs that did; 0 where not known. */
interface RowRecords {
  readonly at: Float64Array;
  readonly runs: Int32Array;
}

/** The rows of a table from one day to another, both included, by date. */
export function* rawRows(
  table: RawTable,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): Generator<RawRow> {
  const { days, rates, providers, bases, quotes, names } = table;
  const name = (number: number | undefined) => names[number ?? 0] ?? '';
  let day = Number.NaN;
  let date = '';
  for (let index = firstFrom(days, from); index < days.length; index++) {
    const dayHere = days[index] ?? 0;
    if (dayHere > to) return;
    if (dayHere !== day) {
      day = dayHere;
      date = fromDayNumber(day);
    }
    yield {
      provider: name(providers[index]),
      date,
      base: name(bases[index]),
      quote: name(quotes[index]),
      rate: rates[index] ?? 0,
    };
  }
}

/** A pair of a provider, by its numbers among the names. */
interface NumberedPair {
  provider: number | undefined;
  base: number | undefined;
  quote: number | undefined;
}

/** The index of a suspect rate; undefined where the pair has another rate by now, or none. */
function indexOf(
  { days, rates, providers, bases, quotes }: Omit<RawTable, 'leftOut' | 'records'>,
  { day, rate }: LeftOut,
  pair: NumberedPair,
): number | undefined {
  for (let index = firstFrom(days, day); days[index] === day; index++) {
    const isPair =
      providers[index] === pair.provider && bases[index] === pair.base && quotes[index] === pair.quote;
    if (isPair && rates[index] === rate) return index;
  }
  return undefined;
}

/** Collects rows in any order. */
export interface RawTableBuilder {
  add(
    day: number,
    rate: number,
    provider: string,
    base: string,
    quote: string,
    record?: { at: number; run: number },
  ): void;
  /** The table, with the reasons of those that are left out of blends. */
  finish(leftOut: readonly LeftOut[]): RawTable;
}

/** With `isRecordWanted`, all rows must have a record. */
export function createRawTable({ isRecordWanted = false } = {}): RawTableBuilder {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  const days = new GrowableArray(Int32Array);
  const rates = new GrowableArray(Float64Array);
  const providers = new GrowableArray(Uint16Array);
  const bases = new GrowableArray(Uint16Array);
  const quotes = new GrowableArray(Uint16Array);
  const recordedAt = new GrowableArray(Float64Array);
  const runs = new GrowableArray(Int32Array);
  return {
    add(day, rate, provider, base, quote, record) {
      days.push(day);
      rates.push(rate);
      providers.push(numberOf(provider));
      bases.push(numberOf(base));
      quotes.push(numberOf(quote));
      if (!record) return;
      recordedAt.push(record.at);
      runs.push(record.run);
    },
    finish(leftOut) {
      const order = orderOf(days.values);
      const table = {
        days: days.inOrder(order),
        rates: rates.inOrder(order),
        providers: providers.inOrder(order),
        bases: bases.inOrder(order),
        quotes: quotes.inOrder(order),
        names: [...numbers.keys()],
        ...(isRecordWanted && { records: { at: recordedAt.inOrder(order), runs: runs.inOrder(order) } }),
      };
      const reasons = new Map<number, SuspicionReason>();
      for (const row of leftOut) {
        const { provider, base, quote, reason } = row;
        const pair = { provider: numbers.get(provider), base: numbers.get(base), quote: numbers.get(quote) };
        const index = indexOf(table, row, pair);
        if (index !== undefined) reasons.set(index, reason);
      }
      return { ...table, leftOut: reasons };
    },
  };
}

/** Reads rows from the database. */
export async function readRawTable(view: Transaction, selection: RawSelection): Promise<RawTable> {
  const table = createRawTable(selection);
  await eachRate(view, selection, table.add);
  return table.finish(await readLeftOut(view, selection));
}

/** The indices of the values in ascending order, by a stable counting sort, as there are few different days. */
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
