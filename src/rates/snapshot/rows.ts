import { type Columns, firstFrom, lastDayUpTo, lastUpTo } from '../../../core/columns/columns.js';
import { type BlendedPeriods, meansOf, meansWithoutPegs } from '../../../core/columns/means.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import {
  type DayWindow,
  EACH_DAY,
  type Grouping,
  LAST_DAY,
  type Periods,
  periodsOf,
} from '../../../core/domain/dates.js';
import { daysToPick, onOrBefore, type PickedDay } from '../../../core/domain/day-pick.js';
import { type FixedRates, inForce, isAnchor, pegOf } from '../../../core/domain/pegs.js';
import {
  createRowAsOf,
  type Pair,
  type PairRow,
  type Pairs,
  pairAt,
  pairOf,
  pairsOf,
  rowIn,
  setRatesAt,
} from './pair.js';
import { withStats } from './period-rows.js';
import { type OwnPairs, PlainRows, type RateRows, type RatesOfDate, type Selection } from './row.js';

const NO_ROWS = new PlainRows([], () => undefined);

/** The picked row of a pair: its date as a day number, and its rate. */
export interface PairRate {
  day: number;
  rate: number;
  fixed?: FixedRates;
}

/** Looks up the rows of `pickedRows` of a base one by one. It suits many look-ups, as it prepares no rows. */
export function createPairRates(
  columns: Columns,
  base: string,
  own: OwnPairs | undefined,
): (quote: string, picked: PickedDay) => PairRate | undefined {
  const pairs = new Map<string, Pair | undefined>();
  return (quote, picked) => {
    if (!pairs.has(quote)) pairs.set(quote, pairOf(columns, { base, quote, own }));
    const pair = pairs.get(quote);
    const row = pair && createPickRow(pair, picked)(pair);
    return row && { day: columns.days[row.dayIndex] ?? 0, rate: row.rate };
  };
}

function createPickRow(pairs: Pick<Pair, 'days' | 'base'>, picked: PickedDay) {
  const window = daysToPick(picked);
  if (picked.pick === 'next') return (pair: Pair) => rowIn(pair, window, 1);
  return createRowAsOf(pairs, lastUpTo(pairs.days, window.to), window.from);
}

function pickedRows(columns: Columns, selection: Selection, picked: PickedDay): PlainRows {
  const pairs = pairsOf(columns, selection);
  if (!pairs) return NO_ROWS;
  const found = findRows(pairs, createPickRow(pairs, picked));
  // Nearly always one day, and fifteen at most.
  const distinct = [...new Set(found.indices)].filter((dayIndex) => dayIndex >= 0);
  if (distinct.length === 0) return NO_ROWS;
  distinct.sort((one, other) => one - other);
  const date = createDate(pairs);
  const { rates } = date;
  let next = 0;
  return new PlainRows(pairs.quotes, () => {
    const dayIndex = distinct[next++];
    if (dayIndex === undefined) return undefined;
    for (let index = 0; index < rates.length; index++)
      rates[index] = found.indices[index] === dayIndex ? (found.rates[index] ?? Number.NaN) : Number.NaN;
    markExact(pairs, date, dayIndex);
    date.day = columns.days[dayIndex] ?? 0;
    return date;
  });
}

/** For each day of a range, the newest row in the `fillDays` up to it, with its own date as `observed`. */
function filledRows(
  columns: Columns,
  selection: Selection,
  range: DayWindow & { fillDays: number },
): PlainRows {
  const pairs = pairsOf(columns, selection);
  if (!pairs) return NO_ROWS;
  const { quotes, baseIndex } = pairs;
  const { days } = columns;
  const { fillDays } = range;
  // No rows exist before the first day, nor after the last one is no longer carried.
  const from = Math.max(range.from, days[0] ?? range.from);
  const to = Math.min(range.to, (days.at(-1) ?? range.to) + fillDays);
  const observed = new Int32Array(quotes.length);
  const created = createDate(pairs);
  const date: RatesOfDate = { ...created, marks: { ...created.marks, observed } };
  const { rates } = date;
  const newestOn = (asOf: number) => createRowAsOf(pairs, asOf, (days[asOf] ?? from) - fillDays);
  let day = from;
  let next = firstFrom(days, from + 1);
  const newest = findRows(pairs, newestOn(next - 1));
  return new PlainRows(quotes, () => {
    if (day > to) return undefined;
    if (days[next] === day) findRows(pairs, newestOn(next++), newest);
    for (let index = 0; index < rates.length; index++) {
      const ownDay = days[newest.indices[index] ?? -1] ?? Number.NEGATIVE_INFINITY;
      rates[index] = ownDay >= day - fillDays ? (newest.rates[index] ?? Number.NaN) : Number.NaN;
      observed[index] = index === baseIndex ? day : ownDay;
    }
    markExact(pairs, date, newest.indices);
    date.day = day++;
    return date;
  });
}

/** Finds a row of each pair: the index of its day, -1 if there is none, and its rate. Writes into arrays found before. */
function findRows(
  pairs: Pairs,
  rowOf: (pair: Pair) => PairRow | undefined,
  { indices, rates } = {
    indices: new Int32Array(pairs.quotes.length),
    rates: new Float64Array(pairs.quotes.length),
  },
) {
  for (let index = 0; index < indices.length; index++) {
    const row = rowOf(pairAt(pairs, index));
    indices[index] = row?.dayIndex ?? -1;
    rates[index] = row?.rate ?? Number.NaN;
  }
  return { indices, rates };
}

/** All rows of a window by date. Nothing is carried between weeks and months, dated by their first days. */
export function rowsBetween(
  columns: Columns,
  selection: Selection,
  { from, to }: DayWindow,
  carriedDays = WINDOW_DAYS,
): PlainRows {
  const pairs = pairsOf(columns, selection, carriedDays);
  if (!pairs) return NO_ROWS;
  const { days } = columns;
  const date = createDate(pairs);
  const end = firstFrom(days, to + 1);
  let next = firstFrom(days, from);
  return new PlainRows(pairs.quotes, () => {
    while (next < end && !setRatesAt(pairs, next, date.rates)) next++;
    if (next >= end) return undefined;
    markExact(pairs, date, next);
    date.day = days[next++] ?? 0;
    return date;
  });
}

/** Marks are left out if no pair can have exact rates, so that most rows are written without reading them. */
function createDate({ own, quotes: { length } }: Pairs): RatesOfDate {
  const marks = own.size > 0 ? { exact: new Uint8Array(length) } : undefined;
  return { day: 0, rates: new Float64Array(length), marks };
}

/** Marks the rates that are shown without rounding, given the index of the day of all rows or of each. */
function markExact({ own }: Pairs, { marks }: RatesOfDate, dayIndices: number | Int32Array): void {
  if (!marks?.exact) return;
  for (const [index, { isExactOn }] of own) {
    const dayIndex = typeof dayIndices === 'number' ? dayIndices : (dayIndices[index] ?? -1);
    marks.exact[index] = isExactOn(dayIndex) ? 1 : 0;
  }
}

/** Returns the pegs of a base that are in force on all days of a period. `days` are the first days of the periods. */
export function pegsOn(
  base: string,
  days: Int32Array,
  { lastDayOf }: Periods = EACH_DAY,
): OwnPairs | undefined {
  const ofBase = pegOf(base);
  if (!isAnchor(base) && !ofBase) return undefined;
  return (quote) => {
    const isInverse = quote === ofBase?.base;
    const peg = isInverse ? ofBase : pegOf(quote);
    if (!peg || (!isInverse && peg.base !== base)) return undefined;
    const isInForce = inForce(peg);
    const isPegged = (dayIndex: number): boolean => {
      const day = days[dayIndex] ?? Number.NaN;
      return isInForce(day, lastDayOf(day));
    };
    const rate = isInverse ? 1 / peg.rate : peg.rate;
    return {
      isExactOn: (dayIndex) => !isInverse && isPegged(dayIndex),
      rateOn: (ratio, dayIndex) => (!Number.isNaN(ratio) && isPegged(dayIndex) ? rate : ratio),
    };
  };
}

/** A range of days (day numbers, both included). */
export interface Range extends DayWindow {
  readonly form: 'range';
  readonly period: Grouping;
  /** With days: fills a row for each day with values of up to this many days before. If absent, only published values count. */
  readonly fillDays?: number;
  /** With longer periods: adds the statistics of their daily rows, which are shown with this precision. */
  readonly stats?: 'display' | 'full';
}

export type DateSelection = { form: 'newest' } | ({ form: 'date' } & PickedDay) | Range;

/** Returns the day by which rows are picked: the requested one, or that of the newest rates, if there are any. */
export function pickedBy(when: DateSelection, newest: number | undefined): PickedDay | undefined {
  if (when.form === 'date') return when;
  return newest === undefined ? undefined : onOrBefore(newest);
}

/** The newest day with rates, or the last requested day if that is earlier. Undefined without rates, and for a range. */
export function asOfDay(when: DateSelection, newest: number | undefined): number | undefined {
  if (newest === undefined || when.form === 'range') return undefined;
  return when.form === 'newest' ? newest : Math.min(newest, daysToPick(when).to);
}

/** The days of the rows, 14 days before, which are carried, and 14 after, which decide where a pair has a row. */
export function daysNeeded(when: DateSelection, newest: number | undefined): DayWindow | undefined {
  if (when.form === 'range') {
    const { from, to, period, fillDays = 0 } = when;
    const { firstDayOf, lastDayOf } = periodsOf(period, when);
    return withCarried({ from: firstDayOf(from) - fillDays, to: lastDayOf(to) });
  }
  const picked = pickedBy(when, newest);
  return picked && withCarried(daysToPick(picked));
}

/** Extends a window by the other days on which its rows of pairs depend: see `pair.ts`. */
export function withCarried({ from, to }: DayWindow): DayWindow {
  return { from: from - WINDOW_DAYS, to: Math.min(LAST_DAY, to + WINDOW_DAYS) };
}

/** The days whose raw rows contribute to the blends of a window: the rates of providers are carried for 14 days. */
export function rawDaysNeeded({ from, to }: DayWindow): DayWindow {
  return { from: from - WINDOW_DAYS, to };
}

export interface RowsRequest extends Selection {
  /** The providers to blend; undefined for the blend of all, with pegs applied. */
  providers: readonly string[] | undefined;
  when: DateSelection;
}

/** Blended rates by day, and by week and month if these are in memory. */
export type PeriodColumns = Pick<BlendedPeriods, 'days'> & Partial<BlendedPeriods>;

/** Rates dated from `tomorrow` (day number) are not the newest yet. Columns of one base need `allDays`, ascending. */
export function plainRows(
  columnsByPeriod: PeriodColumns & { allDays?: Int32Array },
  request: RowsRequest,
  tomorrow: number,
): RateRows<PlainRows> {
  const { base, quotes, when } = request;
  if (when.form === 'range') return rangeRows(columnsByPeriod, request, when, tomorrow);
  const { days, allDays = days.days } = columnsByPeriod;
  const newest = lastDayUpTo(allDays, tomorrow);
  const picked = pickedBy(when, newest);
  const own = ownFor(request, days, EACH_DAY);
  const rows = picked ? pickedRows(days, { base, quotes, own }, picked) : NO_ROWS;
  return { rows, newest, estimate: quotes?.length ?? days.quotes.length };
}

function ownFor({ providers, base, own }: RowsRequest, { days }: Columns, periods: Periods) {
  return providers ? own : pegsOn(base, days, periods);
}

function rangeRows(
  columnsByPeriod: PeriodColumns,
  request: RowsRequest,
  when: Range,
  tomorrow: number,
): RateRows<PlainRows> {
  const { from, to, period, fillDays } = when;
  if (from > to) return { rows: NO_ROWS, estimate: 0 };
  const { base, quotes } = request;
  const columns = columnsFor(columnsByPeriod, request);
  const periods = periodsOf(period, when);
  const selection = { base, quotes, own: ownFor(request, columns, periods) };
  const width = quotes?.length ?? columns.quotes.length;
  if (fillDays !== undefined) {
    const last = Math.min(to, tomorrow);
    const rows = filledRows(columns, selection, { from, to: last, fillDays });
    return { rows, estimate: Math.max(0, last - from + 1) * width };
  }
  const first = periods.firstDayOf(from);
  const carriedDays = period === 'day' ? WINDOW_DAYS : 0;
  const rows = rowsBetween(columns, selection, { from: first, to }, carriedDays);
  const estimate = (firstFrom(columns.days, to + 1) - firstFrom(columns.days, first)) * width;
  if (when.stats === undefined || period === 'day') return { rows, estimate };
  const byDay = { ...request, when: { ...when, period: 'day' } as const };
  return { rows: withStats(rows, plainRows(columnsByPeriod, byDay, tomorrow).rows, when), estimate };
}

/** Returns the columns for the rows of a request. Means that are not in memory are computed for the request. */
export function columnsFor(
  { days, weeks, months }: PeriodColumns,
  { base, quotes, providers, when }: RowsRequest,
): Columns {
  if (when.form !== 'range' || when.period === 'day') return days;
  if (when.period === 'week' && weeks) return weeks;
  if (when.period === 'month' && months) return months;
  return (providers ? meansWithoutPegs : meansOf)(days, when.period, when, quotes && [...quotes, base]);
}
