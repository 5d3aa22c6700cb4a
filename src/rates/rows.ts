import { FRAME, WINDOW_DAYS } from '../../core/blend/carry-forward.js';
import { type Column, type Columns, carriedAt, firstFrom, lastRated, lastUpTo, rateAt } from './columns.js';

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
  const place = lastUpTo(columns.days, asOf);
  if (!baseColumn || place < 0) return [];
  const oldest = asOf - WINDOW_DAYS;
  const byOffset: Row[][] = [];
  // Nearly all quotes have their newest row on the same day.
  let placeThere = -1;
  let divisor = Number.NaN;
  for (const quote of quotes ?? columns.quotes) {
    const isBase = quote === base;
    const column = columns.byQuote.get(isBase ? FRAME : quote);
    if (!column) continue;
    for (let at = place; at >= 0; at--) {
      at = lastRated(columns, column, at, oldest);
      if (at < 0) break;
      if (at !== placeThere) divisor = carriedAt(columns, baseColumn, at);
      placeThere = at;
      if (Number.isNaN(divisor)) continue;
      const row = plainRow(quote, isBase ? 1 : rateAt(column, at) / divisor);
      const offset = (columns.days[at] ?? 0) - oldest;
      const rows = byOffset[offset];
      if (rows) rows.push(row);
      else byOffset[offset] = [row];
      break;
    }
  }
  const dated: DatedRows[] = [];
  byOffset.forEach((rows, offset) => {
    dated.push({ day: oldest + offset, rows });
  });
  return dated;
}

/** Takes one row: on a day, one unit of the base that was asked for costs `rate` units of `quote`, not rounded yet. */
export type TakeRow = (day: number, quote: string, rate: number) => void;

/** The plain rows of a range, drawn in portions and without an object for each: there may be a million. */
export interface PlainRows {
  /** Hands over the rows of further dates, by date and quote, until there were `count` or more; false at the end. */
  draw(take: TakeRow, count: number): boolean;
}

const NO_ROWS: PlainRows = { draw: () => false };

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
  const wanted: { quote: string; column: Column }[] = [];
  for (const quote of quotes ?? columns.quotes) {
    const column = columns.byQuote.get(quote);
    if (column) wanted.push({ quote, column });
  }
  const end = firstFrom(columns.days, to + 1);
  let place = firstFrom(columns.days, from);
  return {
    draw(take, count) {
      let left = count;
      for (; place < end && left > 0; place++) {
        const divisor = carry ? carriedAt(columns, baseColumn, place) : rateAt(baseColumn, place);
        if (Number.isNaN(divisor)) continue;
        const day = columns.days[place] ?? 0;
        for (const { quote, column } of wanted) {
          const rate = quote === base ? divisor : rateAt(column, place);
          if (Number.isNaN(rate)) continue;
          take(day, quote, rate / divisor);
          left--;
        }
      }
      return place < end;
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
