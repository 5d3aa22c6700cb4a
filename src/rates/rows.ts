import { WINDOW_DAYS } from '../../core/blend/carry-forward.js';
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

/** Takes one row: on a day, one unit of the base that was asked for costs `rate` units of `quote`, not rounded yet. */
export type TakeRow = (day: number, quote: string, rate: number) => void;

/** Plain rows, drawn in portions and without an object for each: there may be a million. */
export interface PlainRows {
  /** Hands over the rows of further dates, by date and quote, until there were `count` or more; false at the end. */
  draw(take: TakeRow, count: number): boolean;
}

export const NO_ROWS: PlainRows = { draw: () => false };

/** A quote that is wanted, with what is known of it. */
interface Wanted {
  quote: string;
  column: Column;
}

const everyQuote = new WeakMap<Columns, readonly Wanted[]>();

function wantedOf(columns: Columns, quotes: readonly string[] | undefined): readonly Wanted[] {
  if (quotes) return columnsFor(columns, quotes);
  const known = everyQuote.get(columns) ?? columnsFor(columns, columns.quotes);
  everyQuote.set(columns, known);
  return known;
}

function columnsFor({ byQuote }: Columns, quotes: readonly string[]): Wanted[] {
  const wanted: Wanted[] = [];
  for (const quote of quotes) {
    const column = byQuote.get(quote);
    if (column) wanted.push({ quote, column });
  }
  return wanted;
}

/**
 * For each quote its newest row in the 14 days up to a day, by date. Each has the value that its own day has, so
 * that it agrees with what `rowsBetween` yields there.
 */
export function newestRows(columns: Columns, { base, quotes }: Selection, asOf: number): PlainRows {
  const baseColumn = columns.byQuote.get(base);
  const newest = lastUpTo(columns.days, asOf);
  if (!baseColumn || newest < 0) return NO_ROWS;
  const oldest = asOf - WINDOW_DAYS;
  const wanted = wantedOf(columns, quotes);
  const divisors = new Map<number, number>();
  const divisorAt = (place: number): number => {
    const known = divisors.get(place) ?? carriedAt(columns, baseColumn, place);
    divisors.set(place, known);
    return known;
  };
  const atNewest = divisorAt(newest);
  // Of each quote the last place where it and the base have a rate; the base itself counts wherever it is carried.
  const placeOf = ({ quote, column }: Wanted): number => {
    for (let place = newest; place >= 0; place--) {
      if (quote !== base) place = lastRated(columns, column, place, oldest);
      if (place < 0 || (columns.days[place] ?? 0) < oldest) return -1;
      if (!Number.isNaN(place === newest ? atNewest : divisorAt(place))) return place;
    }
    return -1;
  };
  const places = wanted.map(placeOf);
  const distinct = [...new Set(places)].filter((place) => place >= 0).sort((one, other) => one - other);
  let next = 0;
  return {
    draw(take, count) {
      let left = count;
      for (; next < distinct.length && left > 0; next++) {
        const place = distinct[next] ?? 0;
        const day = columns.days[place] ?? 0;
        const divisor = divisorAt(place);
        wanted.forEach(({ quote, column }, index) => {
          if (places[index] !== place) return;
          take(day, quote, quote === base ? 1 : rateAt(column, place) / divisor);
          left--;
        });
      }
      return next < distinct.length;
    },
  };
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
  const wanted = wantedOf(columns, quotes);
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
