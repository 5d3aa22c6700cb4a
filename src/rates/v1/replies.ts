import * as z from 'zod';
import { type Columns, firstFrom, lastUpTo, rateAt } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { fromDayNumber, parseDayNumber } from '../../../core/domain/dates.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { errorBody, HttpError, parameterError } from '../../http/errors.js';
import { pathOf } from '../../http/exchange.js';
import { type ErrorForm, json } from '../../http/reply.js';
import type { QueryReader } from '../../http/route.js';
import { excerpt, excerptOfList } from '../../parameters/excerpt.js';
import { minorUnitHint } from '../../parameters/hints.js';

// The euro reference rates of the ECB are columns per euro, by the days on which it published.
export const EURO = 'EUR';

/** Prices by currency, sorted by code, without the base. */
type Prices = Record<string, number>;

/** The prices of the last publication in the 14 days up to a day; infinity is the newest. Throws a 404. */
export function dayReply(ecb: Columns, query: V1Query, day: number) {
  const dayIndex = lastPublication(ecb, Number.isFinite(day) ? day : (ecb.days.at(-1) ?? day));
  const rates = pricesOn(ecb, dayIndex, query);
  if (!rates) throw notFound(noPrices(ecb, query, day, dayIndex));
  return { amount: query.amount, base: query.base, date: dateOn(ecb, dayIndex), rates };
}

/** The prices by date from the last publication up to the first day. Omits days without the base. */
export function* pricesBetween(ecb: Columns, query: V1Query, { from, to }: { from: number; to: number }) {
  const before = lastPublication(ecb, from);
  const last = lastUpTo(ecb.days, to);
  for (let index = before < 0 ? firstFrom(ecb.days, from) : before; index <= last; index++) {
    const prices = pricesOn(ecb, index, query);
    if (prices) yield [dateOn(ecb, index), prices] as const;
  }
}

export type V1Days = ReturnType<typeof daysFor>;

/** Parses `2026-01-02`, `2026-01-02..2026-01-06` or `2026-01-02..`. A day in the future means the newest. */
// Throws an HttpError 404, also for an interval without days, or 422.
export function daysFor(text: string, today: number) {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:(\.\.)(\d{4}-\d{2}-\d{2})?)?$/.exec(text);
  if (!parts) throw notFound('use /v1/latest, /v1/2026-03-02, /v1/2026-03-02..2026-03-06, or /v2/rates');
  const [, first = '', isInterval, last] = parts;
  const from = dayIn(first);
  if (!isInterval) return from > today ? {} : { date: first };
  const to = last === undefined ? today : dayIn(last);
  if (from > today) throw notFound(`${first} is in the future`);
  if (from > to) throw notFound(`${first} is after ${fromDayNumber(to)}`);
  return { from: first, to: fromDayNumber(to) };
}

function dayIn(date: string): number {
  const day = parseDayNumber(date);
  if (day !== undefined) return day;
  throw parameterError(422, 'date', `invalid date: ${date} is not in the calendar`);
}

function dateOn({ days }: Columns, dayIndex: number): string {
  return fromDayNumber(days[dayIndex] ?? 0);
}

/** Explains why there are no prices on the day of an index, which is -1 if nothing was published in the 14 days before. */
function noPrices(ecb: Columns, { base, symbols = [] }: V1Query, day: number, dayIndex: number): string {
  const [first] = ecb.days;
  if (first === undefined) return 'there are no rates from the ECB yet';
  if (day < first) return `the first rates of the ECB are of ${dateOn(ecb, 0)}`;
  if (dayIndex < 0)
    return `the ECB has published nothing in the ${WINDOW_DAYS} days up to ${fromDayNumber(day)}`;
  const isQuoted = !Number.isNaN(priceOf(ecb, base, dayIndex));
  if (isQuoted && symbols.length === 0) return 'symbols names no currency';
  const missing = isQuoted ? symbols : [base];
  const hints = missing.map(minorUnitHint).join('');
  return `the ECB has no rates for ${excerptOfList(missing)} on ${dateOn(ecb, dayIndex)}${hints}`;
}

/** Without a code: the service that `/v1` stands for has none. */
export function v1ErrorBody(error: HttpError): object {
  return { ...errorBody(error), code: undefined };
}

export const v1ErrorForm: ErrorForm = (error) => ({ content: json(v1ErrorBody(error)) });

export function notFound(why: string): HttpError {
  return new HttpError(404, `not found: ${why}`);
}

/** Returns the index of the last day of publication up to a day and at most 14 days before it; -1 if there is none. */
function lastPublication({ days }: Columns, day: number): number {
  const index = lastUpTo(days, day);
  return (days[index] ?? Number.NEGATIVE_INFINITY) < day - WINDOW_DAYS ? -1 : index;
}

function priceOf({ byQuote }: Columns, code: string, dayIndex: number): number {
  const column = byQuote.get(code);
  return column ? rateAt(column, dayIndex) : Number.NaN;
}

/** One euro has the bank's own digits; others are amount x rate / base rate, rounded once. Undefined without any. */
function pricesOn(ecb: Columns, dayIndex: number, { amount, base, symbols }: V1Query): Prices | undefined {
  const divisor = priceOf(ecb, base, dayIndex);
  const isPublished = base === EURO && amount === 1;
  let prices: Prices | undefined;
  for (const [code, column] of ecb.byQuote) {
    const rate = rateAt(column, dayIndex);
    if (code === base || Number.isNaN(rate / divisor) || (symbols && !symbols.includes(code))) continue;
    prices ??= {};
    prices[code] = isPublished ? roundForStorage(rate) : roundForDisplay((amount * rate) / divisor);
  }
  return prices;
}

const parameter = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

const schema = z.object({
  amount: parameter('Amount of the base; 1 by default', '10'),
  base: parameter('Base currency; EUR by default', 'USD'),
  symbols: parameter('Return only these currencies: codes separated by commas', 'USD,GBP'),
  from: parameter('Older name of `base`; takes precedence over it', 'USD'),
  to: parameter('Older name of `symbols`; takes precedence over it', 'GBP'),
});

export type V1Query = ReturnType<typeof read>;

/** Ignores unknown parameters, and uses the last of a repeated one, as clients of such services expect. */
// An amount is the number at the beginning of its text. 422 outside the limits, within which no product is infinite or 0.
// A named base that is also the only symbol is 422 too.
function read(target: string) {
  const last = new Map(new URLSearchParams(target.slice(pathOf(target).length)));
  const amount = amountOf(last.get('amount'));
  const named = last.get('from') ?? last.get('base');
  const base = (named ?? EURO).trim().toUpperCase();
  /** Undefined for all. */
  const symbols = (last.get('to') ?? last.get('symbols'))
    ?.split(',')
    .map((code) => code.trim().toUpperCase())
    .filter(Boolean);
  if (named !== undefined && symbols?.length === 1 && symbols[0] === base)
    throw parameterError(422, 'symbols', `bad currency pair: base and symbols are both ${base}`);
  return { amount, base, symbols };
}

export const v1Query: QueryReader<V1Query> = { schema, read };

function amountOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const amount = Number.parseFloat(text.replaceAll(/(?<=\d)_(?=\d)/g, ''));
  if (amount >= 1e-30 && amount <= 1e30) return amount;
  throw parameterError(422, 'amount', `invalid amount: ${excerpt(text)} (write a number from 1e-30 to 1e30)`);
}
