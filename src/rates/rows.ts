import { WINDOW_DAYS } from '../../core/blend/carry-forward.js';
import { type Column, type Columns, firstFrom, lastUpTo } from './columns.js';

/** The rows of one date, by quote. */
export interface DatedRows {
  /** Days since 1970-01-01; of a week or month, its first. */
  readonly day: number;
  readonly rows: readonly Row[];
}

/** One unit of the base that was asked for costs `rate` units of `quote`. */
export interface Row {
  readonly quote: string;
  /** Not rounded yet. */
  readonly rate: number;
  /** Whether `rate` is a source's own digits, which are shown as they are. */
  readonly published: boolean;
  /** Where the rate comes from; undefined where that isn't asked for or there is nothing to say. */
  readonly sources: readonly RowSource[] | undefined;
}

/** One provider's share in a row, in units of the row's quote per unit of its base. */
export interface RowSource {
  readonly key: string;
  readonly day: number;
  readonly rate: number;
  readonly published: boolean;
  readonly excluded: boolean;
}

/** Which rows of a frame are wanted. */
export interface Selection {
  base: string;
  /** Sorted and without repetition; undefined for all. */
  quotes: readonly string[] | undefined;
}

/** A row without anything said about its sources. */
export function plainRow(quote: string, rate: number): Row {
  return { quote, rate, published: false, sources: undefined };
}

/**
 * For each quote its newest row in the 14 days up to a day, by date. Each has the value that its own day has, so
 * that it agrees with what `rowsBetween` yields there.
 */
export function newestRows(columns: Columns, { base, quotes }: Selection, asOf: number): DatedRows[] {
  const baseColumn = columns.byQuote.get(base);
  if (!baseColumn) return [];
  const oldest = asOf - WINDOW_DAYS;
  const byOffset: Row[][] = [];
  // Nearly all quotes have their newest row on the same day.
  let dayThere = Number.NaN;
  let divisor: number | undefined;
  for (const quote of quotes ?? columns.quotes) {
    const column = columns.byQuote.get(quote);
    if (!column) continue;
    const isBase = quote === base;
    const days = isBase ? columns.days : column.days;
    for (let index = lastUpTo(days, asOf); index >= 0; index--) {
      const day = days[index] ?? 0;
      if (day < oldest) break;
      if (day !== dayThere) divisor = carried(baseColumn, day);
      dayThere = day;
      if (divisor === undefined) continue;
      const row = plainRow(quote, isBase ? 1 : (column.rates[index] ?? 0) / divisor);
      const rows = byOffset[day - oldest];
      if (rows) rows.push(row);
      else byOffset[day - oldest] = [row];
      break;
    }
  }
  const dated: DatedRows[] = [];
  byOffset.forEach((rows, offset) => {
    dated.push({ day: oldest + offset, rows });
  });
  return dated;
}

/** What is carried of a column on a day: its newest rate in the 14 days up to it. */
export function carried(column: Column, day: number): number | undefined {
  const index = lastUpTo(column.days, day);
  return index >= 0 && (column.days[index] ?? 0) >= day - WINDOW_DAYS ? column.rates[index] : undefined;
}

/** Takes one row: on a day, one unit of the base that was asked for costs `rate` units of `quote`, not rounded yet. */
export type TakeRow = (day: number, quote: string, rate: number) => void;

/** The plain rows of a range, drawn in portions and without an object for each: there may be a million. */
export interface PlainRows {
  /** Hands over the rows of further dates, by date and quote, until there were `count` or more; false at the end. */
  draw(take: TakeRow, count: number): boolean;
}

const NO_ROWS: PlainRows = { draw: () => false };

interface Cursor extends Column {
  readonly quote: string;
  next: number;
}

/**
 * Every row from one day to another, both included. The base counts as carried on each day, or, with `carry` off, as
 * it is in that very period.
 */
export function rowsBetween(
  columns: Columns,
  { base, quotes }: Selection,
  { from, to, carry = true }: { from: number; to: number; carry?: boolean },
): PlainRows {
  const baseColumn = columns.byQuote.get(base);
  if (!baseColumn) return NO_ROWS;
  const cursors = cursorsAt(columns, quotes, from);
  const reach = carry ? WINDOW_DAYS : 0;
  const end = firstFrom(columns.days, to + 1);
  let index = firstFrom(columns.days, from);
  let atBase = lastUpTo(baseColumn.days, from);
  return {
    draw(take, count) {
      let left = count;
      for (; index < end && left > 0; index++) {
        const day = columns.days[index] ?? 0;
        while ((baseColumn.days[atBase + 1] ?? Number.POSITIVE_INFINITY) <= day) atBase++;
        const hasBase = atBase >= 0 && (baseColumn.days[atBase] ?? 0) >= day - reach;
        const divisor = baseColumn.rates[atBase] ?? 1;
        for (const cursor of cursors) {
          const { quote, days, rates, next } = cursor;
          const isHere = days[next] === day;
          if (isHere) cursor.next++;
          if (!hasBase || (!isHere && quote !== base)) continue;
          take(day, quote, quote === base ? 1 : (rates[next] ?? 0) / divisor);
          left--;
        }
      }
      return index < end;
    },
  };
}

/** The same rows as objects, date by date. */
export function* byDate(plain: PlainRows): Generator<DatedRows> {
  let rows: Row[] = [];
  let dayHere = 0;
  const take: TakeRow = (day, quote, rate) => {
    dayHere = day;
    rows.push(plainRow(quote, rate));
  };
  for (let goesOn = true; goesOn; ) {
    goesOn = plain.draw(take, 1);
    if (rows.length > 0) yield { day: dayHere, rows };
    rows = [];
  }
}

function cursorsAt(columns: Columns, quotes: readonly string[] | undefined, from: number): Cursor[] {
  const cursors: Cursor[] = [];
  for (const quote of quotes ?? columns.quotes) {
    const column = columns.byQuote.get(quote);
    if (column) cursors.push({ ...column, quote, next: firstFrom(column.days, from) });
  }
  return cursors;
}
