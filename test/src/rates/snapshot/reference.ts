import fc from 'fast-check';
import { type Columns, columnsOf } from '../../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../../core/domain/blend/carry-forward.js';
import type { PlainRows } from '../../../../src/rates/snapshot/row.js';

/** Units per dollar by currency and day number. The dollar itself is 1 on every day on which any has a rate. */
export type Rates = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** A row in short. */
export interface ExpectedRow {
  day: number;
  quote: string;
  rate: number;
  observed?: number | undefined;
}

const CODES = ['CHF', 'EUR', 'GBP', 'JPY'];
export const FIRST_DAY = 20_500;
const DAYS = 50;

const arbitrarySeries = fc.uniqueArray(
  fc.tuple(fc.nat(DAYS), fc.double({ min: 0.5, max: 200, noNaN: true })),
  { selector: ([day]) => day, maxLength: 8 },
);
/** Some rates of a few currencies, with gaps of any length. */
export const arbitraryRates: fc.Arbitrary<Rates> = fc
  .tuple(...CODES.map(() => arbitrarySeries))
  .map((all) =>
    ratesOf(Object.fromEntries(all.map((series, at) => [CODES[at], Object.fromEntries(series)]))),
  );

export const arbitraryBase = fc.constantFrom(...CODES, 'USD');
export const arbitraryQuotes = fc.option(fc.subarray([...CODES, 'NOK', 'USD']), { nil: undefined });
/** A day on or near those of the rates. */
export const arbitraryDay = fc.integer({ min: FIRST_DAY - 3, max: FIRST_DAY + DAYS + 20 });

/** Rates by code and day, with the days counted from the first one. */
export function ratesOf(byCode: Record<string, Record<number, number>>): Rates {
  const ofCode = (byDay: Record<number, number>) =>
    new Map(Object.entries(byDay).map(([at, rate]) => [FIRST_DAY + Number(at), rate]));
  return new Map(Object.entries(byCode).map(([code, byDay]) => [code, ofCode(byDay)]));
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

function rateOn(rates: Rates, code: string, day: number): number | undefined {
  if (code === 'USD') return daysOf(rates).includes(day) ? 1 : undefined;
  return rates.get(code)?.get(day);
}

export interface Pair {
  base: string;
  quote: string;
}

/** The newest day from one to another on which a currency has a rate. */
function newestDay(rates: Rates, code: string, from: number, to: number): number | undefined {
  for (let day = to; day >= from; day--) if (rateOn(rates, code, day) !== undefined) return day;
  return undefined;
}

/** The row of a pair as of the last of some days: of the older of the newest days of both, if that is one of them. */
export function newestRow(
  rates: Rates,
  { base, quote }: Pair,
  from: number,
  to: number,
): ExpectedRow | undefined {
  const days = [base, quote].map((code) => newestDay(rates, code, from, to) ?? Number.NaN);
  const day = Math.min(...days);
  const [divisor, rate] = [base, quote].map((code) => {
    const own = newestDay(rates, code, day - WINDOW_DAYS, day);
    return own === undefined ? undefined : rateOn(rates, code, own);
  });
  return divisor === undefined || rate === undefined ? undefined : { day, quote, rate: rate / divisor };
}

/** The row of a pair on a day: that which it has as of some day. */
export function rowOn(rates: Rates, pair: Pair, day: number): ExpectedRow | undefined {
  for (let asOf = day; asOf <= day + WINDOW_DAYS; asOf++) {
    const row = newestRow(rates, pair, day, asOf);
    if (row?.day === day) return row;
  }
  return undefined;
}

/** The first row of a pair from one day to another. */
export function firstRow(rates: Rates, pair: Pair, from: number, to: number): ExpectedRow | undefined {
  for (let day = from; day <= to; day++) {
    const row = rowOn(rates, pair, day);
    if (row) return row;
  }
  return undefined;
}

/** What rows are, in short. */
export function shortOf(plain: PlainRows): ExpectedRow[] {
  return [...plain].flatMap(({ day, rows }) =>
    rows.map(({ quote, rate, observed }) => ({ day, quote, rate, observed })),
  );
}

/** By day, then quote. */
export function sorted(rows: readonly ExpectedRow[]): ExpectedRow[] {
  return rows.toSorted((one, other) =>
    one.day === other.day ? (one.quote < other.quote ? -1 : 1) : one.day - other.day,
  );
}
