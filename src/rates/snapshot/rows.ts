import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { firstDayOf, type Period } from '../../../core/domain/periods.js';
import {
  type Column,
  type Columns,
  carriedAt,
  columnsForBase,
  firstFrom,
  lastRated,
  lastUpTo,
  rateAt,
} from './columns.js';

/** The rows of one date, by quote. */
export interface DatedRows {
  /** Days since 1970-01-01; of a week or month, its first. */
  readonly day: number;
  readonly rows: readonly Row[];
}

/** One unit of the requested base costs `rate` units of `quote`. */
export interface Row {
  readonly quote: string;
  /** Not rounded yet. */
  readonly rate: number;
  /** Whether `rate` is as a provider published it; it is then shown without rounding. */
  readonly published: boolean;
  /** The providers behind the rate; undefined if not requested or not known. */
  readonly sources: readonly RowSource[] | undefined;
}

/** One provider's part in a row: its rate in units of the row's quote per unit of its base, and that rate's day. */
export interface RowSource {
  readonly key: string;
  readonly day: number;
  readonly rate: number;
  readonly published: boolean;
  readonly excluded: boolean;
}

/** The base and quotes of the requested rows. */
export interface Selection {
  base: string;
  /** Sorted and without repetition; undefined for all. */
  quotes: readonly string[] | undefined;
}

/** A row of a derived rate, without sources. */
export function plainRow(quote: string, rate: number): Row {
  return { quote, rate, published: false, sources: undefined };
}

/**
 * Called with the rows of one date: for each of the quotes, in order, the units of it that one unit of the base costs,
 * not rounded; NaN if there is no row. The array is reused for the next date.
 */
export type TakeRates = (day: number, rates: Float64Array) => void;

/** Rows without sources, read in portions and without an object for each, as there may be a million. */
export interface PlainRows {
  readonly quotes: readonly string[];
  /** Upper bound of the number of rows. */
  readonly maxRows: number;
  /**
   * Calls `take` for further dates until these have `count` rates or more, NaN included. Returns false when there are
   * no more.
   */
  draw(take: TakeRates, count: number): boolean;
}

const NO_ROWS: PlainRows = { quotes: [], maxRows: 0, draw: () => false };

/** The requested quotes that have a column. */
interface Wanted {
  readonly quotes: readonly string[];
  /** In the order of the quotes. */
  readonly columns: readonly Column[];
}

function wantedOf(columns: Columns, quotes: readonly string[] | undefined): Wanted {
  if (!quotes) return columns;
  const wanted = { quotes: [] as string[], columns: [] as Column[] };
  for (const quote of quotes) {
    const column = columns.byQuote.get(quote);
    if (!column) continue;
    wanted.quotes.push(quote);
    wanted.columns.push(column);
  }
  return wanted;
}

/**
 * For each quote its newest row in the 14 days up to `asOf`, a day number, by date. A row has the rate of its own day,
 * the same that `rowsBetween` gives for it. Where the base had none to be carried to that day, the row is that of the
 * base's newest day, with the carried rate of the quote. So a pair has a row where both currencies have a rate in those
 * 14 days: in both directions, or in neither.
 */
function newestRows(columns: Columns, { base, quotes }: Selection, asOf: number): PlainRows {
  const baseColumn = columns.byQuote.get(base);
  const newest = lastUpTo(columns.days, asOf);
  if (!baseColumn || newest < 0) return NO_ROWS;
  const oldest = asOf - WINDOW_DAYS;
  const newestOfBase = lastRated(columns, baseColumn, newest, oldest);
  if (newestOfBase < 0) return NO_ROWS;
  const wanted = wantedOf(columns, quotes);
  const baseIndex = wanted.columns.indexOf(baseColumn);
  const divisors = new Map<number, number>();
  const divisorAt = (dayIndex: number): number => {
    const known = divisors.get(dayIndex) ?? carriedAt(columns, baseColumn, dayIndex);
    divisors.set(dayIndex, known);
    return known;
  };
  const atNewest = divisorAt(newest);
  // The last day on which the quote has a rate and the base a carried one. The row of the base itself needs only the
  // latter.
  const newestIndexOf = (column: Column): number => {
    for (let dayIndex = newest; dayIndex >= 0; dayIndex--) {
      if (column !== baseColumn) dayIndex = lastRated(columns, column, dayIndex, oldest);
      if (dayIndex < 0 || (columns.days[dayIndex] ?? 0) < oldest) break;
      if (!Number.isNaN(dayIndex === newest ? atNewest : divisorAt(dayIndex))) return dayIndex;
    }
    return lastRated(columns, column, newest, oldest) < 0 ? -1 : newestOfBase;
  };
  const indices = wanted.columns.map(newestIndexOf);
  const distinct = [...new Set(indices)]
    .filter((dayIndex) => dayIndex >= 0)
    .sort((one, other) => one - other);
  const rates = new Float64Array(indices.length);
  let next = 0;
  return {
    quotes: wanted.quotes,
    maxRows: wanted.quotes.length,
    draw(take, count) {
      for (let left = count; next < distinct.length && left > 0; next++) {
        const dayIndex = distinct[next] ?? 0;
        const divisor = divisorAt(dayIndex);
        fillAt(rates, wanted.columns, dayIndex, divisor);
        if (baseIndex >= 0) rates[baseIndex] = 1;
        wanted.columns.forEach((column, index) => {
          if (indices[index] !== dayIndex) rates[index] = Number.NaN;
          else if (Number.isNaN(rates[index])) rates[index] = carriedAt(columns, column, dayIndex) / divisor;
        });
        take(columns.days[dayIndex] ?? 0, rates);
        left -= rates.length;
      }
      return next < distinct.length;
    },
  };
}

/**
 * Every row from one day to another, both included, by date. Rates are divided by the carried rate of the base on each
 * day, or, without `carry`, by its rate of the same day, week or month.
 */
export function rowsBetween(
  columns: Columns,
  { base, quotes }: Selection,
  { from, to, carry = true }: { from: number; to: number; carry?: boolean },
): PlainRows {
  const baseColumn = columns.byQuote.get(base);
  if (!baseColumn) return NO_ROWS;
  const wanted = wantedOf(columns, quotes);
  const baseIndex = wanted.columns.indexOf(baseColumn);
  const rates = new Float64Array(wanted.columns.length);
  const end = firstFrom(columns.days, to + 1);
  let dayIndex = firstFrom(columns.days, from);
  return {
    quotes: wanted.quotes,
    maxRows: Math.max(0, end - dayIndex) * wanted.quotes.length,
    draw(take, count) {
      for (let left = count; dayIndex < end && left > 0; dayIndex++) {
        const divisor = carry ? carriedAt(columns, baseColumn, dayIndex) : rateAt(baseColumn, dayIndex);
        if (Number.isNaN(divisor)) continue;
        fillAt(rates, wanted.columns, dayIndex, divisor);
        if (baseIndex >= 0) rates[baseIndex] = 1;
        take(columns.days[dayIndex] ?? 0, rates);
        left -= rates.length;
      }
      return dayIndex < end;
    },
  };
}

function fillAt(rates: Float64Array, columns: readonly Column[], dayIndex: number, divisor: number): void {
  for (let index = 0; index < rates.length; index++) {
    const column = columns[index];
    if (column) rates[index] = rateAt(column, dayIndex) / divisor;
  }
}

/** The same rows as objects, by date. */
export function* byDate(plain: PlainRows): Generator<DatedRows> {
  let dated: DatedRows = { day: 0, rows: [] };
  const take: TakeRates = (day, rates) => {
    dated = { day, rows: rowsOf(plain.quotes, rates) };
  };
  for (let hasMore = true; hasMore; ) {
    hasMore = plain.draw(take, 1);
    if (dated.rows.length > 0) yield dated;
    dated = { day: 0, rows: [] };
  }
}

function rowsOf(quotes: readonly string[], rates: Float64Array): Row[] {
  const rows: Row[] = [];
  quotes.forEach((quote, index) => {
    const rate = rates[index] ?? Number.NaN;
    if (!Number.isNaN(rate)) rows.push(plainRow(quote, rate));
  });
  return rows;
}

/** The days of the requested rows. */
export type When =
  | { form: 'newest' }
  | { form: 'date'; day: number }
  | {
      form: 'range';
      from: number;
      to: number;
      period: Period;
    };

/** A request for rows. */
export interface RowsRequest extends Selection {
  /** The providers to blend; undefined for the blend of all, with pegs applied. */
  providers: readonly string[] | undefined;
  when: When;
}

/** Blended rates without their sources, in order. */
export interface RequestedPlainRows {
  rows: PlainRows;
  /** The approximate number of rows, to decide whether the body is streamed. */
  estimate: number;
  /** The day up to which the newest rates were looked for; undefined for a range and where there is no data. */
  asOf?: number | undefined;
}

/** Blended rates by day, week and month: of a snapshot, or of the blend of a subset. */
export interface PeriodColumns {
  readonly days: Columns;
  readonly weeks: Columns;
  readonly months: Columns;
}

/** Blended rates from the snapshot. `tomorrow` is a day number: rates dated later are not yet the newest ones. */
export function plainRows(
  columnsByPeriod: PeriodColumns,
  request: RowsRequest,
  tomorrow: number,
): RequestedPlainRows {
  const { when } = request;
  const columns = columnsFor(columnsByPeriod, request);
  if (when.form !== 'range') {
    const asOf = when.form === 'date' ? when.day : columns.days[lastUpTo(columns.days, tomorrow)];
    const rows = asOf === undefined ? NO_ROWS : newestRows(columns, request, asOf);
    return { rows, asOf, estimate: request.quotes?.length ?? columns.quotes.length };
  }
  const { from, to, period } = when;
  if (from > to) return { rows: NO_ROWS, estimate: 0 };
  const first = firstDayOf(period, from);
  const count = firstFrom(columns.days, to + 1) - firstFrom(columns.days, first);
  return {
    rows: rowsBetween(columns, request, { from: first, to, carry: period === 'day' }),
    estimate: count * (request.quotes?.length ?? columns.quotes.length),
  };
}

export function columnsFor(columnsByPeriod: PeriodColumns, { base, providers, when }: RowsRequest): Columns {
  if (when.form !== 'range' || when.period === 'day') {
    return providers ? columnsByPeriod.days : columnsForBase(columnsByPeriod.days, base);
  }
  return when.period === 'week' ? columnsByPeriod.weeks : columnsByPeriod.months;
}
