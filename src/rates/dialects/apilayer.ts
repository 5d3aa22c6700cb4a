// The shared part of Fixer and currencylayer, services of one company.
import { amountIn, changeBetween, product } from '../../../core/domain/amount.js';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type CalendarDate, daysBetween, earlier, isCalendarDate } from '../../../core/domain/dates.js';
import { excerpt } from '../../parameters/excerpt.js';
import { failure } from './apilayer-errors.js';
import { codeIn, codesIn, type DialectRequest } from './dialect.js';
import {
  type DayRates,
  type Found,
  MOST_DAYS,
  type RatesReader,
  type Wanted,
  type WantedDay,
  type WantedRange,
} from './dialect-rates.js';
import { figure, figures } from './figures.js';

type Query = DialectRequest['query'];

export const CONVERSION = {
  from: 'The currency of the amount',
  to: 'The currency that is wanted',
  amount: 'A number',
  date: 'The newest rate if absent',
};
export const RANGE = { start_date: 'The first day', end_date: 'The last day, of 366 at most' };

/** Throws a DialectError. */
export function selectionIn(base: string, codes: string | undefined): Wanted {
  const symbols = codesIn(codes);
  if (!isCurrency(codeIn(base))) throw failure(201, `no such currency: ${excerpt(base)}`);
  if (symbols && !symbols.some(isCurrency)) throw failure(202, `no such currency: ${excerpt(codes ?? '')}`);
  return { base: codeIn(base), symbols };
}

/** Throws a DialectError. */
export function dayIn(date: string | undefined, today: CalendarDate): CalendarDate {
  if (date === undefined) throw failure(301, 'date is missing: add a day, such as date=2026-03-02');
  if (!isCalendarDate(date)) throw failure(302, `no such day: ${excerpt(date)}`);
  if (date > today) throw failure(302, `${date} is after today, ${today}`);
  return date;
}

/** Throws a DialectError. */
export function daysIn({ start_date: from, end_date: to }: Query): { from: CalendarDate; to: CalendarDate } {
  if (from === undefined || to === undefined) throw failure(501, 'start_date and end_date are needed');
  if (!isCalendarDate(from)) throw failure(502, `no such day: ${excerpt(from)}`);
  if (!isCalendarDate(to)) throw failure(503, `no such day: ${excerpt(to)}`);
  const length = daysBetween(from, to) + 1;
  if (length < 1) throw failure(504, `start_date, ${from}, is after end_date, ${to}`);
  if (length > MOST_DAYS) throw failure(505, `${length} days are too many: ask for at most ${MOST_DAYS}`);
  return { from, to };
}

/** The members of a body that describe its range. */
export function spanOf({ from, to }: WantedRange): { start_date: CalendarDate; end_date: CalendarDate } {
  return { start_date: from, end_date: to };
}

/** Throws a DialectError if there are no rates. */
export async function ratesOfDay(read: RatesReader, wanted: WantedDay): Promise<DayRates> {
  return found(await read.ofDay(wanted), wanted);
}

/** The names of the currencies that have rates. Throws a DialectError if there are none. */
export async function namesByCode(read: RatesReader, wanted: WantedDay): Promise<Record<string, string>> {
  return namesOf((await ratesOfDay(read, wanted)).rates.map(({ quote }) => quote));
}

/** Rates by day and code. Throws a DialectError if there are none. */
export async function ratesByDay(read: RatesReader, wanted: WantedRange) {
  const { days } = found(await read.ofRange(wanted), wanted);
  return Object.fromEntries(days.map(({ date, rates }) => [date, figures(rates)]));
}

/** The rates of the first and last day by code, and the change between them. Throws a DialectError if there are none. */
export async function changesByCode(
  read: RatesReader,
  { from, to, ...selection }: WantedRange,
  today: CalendarDate,
) {
  if (from > today) throw failure(106, `start_date, ${from}, is after today, ${today}`);
  const start = await ratesOfDay(read, { ...selection, date: from });
  const end = figures((await ratesOfDay(read, { ...selection, date: earlier(to, today) })).rates);
  const changes = Object.entries(figures(start.rates)).map(([code, start_rate]) => {
    const end_rate = end[code];
    if (end_rate === undefined) return undefined;
    const { change, percent } = changeBetween(start_rate, end_rate, 4);
    return [code, { start_rate, end_rate, change, change_pct: percent }] as const;
  });
  return Object.fromEntries(changes.filter((change) => change !== undefined));
}

/** Parses the amount and the currencies to convert, and the day, undefined for the newest. Throws a DialectError. */
export function conversionIn({ query, today }: DialectRequest) {
  const [from, to, amount] = [codeIn(query.from ?? ''), codeIn(query.to ?? ''), amountIn(query.amount ?? '')];
  if (!isCurrency(from)) throw failure(401, `from is no currency: ${excerpt(from)}`);
  if (!isCurrency(to)) throw failure(402, `to is no currency: ${excerpt(to)}`);
  if (amount === undefined) throw failure(403, `amount is no number: ${excerpt(query.amount ?? '')}`);
  const date = query.date === undefined ? undefined : dayIn(query.date, today);
  return { amount, wanted: { base: from, symbols: [to], date }, asked: { from, to, amount: Number(amount) } };
}

/** Throws a DialectError if the rate is missing. */
export async function converted(
  read: RatesReader,
  { amount, wanted, asked }: ReturnType<typeof conversionIn>,
) {
  const { date, timestamp, rates, missing } = await read.ofDay(wanted);
  const [row] = rates;
  if (missing === 'day') throw failure(106, 'there are no rates of that day');
  if (missing === 'base') throw failure(401, `there is no rate of ${asked.from} on that day`);
  if (!row) throw failure(402, `there is no rate of ${asked.to} on that day`);
  const rate = figure(row);
  return { date, timestamp, rate, result: product(amount, rate, 6) };
}

function found<T extends Found>(read: T, { base }: Wanted): T {
  if (read.missing === 'base') throw failure(201, `there are no rates of ${base} on those days`);
  if (read.missing === 'day') throw failure(106, 'there are no rates on those days');
  return read;
}
