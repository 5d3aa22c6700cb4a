import type { MinorUnits } from '../../../core/domain/currencies.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { textChunks } from '../../formats/record-formats.js';
import { HttpError } from '../../http/errors.js';
import type { DatedRows, Dates, Row } from '../snapshot/row.js';
import { CHUNK_BYTES } from './row-encoder.js';

/** The shapes of rates besides rows: an object by quote, and that of `/v1`, which has an amount and omits the base. */
export const SHAPES = ['object', 'v1'] as const;

export type Shape = (typeof SHAPES)[number];

type Prices = Readonly<Record<string, number>>;

type DatedPrices = readonly [date: string, prices: Prices];

interface ObjectOptions {
  shape: Shape;
  /** The amount of the base that the rates are for; used by the shape of `/v1`. */
  amount: number;
  base: string;
  minorUnits: MinorUnits | undefined;
  /** Rounds a rate to the digits of its row. */
  shown(row: Row): number;
}

/** Encodes the rates of a day as one object, with the date of the newest. Throws as `encodeRangeObject`. */
export function encodeDayObject(dates: Iterable<DatedRows>, options: ObjectOptions): string {
  const rows: Row[] = [];
  let newest: number | undefined;
  for (const dated of dates) {
    const counted = rowsIn(dated, options);
    if (counted.length > 0) newest = dated.day;
    rows.push(...counted);
  }
  if (newest === undefined && options.shape === 'v1') throw nothingFound();
  const date = newest === undefined ? null : fromDayNumber(newest);
  rows.sort((one, other) => (one.quote < other.quote ? -1 : 1));
  return JSON.stringify({ ...headOf(options), date, rates: pricesOf(rows, options) });
}

/** Encodes a range by date, in chunks. The `/v1` shape ends with its last day, and throws a 404 without rates. */
export function encodeRangeObject(
  dates: Dates,
  options: ObjectOptions,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Buffer, void, undefined> {
  const namesDays = options.shape === 'v1';
  const asked = { start_date: fromDayNumber(from), end_date: fromDayNumber(to) };
  const head = { ...headOf(options), ...(!namesDays && asked) };
  return encodePricesByDate(pricesByDate(dates, options), head, { namesDays });
}

/** Encodes prices by date in chunks, as all days are some megabytes. They are in order, and read on demand. */
// With `namesDays`, names the first and the last day with prices, and throws a 404 if there are none.
export function encodePricesByDate(
  rates: Iterable<DatedPrices> | AsyncIterable<DatedPrices>,
  head: object,
  { namesDays = false } = {},
): AsyncGenerator<Buffer, void, undefined> {
  const opening = (members: object) => `{${JSON.stringify(members).slice(1, -1)},"rates":{`;
  async function* pieces() {
    let last: string | undefined;
    for await (const [date, prices] of rates) {
      const before = last === undefined ? opening(namesDays ? { ...head, start_date: date } : head) : ',';
      yield `${before}"${date}":${JSON.stringify(prices)}`;
      last = date;
    }
    if (last === undefined && namesDays) throw nothingFound();
    if (last === undefined) yield opening(head);
    yield namesDays ? `},"end_date":"${last}"}` : '}}';
  }
  return textChunks(pieces(), CHUNK_BYTES);
}

async function* pricesByDate(dates: Dates, options: ObjectOptions): AsyncGenerator<DatedPrices> {
  for await (const dated of dates) {
    const rows = rowsIn(dated, options);
    if (rows.length > 0) yield [fromDayNumber(dated.day), pricesOf(rows, options)];
  }
}

function headOf({ shape, amount, base, minorUnits }: ObjectOptions): object {
  return { ...(shape === 'v1' && { amount }), base, ...(minorUnits && { minor_units: minorUnits }) };
}

function rowsIn({ rows }: DatedRows, { shape, base }: ObjectOptions): readonly Row[] {
  return shape === 'v1' ? rows.filter(({ quote }) => quote !== base) : rows;
}

function pricesOf(rows: readonly Row[], { shown }: ObjectOptions): Prices {
  return Object.fromEntries(rows.map((row) => [row.quote, shown(row)]));
}

function nothingFound(): HttpError {
  const message = 'not found: there are no rates for these currencies and days';
  return new HttpError(404, message, { code: 'no_rates' });
}
