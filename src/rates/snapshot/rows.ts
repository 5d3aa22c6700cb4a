import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
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
 * Takes the rows of one date: in step with the quotes, how many units of each one unit of the base costs, not rounded
 * yet; NaN where there is no row. The array is filled anew for the next date.
 */
export type TakeRates = (day: number, rates: Float64Array) => void;

/** Plain rows, drawn in portions and without an object for each: there may be a million. */
export interface PlainRows {
  readonly quotes: readonly string[];
  /** There are at most this many rows. */
  readonly most: number;
  /** Hands over further dates until these had `count` rates or more; false at the end. */
  draw(take: TakeRates, count: number): boolean;
}

export const NO_ROWS: PlainRows = { quotes: [], most: 0, draw: () => false };

/** The quotes that are wanted and have a column. */
interface Wanted {
  readonly quotes: readonly string[];
  /** In step with the quotes. */
  readonly columns: readonly Column[];
}

function wantedOf(columns: Columns, quotes: readonly string[] | undefined): Wanted {
  return quotes ? columnsFor(columns, quotes) : columns;
}

function columnsFor({ byQuote }: Columns, quotes: readonly string[]): Wanted {
  const wanted = { quotes: [] as string[], columns: [] as Column[] };
  for (const quote of quotes) {
    const column = byQuote.get(quote);
    if (!column) continue;
    wanted.quotes.push(quote);
    wanted.columns.push(column);
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
  const baseIndex = wanted.columns.indexOf(baseColumn);
  const divisors = new Map<number, number>();
  const divisorAt = (place: number): number => {
    const known = divisors.get(place) ?? carriedAt(columns, baseColumn, place);
    divisors.set(place, known);
    return known;
  };
  const atNewest = divisorAt(newest);
  // Of each quote the last place where it and the base have a rate; the base itself counts wherever it is carried.
  const placeOf = (column: Column): number => {
    for (let place = newest; place >= 0; place--) {
      if (column !== baseColumn) place = lastRated(columns, column, place, oldest);
      if (place < 0 || (columns.days[place] ?? 0) < oldest) return -1;
      if (!Number.isNaN(place === newest ? atNewest : divisorAt(place))) return place;
    }
    return -1;
  };
  const places = wanted.columns.map(placeOf);
  const distinct = [...new Set(places)].filter((place) => place >= 0).sort((one, other) => one - other);
  const rates = new Float64Array(places.length);
  let next = 0;
  return {
    quotes: wanted.quotes,
    most: wanted.quotes.length,
    draw(take, count) {
      for (let left = count; next < distinct.length && left > 0; next++) {
        const place = distinct[next] ?? 0;
        const divisor = divisorAt(place);
        fillAt(rates, wanted.columns, place, divisor);
        if (baseIndex >= 0) rates[baseIndex] = 1;
        for (let index = 0; index < rates.length; index++) {
          if (places[index] !== place) rates[index] = Number.NaN;
        }
        take(columns.days[place] ?? 0, rates);
        left -= rates.length;
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
  const baseIndex = wanted.columns.indexOf(baseColumn);
  const rates = new Float64Array(wanted.columns.length);
  const end = firstFrom(columns.days, to + 1);
  let place = firstFrom(columns.days, from);
  return {
    quotes: wanted.quotes,
    most: Math.max(0, end - place) * wanted.quotes.length,
    draw(take, count) {
      for (let left = count; place < end && left > 0; place++) {
        const divisor = carry ? carriedAt(columns, baseColumn, place) : rateAt(baseColumn, place);
        if (Number.isNaN(divisor)) continue;
        fillAt(rates, wanted.columns, place, divisor);
        if (baseIndex >= 0) rates[baseIndex] = 1;
        take(columns.days[place] ?? 0, rates);
        left -= rates.length;
      }
      return place < end;
    },
  };
}

function fillAt(rates: Float64Array, columns: readonly Column[], place: number, divisor: number): void {
  for (let index = 0; index < rates.length; index++) {
    const column = columns[index];
    if (column) rates[index] = rateAt(column, place) / divisor;
  }
}

/** The same rows as objects, date by date. */
export function* byDate(plain: PlainRows): Generator<DatedRows> {
  let dated: DatedRows = { day: 0, rows: [] };
  const take: TakeRates = (day, rates) => {
    dated = { day, rows: rowsOf(plain.quotes, rates) };
  };
  for (let goesOn = true; goesOn; ) {
    goesOn = plain.draw(take, 1);
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
