import * as z from 'zod';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import type { MinorUnits } from '../../../core/domain/currencies.js';
import { groupBy } from '../../../core/domain/group-by.js';
import type { FixedRates } from '../../../core/domain/pegs.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import type { Side } from '../../../core/domain/sides.js';

export interface DatedRows {
  /** Days since 1970-01-01; for a week or month, its first day. */
  readonly day: number;
  readonly rows: readonly Row[];
}

/** One unit of the requested base costs `rate` units of `quote`. */
export interface Row {
  readonly quote: string;
  /** Not rounded yet. NaN for a removed row among changed ones. */
  readonly rate: number;
  /** Whether `rate` is as a provider published it, or a peg. It is then shown without rounding. */
  readonly published: boolean;
  readonly minorUnits?: MinorUnits | undefined;
  readonly fixed?: FixedRates | undefined;
  /** The day of the value, if rows are filled forward. */
  readonly observed?: number | undefined;
  readonly stats?: Stats | undefined;
  readonly quality?: Quality;
  /** The providers behind the rate; undefined if not requested or unknown. */
  readonly sources?: readonly RowSource[] | undefined;
  /** The sides of the only provider, as shown; null if it publishes none, undefined if not requested. */
  readonly sides?: Readonly<Record<Side, number | null>> | undefined;
  /** First and last day number for which an official rate is valid. */
  readonly validity?: { readonly from: number; readonly to: number };
  /** Why a rate behind it is suspect. Only one provider's own rows have it. */
  readonly suspect?: SuspicionReason | undefined;
}

/** One provider's contribution to a row: its rate in units of the row's quote per unit of its base, and that rate's day. */
export interface RowSource {
  readonly key: string;
  readonly day: number;
  readonly rate: number;
  readonly published: boolean;
  /** Whether it is left out of the blend as an outlier. */
  readonly excluded: boolean;
  /** Why it is suspect and therefore not in the blend. */
  readonly suspect?: SuspicionReason | undefined;
}

/** The reliability of a blended rate: the facts about its sources, or that it is a peg. */
export const qualitySchema = z
  .union([
    z.object({
      sources: z.int().meta({ description: 'Number of sources' }),
      excluded: z.int().meta({ description: 'Number of sources excluded as outliers' }),
      spread: z.number().meta({
        description:
          'Difference between the highest and the lowest rate in the blend, relative to the blended rate',
      }),
      age_days: z.int().meta({ description: 'Days from the newest observation to the requested day' }),
      suspects: z.int().meta({ description: 'Number of rates held back as suspect' }),
    }),
    z.object({ peg: z.literal(true) }),
  ])
  .meta({ description: 'Only with expand=quality' });

export type Quality = z.output<typeof qualitySchema>;

/** The daily rows of a pair in one period, as shown without `group`. All but the number is null if there are none. */
export const statsSchema = z
  .object({
    first: z.number().nullable(),
    last: z.number().nullable().meta({ description: 'The closing rate of the period' }),
    last_date: z.iso.date().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    average: z.number().nullable().meta({
      description:
        'Mean of the displayed daily rates. `rate` is computed from the means of the rates per US dollar',
    }),
    days: z.int().meta({ description: 'Number of daily rows' }),
  })
  .meta({
    description: 'Only with expand=stats: statistics of the daily rows of the period, within the range',
  });

export type Stats = z.output<typeof statsSchema>;

export interface Selection {
  base: string;
  /** Sorted and without duplicates; undefined for all. */
  quotes: readonly string[] | undefined;
  /** The pairs of the base that have rates of their own; none if absent. */
  own?: OwnPairs | undefined;
}

/** Returns the own rates of the pair of the base and a quote; undefined if they are the ratios of two rates. */
export type OwnPairs = (quote: string) => OwnRates | undefined;

/** The own rates of a pair: a provider publishes the pair in either direction, or the rates are its peg. */
export interface OwnRates {
  /** Returns the rate on the day of an index, given the ratio of the two rates, or NaN without both. */
  rateOn(ratio: number, dayIndex: number): number;
  isExactOn(dayIndex: number): boolean;
}

/** Rounds a rate to the digits in which it is shown. */
export function shownRate(
  { rate, published }: Pick<Row, 'rate' | 'published'>,
  precision: 'display' | 'full',
): number {
  return precision === 'full' || published ? roundForStorage(rate) : roundForDisplay(rate);
}

export function goneRow({ quote, minorUnits }: Pick<Row, 'quote' | 'minorUnits'>): Row {
  return { ...plainRow(quote, Number.NaN), minorUnits };
}

export function plainRow(quote: string, rate: number): Row {
  return { quote, rate, published: false };
}

/** The data of the rows of one date besides their rates, quote by quote. */
export interface RowMarks {
  /** 1 for a rate that is shown without rounding for display. */
  readonly exact?: Uint8Array;
  /** The day numbers of the values, if rows are filled forward. */
  readonly observed?: Int32Array;
  readonly suspects?: readonly (SuspicionReason | undefined)[];
  readonly stats?: readonly Stats[];
  /** Rows with details beyond these, such as their sources. They are written even if they no longer have a rate. */
  readonly rows?: readonly Row[];
}

/** The rows of one date, in the order of the quotes. The object and its arrays are reused for the next date. */
export interface RatesOfDate {
  day: number;
  /** For each quote its price in units per unit of the base, not rounded; NaN if there is no row. */
  readonly rates: Float64Array;
  readonly marks?: RowMarks | undefined;
}

/** Rows without sources. As there may be a million, they can be read date by date, without an object for each. */
export class PlainRows implements Iterable<DatedRows> {
  constructor(
    readonly quotes: readonly string[],
    readonly nextDate: () => RatesOfDate | undefined,
  ) {}

  *[Symbol.iterator](): Generator<DatedRows> {
    for (let date = this.nextDate(); date; date = this.nextDate()) {
      const rows = rowsOf(this.quotes, date);
      if (rows.length > 0) yield { day: date.day, rows };
    }
  }
}

export type Dates = Iterable<DatedRows> | AsyncIterable<DatedRows>;

/** The rows of a request, in order. */
export interface RateRows<Rows extends Dates = Dates> {
  rows: Rows;
  /** The approximate number of rows, to decide whether the body is streamed. */
  estimate?: number | undefined;
  /** The newest day with rates, up to tomorrow; undefined for a range and if there is no data. */
  newest?: number | undefined;
}

export async function rowsByDate(rows: Dates): Promise<DatedRows[]> {
  const dates: DatedRows[] = [];
  for await (const dated of rows) dates.push(dated);
  return dates;
}

/** Groups rows by day. The days are in order, and the rows of each in that of their quotes. */
export function groupByDay(rows: Iterable<readonly [day: number, row: Row]>): DatedRows[] {
  const byQuote = (one: Row, other: Row) => (one.quote < other.quote ? -1 : 1);
  return [...groupBy(rows, ([day]) => day)]
    .sort(([one], [other]) => one - other)
    .map(([day, ofDay]) => ({ day, rows: ofDay.map(([, row]) => row).sort(byQuote) }));
}

function rowsOf(quotes: readonly string[], { rates, marks = {} }: RatesOfDate): Row[] {
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

type Change = (dated: DatedRows) => DatedRows;

export function mapRows(found: RateRows, change: Change): RateRows {
  const { rows } = found;
  return { ...found, rows: Symbol.asyncIterator in rows ? mapLater(rows, change) : mapNow(rows, change) };
}

function* mapNow(dates: Iterable<DatedRows>, change: Change): Generator<DatedRows> {
  for (const dated of dates) yield change(dated);
}

async function* mapLater(dates: AsyncIterable<DatedRows>, change: Change): AsyncGenerator<DatedRows> {
  for await (const dated of dates) yield change(dated);
}
