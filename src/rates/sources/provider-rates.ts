import { LRUCache } from 'lru-cache';
import {
  builderOf,
  type Columns,
  columnsOf,
  firstFrom,
  lastRated,
  lastUpTo,
  rateAt,
  replaceColumn,
  type SeriesBuilder,
} from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { type PairRate, unitsPer } from '../../../core/domain/crossing.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import type { ValidityPeriod } from '../../../core/domain/validity.js';
import type { ExactPairs, PlainRows, RowMarks } from '../snapshot/row.js';
import type { OfficialRates } from './official.js';
import { type RawTable, rawRows } from './raw-table.js';
import { rebaseEachDate } from './rebase.js';

/** All rates of one provider, converted within its own data. */
export interface ProviderRates {
  /** The days on which it published, ascending. */
  readonly days: Int32Array;
  /** The columns for rows of a base. The pivot as a quote has a rate on the days on which the base has one. */
  columnsFor(base: string): Columns;
  /** The pairs of a base that the provider publishes itself, in its own digits. */
  exactFor(base: string): ExactPairs;
  /** The same rows with marks where a suspect rate is behind a row of the base: its own, or that of the base. */
  markSuspects(rows: PlainRows, base: string): PlainRows;
  /** Where rates are set for a period, the rows from which those that are valid on a day are found. */
  readonly official?: OfficialRates;
  /** Bytes in memory. */
  readonly size: number;
}

const BASES_KEPT = 4;
const BYTES_OF_RAW_ROW = 18;
const EMPTY_SIZE = 1_000;

/** The published rates of one pair as they are stored, by index of the day; NaN where the pair was not published. */
type Published = Map<string, Float64Array>;

/**
 * Brings a provider's rows to columns per unit of its pivot. A published pair with the pivot is used as it is or
 * inverted; any other crosses over the rate that the provider gives for one of its currencies, carried for up to 14 days.
 * Where some rows can't be brought to the pivot, the columns are computed for each base that is requested.
 */
export function providerRatesOf(
  table: RawTable,
  pivot: string | null,
  period: ValidityPeriod | undefined,
): ProviderRates {
  if (period !== undefined)
    return { ...convertedForEachBase(table, pivot), official: { table, pivot, period } };
  const columns = pivot === null ? undefined : pivotColumns(table, pivot);
  if (!columns || pivot === null) return convertedForEachBase(table, pivot);
  const published = publishedPairs(table, columns);
  return {
    days: columns.days,
    size:
      EMPTY_SIZE +
      sizeOf(columns) +
      [...published.values()].reduce((bytes, rates) => bytes + rates.byteLength, 0),
    markSuspects: suspectMarks(table, columns, pivot),
    columnsFor: (base) => (base === pivot ? columns : withPivotOnOwnDays(columns, base, pivot)),
    exactFor: (base) => exactPairs(published, base),
  };
}

/** Undefined where the rates of a currency can't be brought to the pivot. */
function pivotColumns(table: RawTable, pivot: string): Columns | undefined {
  const { names, days, bases, quotes, rates } = table;
  const pivotName = names.indexOf(pivot);
  const isDirect = currenciesWith(table, pivotName);
  const series = new Map<number, SeriesBuilder>();
  const newest = new Map<number, { day: number; rate: number }>();
  const rowAt = (index: number): PairRate<number> => {
    return { base: bases[index] ?? -1, quote: quotes[index] ?? -1, rate: rates[index] ?? Number.NaN };
  };
  const append = (index: number, name: number, crossedOver?: number): void => {
    const day = days[index] ?? 0;
    const rate = unitsPer(rowAt(index), name, pivotName, crossedOver);
    builderOf(series, name).append(day, rate);
    newest.set(name, { day, rate });
  };
  for (let start = 0; start < days.length; ) {
    const day = days[start] ?? 0;
    const end = firstFrom(days, day + 1);
    const crossed: number[] = [];
    for (let index = start; index < end; index++) {
      const { base, quote } = rowAt(index);
      if (base === pivotName) append(index, quote);
      else if (quote === pivotName) {
        // A pair that is published in both directions is used as it is.
        if (newest.get(base)?.day !== day) append(index, base);
      } else if (!isDirect.has(base) || !isDirect.has(quote)) crossed.push(index);
    }
    // These need the day's rates of the currency that they cross over.
    for (const index of crossed) {
      const { base, quote } = rowAt(index);
      const [bridging, currency] = isDirect.has(base) ? [base, quote] : [quote, base];
      const bridge = newest.get(bridging);
      if (!bridge || bridge.day < day - WINDOW_DAYS) return undefined;
      append(index, currency, bridge.rate);
    }
    start = end;
  }
  return columnsOf(
    [...series].map(([name, builder]) => [names[name] ?? '', builder.finish()] as const),
    pivot,
  );
}

/** The currencies that are published against the pivot. */
function currenciesWith({ bases, quotes }: RawTable, pivotName: number): Set<number> {
  const found = new Set<number>();
  for (let index = 0; index < bases.length; index++) {
    if (bases[index] === pivotName) found.add(quotes[index] ?? -1);
    else if (quotes[index] === pivotName) found.add(bases[index] ?? -1);
  }
  return found;
}

function publishedPairs(table: RawTable, { days }: Columns): Published {
  const published: Published = new Map();
  const { names } = table;
  const pairs = new Map<number, Float64Array>();
  let dayIndex = 0;
  for (let index = 0; index < table.days.length; index++) {
    const day = table.days[index] ?? 0;
    while ((days[dayIndex] ?? day) < day) dayIndex++;
    const base = table.bases[index] ?? 0;
    const quote = table.quotes[index] ?? 0;
    const pair = base * names.length + quote;
    if (days[dayIndex] !== day) continue;
    let rates = pairs.get(pair);
    if (!rates) {
      rates = new Float64Array(days.length).fill(Number.NaN);
      pairs.set(pair, rates);
      published.set(`${names[base]}/${names[quote]}`, rates);
    }
    rates[dayIndex] = table.rates[index] ?? Number.NaN;
  }
  return published;
}

function exactPairs(published: Published, base: string): ExactPairs {
  return (quote) => {
    const rates = published.get(`${base}/${quote}`);
    return (
      rates &&
      ((_, dayIndex) => {
        const rate = rates[dayIndex] ?? Number.NaN;
        return Number.isNaN(rate) ? undefined : rate;
      })
    );
  };
}

/**
 * Marks rows by the day of the rate of their quote, and of the rate of the base that is carried to that day. The pivot has
 * no rates of its own.
 */
function suspectMarks(
  { leftOut, days, bases, quotes, names }: RawTable,
  columns: Columns | undefined,
  pivot: string | null,
): ProviderRates['markSuspects'] {
  if (leftOut.size === 0) return (rows) => rows;
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
  return (rows, base) => {
    const column = columns?.byQuote.get(base);
    const baseDayOn = (day: number): number => {
      if (!columns || !column) return day;
      return columns.days[lastRated(columns, column, lastUpTo(columns.days, day), day - WINDOW_DAYS)] ?? day;
    };
    const hasSuspects = [...byDay.values()].some((reasons) => reasons.has(base));
    const reasonOfBase = (day: number) => (hasSuspects ? byDay.get(baseDayOn(day))?.get(base) : undefined);
    const isSuspectDay = (day: number) => byDay.has(day) || reasonOfBase(day) !== undefined;
    const marked = (day: number, marks: RowMarks | undefined): RowMarks | undefined => {
      const observed = marks?.observed;
      if (observed ? !observed.some(isSuspectDay) : !isSuspectDay(day)) return marks;
      const suspects = rows.quotes.map((quote, index) => {
        const ownDay = observed?.[index] ?? day;
        return quote === base ? undefined : (byDay.get(ownDay)?.get(quote) ?? reasonOfBase(ownDay));
      });
      return { ...marks, suspects };
    };
    return {
      ...rows,
      draw: (take, count) => rows.draw((day, rates, marks) => take(day, rates, marked(day, marks)), count),
    };
  };
}

/** The pivot as a quote comes from the rate of the base: it has a row where that has one, and not on other days. */
function withPivotOnOwnDays(columns: Columns, base: string, pivot: string): Columns {
  const own = columns.byQuote.get(base);
  if (!own) return columns;
  const known = columns.forBase.get(base);
  if (known) return known;
  const rates = Float64Array.from(columns.days, (_, dayIndex) =>
    Number.isNaN(rateAt(own, dayIndex)) ? Number.NaN : 1,
  );
  const made = replaceColumn(columns, pivot, { rates, first: 0, step: 1, contiguous: undefined });
  columns.forBase.set(base, made);
  return made;
}

/** For providers whose rates do not all lead to one pivot: the columns of each base, in units per that base. */
function convertedForEachBase(table: RawTable, pivot: string | null): ProviderRates {
  const converted = new LRUCache<string, { columns: Columns; published: Published }>({ max: BASES_KEPT });
  const convertedFor = (base: string) => {
    const known = converted.get(base) ?? convert(table, base, pivot);
    converted.set(base, known);
    return known;
  };
  return {
    days: table.days,
    size: EMPTY_SIZE + table.days.length * (BYTES_OF_RAW_ROW + BASES_KEPT * Float64Array.BYTES_PER_ELEMENT),
    markSuspects: suspectMarks(table, undefined, pivot),
    columnsFor: (base) => convertedFor(base).columns,
    exactFor: (base) => exactPairs(convertedFor(base).published, base),
  };
}

function convert(table: RawTable, base: string, pivot: string | null) {
  const series = new Map<string, SeriesBuilder>();
  const first = table.days[0] ?? 0;
  const window = { from: fromDayNumber(first), to: fromDayNumber(table.days.at(-1) ?? 0) };
  const rows = rawRows(table, first, dayNumber(window.to));
  for (const { date, rates } of rebaseEachDate(rows, window, base, pivot)) {
    for (const { quote, rate } of rates) builderOf(series, quote).append(dayNumber(date), rate);
  }
  const columns = columnsOf(
    [...series].map(([quote, builder]) => [quote, builder.finish()] as const),
    base,
  );
  return { columns, published: publishedPairs(table, columns) };
}

function sizeOf({ rates, days }: Columns): number {
  return rates.byteLength + days.byteLength;
}
