import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import type { FixedRates } from '../../../core/domain/fixed-rates.js';
import type { MinorUnits } from '../../../core/domain/minor-unit-aliases.js';

/** The rows of one date, by quote. */
export interface DatedRows {
  /** Days since 1970-01-01; of a week or month, its first. */
  readonly day: number;
  readonly rows: readonly Row[];
}

/** One unit of the requested base costs `rate` units of `quote`. */
export interface Row {
  readonly quote: string;
  /** Not rounded yet. NaN for a row that is gone, among those that have changed. */
  readonly rate: number;
  /** Whether `rate` is as a provider published it, or a peg; it is then shown without rounding. */
  readonly published: boolean;
  /** Which of its two codes stand for minor units of currencies. */
  readonly minorUnits?: MinorUnits | undefined;
  /** Of a pair: the fixed rates that it follows from, where a currency of it has ended. */
  readonly fixed?: FixedRates | undefined;
  /** The day that the value comes from, where rows are filled forward. */
  readonly observed?: number | undefined;
  /** Over the daily rows of the period, where requested. */
  readonly stats?: Stats | undefined;
  /** How sure the rate is, where requested. */
  readonly quality?: Quality;
  /** The providers behind the rate; undefined if not requested or not known. */
  readonly sources?: readonly RowSource[] | undefined;
  /** First and last day number for which an official rate is valid. */
  readonly validity?: { readonly from: number; readonly to: number };
  /** Why a rate behind it is suspect; only of one provider's own rows. */
  readonly suspect?: SuspicionReason | undefined;
}

/** One provider's part in a row: its rate in units of the row's quote per unit of its base, and that rate's day. */
export interface RowSource {
  readonly key: string;
  readonly day: number;
  readonly rate: number;
  readonly published: boolean;
  readonly excluded: boolean;
  /** Why it is left out of the blend, or would be: it is suspect. */
  readonly suspect?: SuspicionReason | undefined;
}

/** The base and quotes of the requested rows. */
export interface Selection {
  base: string;
  /** Sorted and without repetition; undefined for all. */
  quotes: readonly string[] | undefined;
  /** The pairs of the base that have rates of their own; none where absent. */
  own?: OwnPairs | undefined;
}

/** For a quote of the base, the rates that the pair has of its own; undefined where these are the ratios of two. */
export type OwnPairs = (quote: string) => OwnRates | undefined;

/** The rates that a pair has of its own: a provider publishes them in one of its directions, or they are its peg. */
export interface OwnRates {
  /** The rate on the day of an index, where the ratio of the two rates is this one, or NaN without both. */
  rateOn(ratio: number, dayIndex: number): number;
  /** Whether that rate is shown as it is, without rounding for display. */
  isExactOn(dayIndex: number): boolean;
}

/** Says that there is no such row any more. */
export function goneRow({ quote, minorUnits }: Pick<Row, 'quote' | 'minorUnits'>): Row {
  return { ...plainRow(quote, Number.NaN), minorUnits };
}

/** A row of a derived rate, without sources. */
export function plainRow(quote: string, rate: number): Row {
  return { quote, rate, published: false };
}

/** What is known of the rows of one date beside their rates, quote by quote. */
export interface RowMarks {
  /** 1 for a rate that is shown as it is, without rounding for display. */
  readonly exact?: Uint8Array;
  /** The day numbers that the values come from, where rows are filled forward. */
  readonly observed?: Int32Array;
  /** Why a rate behind it is suspect; only of one provider's own rows. */
  readonly suspects?: readonly (SuspicionReason | undefined)[];
  /** Over the daily rows of the period, where requested. */
  readonly stats?: readonly Stats[];
  /** Rows that have details beyond these, such as their sources: they are written even where they have no rate any more. */
  readonly rows?: readonly Row[];
}

/**
 * Called with the rows of one date: for each of the quotes, in order, the units of it that one unit of the base costs,
 * not rounded; NaN if there is no row. The arrays are reused for the next date.
 */
export type TakeRates = (day: number, rates: Float64Array, marks?: RowMarks) => void;

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

/** A pair's daily rows in one period, as they are shown without `group`. */
export type Stats =
  | { readonly days: 0 }
  | {
      /** How many there are. */
      readonly days: number;
      readonly first: number;
      readonly last: number;
      /** Day number of the last daily row. */
      readonly lastDay: number;
      readonly low: number;
      readonly high: number;
      /** Arithmetic mean of the daily rates as shown, rounded as these are; where all are the same, that one. */
      readonly average: number;
    };

/** How sure a blended rate is: what is known of its sources, or that it is a peg. */
export type Quality =
  | {
      /** How many sources have contributed. */
      readonly sources: number;
      /** How many were left out as outliers. */
      readonly excluded: number;
      /** The highest less the lowest rate that counted, divided by the rate. */
      readonly spread: number;
      /** Days from the newest observation to the day that the row was requested for. */
      readonly age_days: number;
      /** How many were held back as suspect. */
      readonly suspects: number;
    }
  | { readonly peg: true };

/** The same rows as objects, by date. */
export function* byDate(plain: PlainRows): Generator<DatedRows> {
  let dated: DatedRows = { day: 0, rows: [] };
  const take: TakeRates = (day, rates, marks) => {
    dated = { day, rows: rowsOf(plain.quotes, rates, marks) };
  };
  for (let hasMore = true; hasMore; ) {
    hasMore = plain.draw(take, 1);
    if (dated.rows.length > 0) yield dated;
    dated = { day: 0, rows: [] };
  }
}

function rowsOf(quotes: readonly string[], rates: Float64Array, marks: RowMarks = {}): Row[] {
  const rows: Row[] = [];
  quotes.forEach((quote, index) => {
    const rate = rates[index] ?? Number.NaN;
    if (Number.isNaN(rate)) return;
    rows.push({
      quote,
      rate,
      published: marks.exact?.[index] === 1,
      observed: marks.observed?.[index],
      suspect: marks.suspects?.[index],
      stats: marks.stats?.[index],
    });
  });
  return rows;
}
