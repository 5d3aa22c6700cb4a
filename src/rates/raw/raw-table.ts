import type { PoolClient } from 'pg';
import { copyOut, readDay, readText } from '../../../core/database/copy-out.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { firstFrom } from '../snapshot/columns.js';

/** Rows as published, sorted by date, in some twenty bytes each. */
export interface RawTable {
  readonly days: Int32Array;
  readonly rates: Float64Array;
  /** Numbers of what stands in `names`. */
  readonly providers: Uint16Array;
  readonly bases: Uint16Array;
  readonly quotes: Uint16Array;
  /** Provider keys and currency codes. */
  readonly names: readonly string[];
}

/** Which raw rows to read. Keys and codes are known ones, never a client's own text. */
export interface RawSelection {
  /** Day numbers, both included; open where missing. */
  from?: number;
  to?: number;
  providers?: readonly string[];
  /** Only rows that name one of these currencies, or the dollar, over which others reach them. */
  currencies?: readonly string[];
}

/** How many bytes a table keeps. */
export function sizeOf(table: RawTable): number {
  return table.days.length * (4 + 8 + 2 + 2 + 2) + 1_000;
}

/** The rows of a table from one day to another, both included, by date. */
export function* rawRows(table: RawTable, from: number, to: number): Generator<RawRow> {
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

/** Reads rows from the database. */
export async function readRawTable(client: PoolClient, selection: RawSelection): Promise<RawTable> {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  const days = new Growing(Int32Array);
  const rates = new Growing(Float64Array);
  const providers = new Growing(Uint16Array);
  const bases = new Growing(Uint16Array);
  const quotes = new Growing(Uint16Array);
  await copyOut(
    client,
    `select date, rate, provider, base, quote from rates${condition(selection)}`,
    (bytes, [date = 0, rate = 0, provider = 0, base = 0, quote = 0]) => {
      days.push(readDay(bytes, date));
      rates.push(bytes.readDoubleBE(rate));
      providers.push(numberOf(readText(bytes, provider)));
      bases.push(numberOf(readText(bytes, base)));
      quotes.push(numberOf(readText(bytes, quote)));
    },
  );
  const order = orderOf(days.values);
  return {
    days: days.inOrder(order),
    rates: rates.inOrder(order),
    providers: providers.inOrder(order),
    bases: bases.inOrder(order),
    quotes: quotes.inOrder(order),
    names: [...numbers.keys()],
  };
}

function condition({ from, to, providers, currencies }: RawSelection): string {
  const conditions: string[] = [];
  if (from !== undefined) conditions.push(`date >= '${fromDayNumber(from)}'`);
  if (to !== undefined) conditions.push(`date <= '${fromDayNumber(to)}'`);
  if (providers) conditions.push(`provider in (${literals(providers)})`);
  if (currencies) {
    const codes = literals([...currencies, 'USD']);
    conditions.push(`(base in (${codes}) or quote in (${codes}))`);
  }
  return conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
}

function literals(words: readonly string[]): string {
  return words
    .map((word) => {
      if (!/^[A-Z]{2,8}$/.test(word)) throw new RangeError(`neither a key nor a code: ${word}`);
      return `'${word}'`;
    })
    .join(', ');
}

/** The places of the values in ascending order, equal ones as they came: by counting, as there are few days. */
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
    const place = starts[day - first] ?? 0;
    order[place] = index;
    starts[day - first] = place + 1;
  });
  return order;
}

type NumberArray = Int32Array | Float64Array | Uint16Array;

/** An array of numbers that grows by appending. */
class Growing<T extends NumberArray> {
  readonly #type: new (
    length: number,
  ) => T;
  #values: T;
  #length = 0;

  constructor(type: new (length: number) => T) {
    this.#type = type;
    this.#values = new type(1024);
  }

  get values(): T {
    return this.#values.subarray(0, this.#length) as T;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const longer = new this.#type(this.#values.length * 2);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.#length++] = value;
  }

  inOrder(order: Uint32Array): T {
    const sorted = new this.#type(order.length);
    for (let index = 0; index < order.length; index++) {
      sorted[index] = this.#values[order[index] ?? 0] ?? 0;
    }
    return sorted;
  }
}
