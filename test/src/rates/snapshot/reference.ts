import fc from 'fast-check';
import { type Columns, columnsOf } from '../../../../core/columns/columns.js';
import { byDate, type PlainRows } from '../../../../src/rates/snapshot/row.js';

/** Units per dollar by currency and day number. The dollar itself is 1 on every day on which any has a rate. */
export type Rates = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** A row in short. */
export interface ExpectedRow {
  day: number;
  quote: string;
  rate: number;
  observed?: number;
}

const CODES = ['CHF', 'EUR', 'GBP', 'JPY'];
export const FIRST_DAY = 20_500;
const DAYS = 50;

/** Some rates of a few currencies, with gaps of any length. */
export const arbitraryRates: fc.Arbitrary<Rates> = fc
  .tuple(
    ...CODES.map(() =>
      fc.uniqueArray(
        fc.tuple(fc.integer({ min: 0, max: DAYS }), fc.double({ min: 0.5, max: 200, noNaN: true })),
        { selector: ([day]) => day, maxLength: 8 },
      ),
    ),
  )
  .map(
    (all) =>
      new Map(
        all.map((rates, index) => [
          CODES[index] ?? '',
          new Map(rates.map(([day, rate]) => [FIRST_DAY + day, rate])),
        ]),
      ),
  );

export const arbitraryBase = fc.constantFrom(...CODES, 'USD');
export const arbitraryQuotes = fc.option(fc.subarray([...CODES, 'NOK', 'USD']), { nil: undefined });
/** A day on or near those of the rates. */
export const arbitraryDay = fc.integer({ min: FIRST_DAY - 3, max: FIRST_DAY + DAYS + 20 });

/** Rates by code and day. */
export function ratesOf(byCode: Record<string, Record<number, number>>): Rates {
  return new Map(
    Object.entries(byCode).map(([code, byDay]) => [
      code,
      new Map(Object.entries(byDay).map(([day, rate]) => [Number(day), rate])),
    ]),
  );
}

export function columnsFrom(rates: Rates): Columns {
  return columnsOf(
    [...rates].map(([code, byDay]) => [
      code,
      { days: Int32Array.from(byDay.keys()), rates: Float64Array.from(byDay.values()) },
    ]),
  );
}

/** The days on which any currency has a rate, ascending. */
export function daysOf(rates: Rates): number[] {
  return [...new Set([...rates.values()].flatMap((byDay) => [...byDay.keys()]))].sort(
    (one, other) => one - other,
  );
}

/** The currencies that have any rate, and the dollar. */
export function codesOf(rates: Rates): string[] {
  const codes = [...rates].filter(([, byDay]) => byDay.size > 0).map(([code]) => code);
  return codes.length === 0 ? [] : [...new Set([...codes, 'USD'])].sort();
}

export function rateOn(rates: Rates, code: string, day: number): number | undefined {
  if (code === 'USD') return daysOf(rates).includes(day) ? 1 : undefined;
  return rates.get(code)?.get(day);
}

/** The newest rate from one day to another. */
function newestIn(rates: Rates, code: string, from: number, to: number) {
  for (let day = to; day >= from; day--) {
    const rate = rateOn(rates, code, day);
    if (rate !== undefined) return { day, rate };
  }
  return undefined;
}

/** The rate that is carried to a day: the newest of the 14 days up to it. */
export function carriedTo(rates: Rates, code: string, day: number): number | undefined {
  return newestIn(rates, code, day - 14, day)?.rate;
}

/**
 * The newest row of a pair from one day to another: of the last day on which the quote has a rate and the base one that is
 * carried to it; else, where both have a rate in these days, of the base's last day.
 */
export function newestRow(
  rates: Rates,
  { base, quote }: { base: string; quote: string },
  from: number,
  to: number,
): ExpectedRow | undefined {
  const ofBase = newestIn(rates, base, from, to);
  if (!ofBase) return undefined;
  for (const day of daysOf(rates).toReversed()) {
    if (day < from || day > to) continue;
    const [divisor, rate] = [carriedTo(rates, base, day), rateOn(rates, quote, day)];
    if (divisor === undefined || (rate === undefined && quote !== base)) continue;
    return { day, quote, rate: quote === base ? 1 : (rate ?? Number.NaN) / divisor };
  }
  if (!newestIn(rates, quote, from, to)) return undefined;
  const carried = carriedTo(rates, quote, ofBase.day);
  return carried === undefined ? undefined : { day: ofBase.day, quote, rate: carried / ofBase.rate };
}

/** The first row of a pair from one day to another: of the first day on which the quote has a rate and the base a carried one. */
export function firstRow(
  rates: Rates,
  { base, quote }: { base: string; quote: string },
  from: number,
  to: number,
): ExpectedRow | undefined {
  for (const day of daysOf(rates)) {
    const [divisor, rate] = [carriedTo(rates, base, day), rateOn(rates, quote, day)];
    const isRow = divisor !== undefined && (rate !== undefined || quote === base);
    if (isRow && day >= from && day <= to)
      return { day, quote, rate: quote === base ? 1 : (rate ?? Number.NaN) / divisor };
  }
  return undefined;
}

/** What rows are, in short. */
export function shortOf(plain: PlainRows): ExpectedRow[] {
  return [...byDate(plain)].flatMap(({ day, rows }) =>
    rows.map(({ quote, rate, observed }) => ({
      day,
      quote,
      rate,
      ...(observed !== undefined && { observed }),
    })),
  );
}

/** By day, then quote. */
export function sorted(rows: readonly ExpectedRow[]): ExpectedRow[] {
  return rows.toSorted((one, other) =>
    one.day === other.day ? (one.quote < other.quote ? -1 : 1) : one.day - other.day,
  );
}
