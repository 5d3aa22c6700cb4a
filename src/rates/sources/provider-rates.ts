import { LRUCache } from 'lru-cache';
import {
  type Columns,
  ColumnsBuilder,
  firstFrom,
  rateAt,
  receivedColumns,
} from '../../../core/columns/columns.js';
import { inSharedMemory } from '../../../core/columns/shared-memory.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { type PairRate, unitsPer } from '../../../core/domain/crossing.js';
import { OPPOSITE, type Side } from '../../../core/domain/sides.js';
import type { ValidityPeriod } from '../../../core/domain/validity.js';
import { type OwnPairs, PlainRows } from '../snapshot/row.js';
import type { OfficialRates } from './official.js';
import { type RawTable, rawRows } from './raw-table.js';
import { rebaseDay } from './rebase.js';

/** All rates of one provider, converted within its own data. */
export type ProviderRates = ReturnType<typeof unpackProviderRates>;

/** All rates of one provider as plain data, whose long arrays threads share. */
export interface PackedProviderRates {
  readonly pivot: string | null;
  readonly period: ValidityPeriod | undefined;
  /** The only side of the rates; undefined for the rates themselves. */
  readonly side?: Side | undefined;
  /** The rates as published, or converted to the pivot if that is possible for all. */
  readonly rates: Tables | { readonly columns: Columns; readonly published: Published };
  /** Why rates of a currency on a day are suspect, by day and currency. The pivot has no rates of its own. */
  readonly suspects: ReadonlyMap<number, ReadonlyMap<string, SuspicionReason>>;
}

/** The rates as published; of one side, also the other one, whose inverses are rates of that side. */
interface Tables {
  readonly table: RawTable;
  readonly opposite?: RawTable | undefined;
}

const BASES_KEPT = 4;
const BYTES_OF_RAW_ROW = 18;
const EMPTY_SIZE = 1_000;

type Published = ReturnType<typeof publishedPairs>;

type Converted = ReturnType<typeof convert>;

/** Converts rows to units per pivot: as published, inverted, or crossed with a rate of the same day. */
// If some rows can't be converted, the columns are computed for each requested base.
export function providerRatesOf(
  table: RawTable,
  pivot: string | null,
  period: ValidityPeriod | undefined,
): ProviderRates {
  const columns = pivot === null || period !== undefined ? undefined : pivotColumns(table, pivot);
  const suspects = suspectsIn(table, pivot);
  const rates = columns ? { columns, published: publishedPairs(table, columns) } : { table };
  return unpackProviderRates({ pivot, period, suspects, rates });
}

/** Each side of a provider's rates: as published, or inverted from the opposite side. A cross has no price of the bank. */
export function providerSidesOf(
  tables: Readonly<Record<Side, RawTable>>,
  { packed }: ProviderRates,
): ProviderRates[] {
  const shared = { buy: inSharedMemory(tables.buy), sell: inSharedMemory(tables.sell) };
  return (['buy', 'sell'] as const).map((side) => {
    const rates = { table: shared[side], opposite: shared[OPPOSITE[side]] };
    return unpackProviderRates({ ...packed, side, pivot: null, period: undefined, rates });
  });
}

/** Restores the rates that a thread has sent, in memory that threads share. */
export function unpackProviderRates({ pivot, period, suspects, side, ...made }: PackedProviderRates) {
  const { rates, days, size, convertedFor } =
    'table' in made.rates ? byBase(made.rates, pivot) : byPivot(made.rates.columns, made.rates.published);
  const packed: PackedProviderRates = { pivot, period, suspects, side, rates };
  /** Set if rates are valid for a period: the rows in which the rates valid on a day are found. */
  const official: OfficialRates | undefined =
    period && 'table' in rates ? { table: rates.table, pivot, period } : undefined;
  return {
    packed,
    /** The days on which it published, ascending. */
    days,
    size: EMPTY_SIZE + size,
    official,
    columnsFor: (base: string): Columns => convertedFor(base).columns,
    /** Returns the pairs of a base that the provider publishes itself: in its own digits, or inverted. */
    ownFor: (base: string): OwnPairs => ownPairs(convertedFor(base).published, base),
    /** Returns the same rows, marked where a suspect rate is behind a row: that of the quote, or of the base. */
    markSuspects: (rows: PlainRows, base: string): PlainRows =>
      suspects.size === 0 ? rows : withMarks(rows, base, suspects),
  };
}

/** The rates of which some can't be converted to the pivot: the columns of each base are in units per the base. */
function byBase({ table: made, opposite: other }: Tables, pivot: string | null) {
  const table = inSharedMemory(made);
  const opposite = other && inSharedMemory(other);
  const days = opposite ? Int32Array.from([...table.days, ...opposite.days]).sort() : table.days;
  const memoMethod = (base: string) =>
    opposite ? convertSide(table, opposite, base) : convert(table, base, pivot);
  const converted = new LRUCache<string, Converted>({ max: BASES_KEPT, memoMethod });
  const size = days.length * (BYTES_OF_RAW_ROW + BASES_KEPT * Float64Array.BYTES_PER_ELEMENT);
  return { rates: { table, opposite }, days, size, convertedFor: (base: string) => converted.memo(base) };
}

function byPivot(made: Columns, { pairs, named }: Published) {
  const columns = receivedColumns(made);
  const published = { pairs: inSharedMemory(pairs), named };
  const arrays = [columns.rates, columns.days, ...Object.values(published.pairs)];
  const size = arrays.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  const rates: Converted = { columns, published };
  return { rates, days: columns.days, size, convertedFor: (_base: string) => rates };
}

/** Undefined if a currency can't be converted in the 14 days up to its day. The columns have all days of the table. */
function pivotColumns(table: RawTable, pivot: string): Columns | undefined {
  const { names, days, bases, quotes, rates } = table;
  const pivotName = names.indexOf(pivot);
  const isDirect = currenciesWith(table, pivotName);
  const builder = new ColumnsBuilder();
  const newest = new Map<number, { day: number; rate: number }>();
  const rowAt = (index: number): PairRate<number> => {
    return { base: bases[index] ?? -1, quote: quotes[index] ?? -1, rate: rates[index] ?? Number.NaN };
  };
  const append = (name: number, day: number, rate: number): void => {
    builder.append(names[name] ?? '', day, rate);
    if (!Number.isNaN(rate)) newest.set(name, { day, rate });
  };
  for (let start = 0; start < days.length; ) {
    const day = days[start] ?? 0;
    const end = firstFrom(days, day + 1);
    const rateOf = (name: number) => (newest.get(name)?.day === day ? newest.get(name)?.rate : undefined);
    const crossed: PairRate<number>[] = [];
    for (let index = start; index < end; index++) {
      const row = rowAt(index);
      const { base, quote } = row;
      if (base === pivotName) append(quote, day, unitsPer(row, quote, pivotName));
      else if (quote !== pivotName) crossed.push(row);
      // A pair that is published in both directions is used as it is.
      else if (rateOf(base) === undefined) append(base, day, unitsPer(row, base, pivotName));
    }
    // These need the day's rates of the currency with which they are crossed.
    for (const row of crossed) {
      const [bridging, currency] = isDirect.has(row.base) ? [row.base, row.quote] : [row.quote, row.base];
      const isCrossed = !isDirect.has(currency);
      if (isCrossed && (newest.get(bridging)?.day ?? Number.NEGATIVE_INFINITY) < day - WINDOW_DAYS)
        return undefined;
      const rate = isCrossed ? unitsPer(row, currency, pivotName, rateOf(bridging)) : Number.NaN;
      if (!Number.isNaN(rate) || rateOf(currency) === undefined) append(currency, day, rate);
    }
    start = end;
  }
  return builder.finish(pivot);
}

function currenciesWith({ bases, quotes }: RawTable, pivotName: number): Set<number> {
  const found = new Set<number>();
  for (let index = 0; index < bases.length; index++) {
    if (bases[index] === pivotName) found.add(quotes[index] ?? -1);
    else if (quotes[index] === pivotName) found.add(bases[index] ?? -1);
  }
  return found;
}

/** The pairs of a table, of one base or of all, whose days are days of the columns. */
function publishedPairs(table: RawTable, { days, byQuote }: Columns, only?: string) {
  const { names } = table;
  /** The rates of each pair as stored, by index of the day; NaN if not published. */
  const pairs: Record<string, Float64Array> = {};
  /** By currency, the indices of days on which it has no rate in the columns although a pair with it was published. */
  const named = new Map<string, Set<number>>();
  let dayIndex = 0;
  const onlyName = only === undefined ? undefined : names.indexOf(only);
  for (let index = 0; index < table.days.length; index++) {
    if (onlyName !== undefined && table.bases[index] !== onlyName) continue;
    const day = table.days[index] ?? 0;
    while ((days[dayIndex] ?? day) < day) dayIndex++;
    if (days[dayIndex] !== day) continue;
    const codes = [table.bases[index], table.quotes[index]].map((name) => names[name ?? 0] ?? '');
    const pair = codes.join('/');
    pairs[pair] ??= new Float64Array(days.length).fill(Number.NaN);
    pairs[pair][dayIndex] = table.rates[index] ?? Number.NaN;
    const columns = codes.map((code) => byQuote.get(code));
    if (columns.every((column) => column && !Number.isNaN(rateAt(column, dayIndex)))) continue;
    for (const code of codes) named.set(code, (named.get(code) ?? new Set()).add(dayIndex));
  }
  return { pairs, named };
}

function ownPairs({ pairs, named }: Published, base: string): OwnPairs {
  return (quote) => {
    if (quote === base) {
      // The row of the base exists on all days on which any of its pairs has one.
      const days = named.get(base);
      return days && { isExactOn: () => false, rateOn: (ratio, at) => (days.has(at) ? 1 : ratio) };
    }
    const [direct, inverse] = [pairs[`${base}/${quote}`], pairs[`${quote}/${base}`]];
    if (!direct && !inverse) return undefined;
    const isExactOn = (dayIndex: number) => !Number.isNaN(direct?.[dayIndex] ?? Number.NaN);
    return {
      isExactOn,
      rateOn(ratio, dayIndex) {
        if (isExactOn(dayIndex)) return direct?.[dayIndex] ?? ratio;
        const rate = inverse?.[dayIndex] ?? Number.NaN;
        return Number.isNaN(rate) ? ratio : 1 / rate;
      },
    };
  };
}

function suspectsIn({ leftOut, days, bases, quotes, names }: RawTable, pivot: string | null) {
  const byDay = new Map<number, Map<string, SuspicionReason>>();
  for (const [index, reason] of leftOut) {
    const day = days[index] ?? 0;
    const reasons = byDay.get(day) ?? new Map<string, SuspicionReason>();
    byDay.set(day, reasons);
    for (const number of [bases[index], quotes[index]]) {
      const code = names[number ?? 0] ?? '';
      if (code !== pivot) reasons.set(code, reason);
    }
  }
  return byDay;
}

function withMarks(
  { quotes, nextDate }: PlainRows,
  base: string,
  byDay: PackedProviderRates['suspects'],
): PlainRows {
  return new PlainRows(quotes, () => {
    const date = nextDate();
    const observed = date?.marks?.observed;
    if (!date || !(observed ? observed.some((day) => byDay.has(day)) : byDay.has(date.day))) return date;
    const suspects = quotes.map((quote, index) => {
      const reasons = byDay.get(observed?.[index] ?? date.day);
      return quote === base ? undefined : (reasons?.get(quote) ?? reasons?.get(base));
    });
    return { ...date, marks: { ...date.marks, suspects } };
  });
}

function convert(table: RawTable, base: string, pivot: string | null) {
  const builder = new ColumnsBuilder();
  for (const day of new Set(table.days)) {
    const rows = [...rawRows(table, day, day)];
    for (const { quote, rate } of rebaseDay(rows, base, pivot)) builder.append(quote, day, rate);
  }
  const columns = builder.finish(base);
  return { columns, published: publishedPairs(table, columns) };
}

/** The pairs of a base as published, which take precedence, and those that are inverses of the opposite side. */
function convertSide(table: RawTable, opposite: RawTable, base: string): Converted {
  const builder = new ColumnsBuilder();
  const inverse = { ...opposite, bases: opposite.quotes, quotes: opposite.bases };
  for (const rows of [inverse, table]) {
    const { days, rates, names, bases, quotes } = rows;
    const per = names.indexOf(base);
    for (let index = 0; index < days.length; index++) {
      if (bases[index] !== per) continue;
      const rate = rates[index] ?? Number.NaN;
      builder.append(names[quotes[index] ?? 0] ?? '', days[index] ?? 0, rows === inverse ? 1 / rate : rate);
    }
  }
  const columns = builder.finish(base);
  return { columns, published: publishedPairs(table, columns, base) };
}
