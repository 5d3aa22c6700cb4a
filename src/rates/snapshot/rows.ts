import {
  type Column,
  type Columns,
  carriedAt,
  columnsForBase,
  contiguous,
  firstFrom,
  lastRated,
  lastUpTo,
  rateAt,
} from '../../../core/columns/columns.js';
import { meansOf, meansWithoutPegs } from '../../../core/columns/means.js';
import { daysToPick, onOrBefore, type PickedDay } from '../../../core/domain/day-pick.js';
import type { FixedRates } from '../../../core/domain/fixed-rates.js';
import { inForce, isAnchor, pegOf } from '../../../core/domain/pegs.js';
import { EACH_DAY, type Grouping, type Periods, periodsOf } from '../../../core/domain/periods.js';
import type { ExactPairs, PlainRows, RowMarks, Selection } from './row.js';
import { withStats } from './stats.js';

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

/** Finds the newest and the first rows of pairs with one base. */
interface RowFinder {
  /** The rate of the base that is carried to the day of an index; NaN where there is none. */
  divisorOn(dayIndex: number): number;
  /** Whether a quote that has a rate on the day of index `newest` has its newest row there: see `indexOf`. */
  isRatedOn(newest: number, oldest: number): boolean;
  /**
   * Index of the day of a quote's newest row up to the day of index `newest`, but not before `oldest`, a day number;
   * -1 where there is none. It is the last day on which the quote has a rate and the base a carried one. Where the base
   * had none to be carried to that day, it is the base's newest day, with the carried rate of the quote. So a pair
   * has a row where both currencies have a rate in those days: in both directions, or in neither.
   */
  indexOf(column: Column, newest: number, oldest: number): number;
  /**
   * Index of the day of a quote's first row from one day to another (day numbers, both included); -1 where there is none.
   * It is the first on which `rowsBetween` has one.
   */
  firstIndexOf(column: Column, from: number, to: number): number;
  /** The rate of a quote on the day of such an index: of its own day, the same that `rowsBetween` gives for it. */
  rateOn(column: Column, dayIndex: number): number;
}

function createRowFinder(columns: Columns, baseColumn: Column): RowFinder {
  let lastIndex = -1;
  let lastDivisor = Number.NaN;
  const divisorOn = (dayIndex: number): number => {
    if (dayIndex !== lastIndex) {
      lastIndex = dayIndex;
      lastDivisor = carriedAt(columns, baseColumn, dayIndex);
    }
    return lastDivisor;
  };
  // The same for all quotes of a date.
  let ofBase = { newest: -1, oldest: 0, index: -1 };
  const newestIndexOfBase = (newest: number, oldest: number): number => {
    if (ofBase.newest !== newest || ofBase.oldest !== oldest) {
      ofBase = { newest, oldest, index: lastRated(columns, baseColumn, newest, oldest) };
    }
    return ofBase.index;
  };
  return {
    divisorOn,
    isRatedOn: (newest, oldest) =>
      (columns.days[newest] ?? Number.NEGATIVE_INFINITY) >= oldest &&
      newestIndexOfBase(newest, oldest) >= 0 &&
      !Number.isNaN(divisorOn(newest)),
    indexOf(column, newest, oldest) {
      const newestOfBase = newestIndexOfBase(newest, oldest);
      if (newestOfBase < 0) return -1;
      for (let dayIndex = newest; dayIndex >= 0; dayIndex--) {
        // The row of the base itself needs only a carried rate of it.
        if (column !== baseColumn) dayIndex = lastRated(columns, column, dayIndex, oldest);
        if (dayIndex < 0 || (columns.days[dayIndex] ?? 0) < oldest) break;
        if (!Number.isNaN(divisorOn(dayIndex))) return dayIndex;
      }
      return lastRated(columns, column, newest, oldest) < 0 ? -1 : newestOfBase;
    },
    firstIndexOf(column, from, to) {
      const end = firstFrom(columns.days, to + 1);
      for (let dayIndex = firstFrom(columns.days, from); dayIndex < end; dayIndex++) {
        const isRated = column === baseColumn || !Number.isNaN(rateAt(column, dayIndex));
        if (isRated && !Number.isNaN(divisorOn(dayIndex))) return dayIndex;
      }
      return -1;
    },
    rateOn(column, dayIndex) {
      if (column === baseColumn) return 1;
      const rate = rateAt(column, dayIndex);
      return (Number.isNaN(rate) ? carriedAt(columns, column, dayIndex) : rate) / divisorOn(dayIndex);
    },
  };
}

/** The row of a pair that is meant by a day: its date as a day number, and its rate. */
export interface PairRate {
  day: number;
  rate: number;
  /** The fixed rates that it follows from, where a currency of the pair has ended. */
  fixed?: FixedRates;
}

/**
 * For one base, looks up the rows of pairs that are meant by a day: the same rates as in `pickedRows`. For many lookups, as
 * it has no rows to prepare.
 */
export function createPairRates(
  columns: Columns,
  base: string,
  exact: ExactPairs | undefined,
): (quote: string, picked: PickedDay) => PairRate | undefined {
  const baseColumn = columns.byQuote.get(base);
  if (!baseColumn) return () => undefined;
  const finder = createRowFinder(columns, baseColumn);
  return (quote, picked) => {
    const column = columns.byQuote.get(quote);
    const { from, to } = daysToPick(picked);
    const indexOf = (column: Column) =>
      picked.pick === 'next'
        ? finder.firstIndexOf(column, from, to)
        : finder.indexOf(column, lastUpTo(columns.days, to), from);
    const dayIndex = column ? indexOf(column) : -1;
    if (!column || dayIndex < 0) return undefined;
    const rate = finder.rateOn(column, dayIndex);
    return { day: columns.days[dayIndex] ?? 0, rate: exact?.(quote)?.(rate, dayIndex) ?? rate };
  };
}

/** For each quote the row that is meant by a day, by date. */
function pickedRows(columns: Columns, { base, quotes, exact }: Selection, picked: PickedDay): PlainRows {
  const baseColumn = columns.byQuote.get(base);
  const { from: oldest, to } = daysToPick(picked);
  const newest = lastUpTo(columns.days, to);
  if (!baseColumn || newest < 0) return NO_ROWS;
  const wanted = wantedOf(columns, quotes);
  const finder = createRowFinder(columns, baseColumn);
  const isFirst = picked.pick === 'next';
  const isCurrent = !isFirst && finder.isRatedOn(newest, oldest);
  const indices = new Int32Array(wanted.columns.length);
  for (let index = 0; index < indices.length; index++) {
    const column = wanted.columns[index];
    if (!column) continue;
    // Most quotes have a rate on the newest day: the others are looked for.
    const isNewest = isCurrent && !Number.isNaN(rateAt(column, newest));
    if (isFirst) indices[index] = finder.firstIndexOf(column, oldest, to);
    else indices[index] = isNewest ? newest : finder.indexOf(column, newest, oldest);
  }
  // Nearly always one day, and fifteen at most.
  const distinct: number[] = [];
  for (const dayIndex of indices) {
    if (dayIndex >= 0 && !distinct.includes(dayIndex)) distinct.push(dayIndex);
  }
  distinct.sort((one, other) => one - other);
  const rates = new Float64Array(indices.length);
  const setExact = createExactRates(wanted, exact);
  let next = 0;
  return {
    quotes: wanted.quotes,
    maxRows: wanted.quotes.length,
    draw(take, count) {
      for (let left = count; next < distinct.length && left > 0; next++) {
        const dayIndex = distinct[next] ?? 0;
        rates.fill(Number.NaN);
        for (let index = 0; index < rates.length; index++) {
          const column = wanted.columns[index];
          if (column && indices[index] === dayIndex) rates[index] = finder.rateOn(column, dayIndex);
        }
        take(columns.days[dayIndex] ?? 0, rates, setExact?.(rates, dayIndex));
        left -= rates.length;
      }
      return next < distinct.length;
    },
  };
}

/**
 * A row for every calendar day from one to another, both included, and every quote that has a row in the `fillDays` up
 * to that day: its newest, with the day itself as its date and its own date as `observed`.
 */
function filledRows(
  columns: Columns,
  { base, quotes, exact }: Selection,
  range: { from: number; to: number; fillDays: number },
): PlainRows {
  const baseColumn = columns.byQuote.get(base);
  const wanted = wantedOf(columns, quotes);
  if (!baseColumn || wanted.columns.length === 0) return NO_ROWS;
  const { fillDays } = range;
  // Before the first day, and after the last one is no longer carried, there are no rows to look for.
  const from = Math.max(range.from, columns.days[0] ?? range.from);
  const to = Math.min(range.to, (columns.days.at(-1) ?? range.to) + fillDays);
  const baseIndex = wanted.columns.indexOf(baseColumn);
  const finder = createRowFinder(columns, baseColumn);
  const rates = new Float64Array(wanted.columns.length);
  const indices = new Int32Array(wanted.columns.length);
  const observed = new Int32Array(wanted.columns.length);
  const setExact = createExactRates(wanted, exact);
  const marks = { observed };
  let day = from;
  let newest = -1;
  let divisor = Number.NaN;
  // The newest day on which there may be a row, and the base's own up to it.
  let newestDay = Number.NaN;
  let dayOfBase = Number.NaN;
  const goTo = (index: number) => {
    newest = index;
    newestDay = columns.days[index] ?? Number.NaN;
    divisor = index < 0 ? Number.NaN : carriedAt(columns, baseColumn, index);
    dayOfBase = columns.days[lastRated(columns, baseColumn, index, day - fillDays)] ?? Number.NaN;
  };
  goTo(lastUpTo(columns.days, day));
  return {
    quotes: wanted.quotes,
    maxRows: Math.max(0, to - from + 1) * wanted.quotes.length,
    draw(take, count) {
      for (let left = count; day <= to && left > 0; day++) {
        if (columns.days[newest + 1] === day) goTo(newest + 1);
        const oldest = day - fillDays;
        const isRated = newestDay >= oldest && dayOfBase >= oldest;
        for (let index = 0; index < rates.length; index++) {
          const column = wanted.columns[index];
          if (!column) continue;
          // Nearly all quotes have a rate on the newest day: the others are looked for.
          const rate = isRated ? rateAt(column, newest) / divisor : Number.NaN;
          const isNewest = !Number.isNaN(rate);
          const dayIndex = isNewest ? newest : finder.indexOf(column, newest, oldest);
          indices[index] = dayIndex;
          rates[index] = isNewest ? rate : dayIndex < 0 ? Number.NaN : finder.rateOn(column, dayIndex);
          observed[index] = isNewest ? newestDay : (columns.days[dayIndex] ?? 0);
        }
        if (baseIndex >= 0 && !Number.isNaN(rates[baseIndex])) {
          rates[baseIndex] = 1;
          observed[baseIndex] = day;
        }
        take(day, rates, setExact ? { ...setExact(rates, indices), observed } : marks);
        left -= rates.length;
      }
      return day <= to;
    },
  };
}

/**
 * Every row from one day to another, both included, by date. Rates are divided by the carried rate of the base on each
 * day, or, without `carry`, by its rate of the same day, week or month.
 */
export function rowsBetween(
  columns: Columns,
  { base, quotes, exact }: Selection,
  { from, to, carry = true }: { from: number; to: number; carry?: boolean },
): PlainRows {
  const baseColumn = columns.byQuote.get(base);
  const wanted = wantedOf(columns, quotes);
  if (!baseColumn || wanted.columns.length === 0) return NO_ROWS;
  const baseIndex = wanted.columns.indexOf(baseColumn);
  const rates = new Float64Array(wanted.columns.length);
  const setExact = createExactRates(wanted, exact);
  const end = firstFrom(columns.days, to + 1);
  let next = firstFrom(columns.days, from);
  return {
    quotes: wanted.quotes,
    maxRows: Math.max(0, end - next) * wanted.quotes.length,
    draw(take, count) {
      let dayIndex = next;
      for (let left = count; dayIndex < end && left > 0; dayIndex++) {
        const divisor = carry ? carriedAt(columns, baseColumn, dayIndex) : rateAt(baseColumn, dayIndex);
        if (Number.isNaN(divisor)) continue;
        fillAt(rates, wanted.columns, dayIndex, divisor);
        if (baseIndex >= 0) rates[baseIndex] = 1;
        take(columns.days[dayIndex] ?? 0, rates, setExact?.(rates, dayIndex));
        left -= rates.length;
      }
      next = dayIndex;
      return next < end;
    },
  };
}

function fillAt(rates: Float64Array, columns: readonly Column[], dayIndex: number, divisor: number): void {
  for (let index = 0; index < rates.length; index++) {
    const column = columns[index];
    if (column) rates[index] = rateAt(column, dayIndex) / divisor;
  }
}

/**
 * Sets the rates of a date that have digits of their own to these, and marks them, given the index of the day of
 * all, or of each. Undefined where no quote can have any, so that most rows are written without looking at marks.
 */
function createExactRates(
  { quotes }: Wanted,
  exact: ExactPairs | undefined,
): ((rates: Float64Array, dayIndices: number | Int32Array) => RowMarks) | undefined {
  const pairs = exact ? quotes.map(exact) : [];
  if (!pairs.some((pair) => pair !== undefined)) return undefined;
  const marks = { exact: new Uint8Array(quotes.length) };
  return (rates, dayIndices) => {
    for (let index = 0; index < pairs.length; index++) {
      const dayIndex = typeof dayIndices === 'number' ? dayIndices : (dayIndices[index] ?? 0);
      const digits = pairs[index]?.(rates[index] ?? Number.NaN, dayIndex);
      marks.exact[index] = digits === undefined ? 0 : 1;
      if (digits !== undefined) rates[index] = digits;
    }
    return marks;
  };
}

/**
 * The currencies pegged to a base, in the digits of their pegs; undefined where there are none. `days` are the first days
 * of the periods that rates are of, and all days of a period must be in the peg. On a day without a rate of the base of its
 * own, the ratio of the stored rates would differ from the peg, by what the base's last rate differs from its blend as of
 * that day.
 */
export function pegsOn(
  base: string,
  days: Int32Array,
  { lastDayOf }: Periods = EACH_DAY,
): ExactPairs | undefined {
  if (!isAnchor(base)) return undefined;
  return (quote) => {
    const peg = pegOf(quote);
    if (peg?.base !== base) return undefined;
    const isInForce = inForce(peg);
    return (rate, dayIndex) => {
      const day = days[dayIndex] ?? Number.NaN;
      return !Number.isNaN(rate) && isInForce(day, lastDayOf(day)) ? peg.rate : undefined;
    };
  };
}

/** The days of the requested rows. */
export type DateSelection =
  | { form: 'newest' }
  | ({ form: 'date' } & PickedDay)
  | {
      form: 'range';
      from: number;
      to: number;
      period: Grouping;
      /** With days: a row for each day, with values of up to so many days before; absent: only published ones. */
      fillDays?: number;
      /** With longer periods: rows have the statistics of their daily rows, which are shown with this precision. */
      stats?: 'display' | 'full';
    };

/** A request for rows. */
export interface RowsRequest extends Selection {
  /** The providers to blend; undefined for the blend of all, with pegs applied. */
  providers: readonly string[] | undefined;
  when: DateSelection;
}

/** Blended rates without their sources, in order. */
export interface RequestedPlainRows {
  rows: PlainRows;
  /** The approximate number of rows, to decide whether the body is streamed. */
  estimate: number;
  /** The day up to which the newest rates were looked for; undefined for a range and where there is no data. */
  asOf?: number | undefined;
}

/** Blended rates by day, and where they are at hand by week and month. */
export interface PeriodColumns {
  readonly days: Columns;
  readonly weeks?: Columns;
  readonly months?: Columns;
}

/** Blended rates from the snapshot. `tomorrow` is a day number: rates dated later are not yet the newest ones. */
export function plainRows(
  columnsByPeriod: PeriodColumns,
  request: RowsRequest,
  tomorrow: number,
): RequestedPlainRows {
  const { base, quotes, when } = request;
  if (when.form !== 'range') {
    const columns = columnsFor(columnsByPeriod, request);
    const exact = exactFor(request, columns, EACH_DAY);
    // Those of a retired base end before the newest day.
    const { days } = columnsByPeriod.days;
    const newest = days[lastUpTo(days, tomorrow)];
    const picked = when.form === 'date' ? when : newest === undefined ? undefined : onOrBefore(newest);
    const rows = picked ? pickedRows(columns, { base, quotes, exact }, picked) : NO_ROWS;
    return { rows, asOf: picked?.day, estimate: quotes?.length ?? columns.quotes.length };
  }
  return rangeRows(columnsByPeriod, request, when, tomorrow);
}

/** The periods of the requested rows: days where they are not grouped. */
export function periodsFor(when: DateSelection): Periods {
  return when.form === 'range' ? periodsOf(when.period, when) : EACH_DAY;
}

/** The digits of the request's pairs; for the blend of all those of pegs. */
function exactFor(
  { providers, base, exact }: RowsRequest,
  { days }: Columns,
  periods: Periods,
): ExactPairs | undefined {
  return providers ? exact : pegsOn(base, days, periods);
}

type Range = Extract<DateSelection, { form: 'range' }>;

// More quotes, or fewer days, are read as fast from the matrix.
const FEW_QUOTES = 8;
const MANY_DAYS = 60;

function rangeRows(
  columnsByPeriod: PeriodColumns,
  request: RowsRequest,
  when: Range,
  tomorrow: number,
): RequestedPlainRows {
  const { from, to, period, fillDays, stats } = when;
  if (from > to) return { rows: NO_ROWS, estimate: 0 };
  const { base, quotes } = request;
  const columns = readable(columnsFor(columnsByPeriod, request), request, when);
  const periods = periodsFor(when);
  const exact = exactFor(request, columns, periods);
  const width = quotes?.length ?? columns.quotes.length;
  if (fillDays !== undefined) {
    const last = Math.min(to, tomorrow);
    const rows = filledRows(columns, { base, quotes, exact }, { from, to: last, fillDays });
    return { rows, estimate: Math.max(0, last - from + 1) * width };
  }
  const first = periods.firstDayOf(from);
  const rows = rowsBetween(columns, { base, quotes, exact }, { from: first, to, carry: period === 'day' });
  const count = firstFrom(columns.days, to + 1) - firstFrom(columns.days, first);
  const estimate = count * width;
  if (stats === undefined || period === 'day') return { rows, estimate };
  const daily = readable(
    columnsFor(columnsByPeriod, { ...request, when: { ...when, period: 'day' } }),
    request,
    when,
  );
  const ofDays = { columns: daily, base, exact: exactFor(request, daily, EACH_DAY), from, to };
  return { rows: withStats(rows, ofDays, { periods, precision: stats }), estimate };
}

/** The columns, or those of the request's currencies in the form that is faster to read over many days. */
function readable(columns: Columns, { base, quotes }: RowsRequest, { from, to }: Range): Columns {
  const isLong = quotes && quotes.length <= FEW_QUOTES && to - from >= MANY_DAYS;
  return isLong ? contiguous(columns, [...quotes, base]) : columns;
}

/** The columns that the rows of a request are read from. Means that are not at hand are computed for the request. */
export function columnsFor(columnsByPeriod: PeriodColumns, request: RowsRequest): Columns {
  const { base, providers, when } = request;
  const columns = columnsByPeriodFor(columnsByPeriod, request);
  return providers ? columns : columnsForBase(columns, base, periodsFor(when));
}

function columnsByPeriodFor(
  { days, weeks, months }: PeriodColumns,
  { base, quotes, providers, when }: RowsRequest,
): Columns {
  if (when.form !== 'range' || when.period === 'day') return days;
  if (when.period === 'week' && weeks) return weeks;
  if (when.period === 'month' && months) return months;
  return (providers ? meansWithoutPegs : meansOf)(days, when.period, when, quotes && [...quotes, base]);
}
