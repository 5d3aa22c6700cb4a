// The shared part of Fixer and currencylayer, services of one company.
import { amountIn, changeBetween, product } from '../../../core/domain/amount.js';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type CalendarDate, daysBetween, earlier, isCalendarDate } from '../../../core/domain/dates.js';
import { excerpt } from '../../parameters/excerpt.js';
import { failure } from './apilayer-errors.js';
import { codeIn, codesIn, type DialectAnswer, type DialectRequest, ofDay, ofRange } from './dialect.js';
import { type Missing, MOST_DAYS, type Wanted } from './dialect-rates.js';
import { figure, figures } from './figures.js';

type Query = DialectRequest['query'];
type ByCode<T> = Readonly<Record<string, T>>;

/** How a service names and orders what both have. */
export interface Style {
  /** The first members of all bodies. */
  opening: object;
  base: 'base' | 'source';
  symbols: 'symbols' | 'currencies';
  rates: 'rates' | 'quotes';
  rate: 'rate' | 'quote';
  defaultBase: string;
  /** The keys of rates, made from the codes. */
  named<T>(base: string, byCode: ByCode<T>): ByCode<T>;
  ofDay(day: { when: When; timestamp: number; base: object; rates: object }): object;
  /** The members of a conversion that describe its day. */
  ofConversion(when: When): object;
}

interface When {
  date: CalendarDate;
  isHistorical: boolean;
}

export const CONVERSION = {
  parameters: {
    from: 'The currency of the amount',
    to: 'The currency that is wanted',
    amount: 'A number',
    date: 'The newest rate if absent',
  },
  exampleOf: { query: { from: 'EUR', to: 'USD', amount: '25' } },
};
export const RANGE = { start_date: 'The first day', end_date: 'The last day, of 366 at most' };

/** The answers of a service. `flag` is the member that names the kind of a range. */
export function answersIn(style: Style) {
  return {
    /** The rates of a day; undefined for the newest ones. */
    day: ({ query }: DialectRequest, date?: CalendarDate) => answerDay(style, query, date),
    series: (flag: string) => (request: DialectRequest) => answerSeries(style, flag, request),
    changes: (flag: string) => (request: DialectRequest) => answerChanges(style, flag, request),
    conversion: (request: DialectRequest) => answerConversion(style, request),
    names: () => answerNames(style),
  };
}

function answerDay(style: Style, query: Query, date: CalendarDate | undefined): DialectAnswer {
  const wanted = { ...selectionIn(query, style), date };
  const { base } = wanted;
  return ofDay(wanted, missing, ({ date: day, timestamp, rates }) => {
    const when = { date: day, isHistorical: date !== undefined };
    const quotes = { [style.rates]: style.named(base, figures(rates)) };
    return {
      ...style.opening,
      ...style.ofDay({ when, timestamp, base: { [style.base]: base }, rates: quotes }),
    };
  });
}

function answerSeries(style: Style, flag: string, { query }: DialectRequest): DialectAnswer {
  const { from, to } = daysIn(query);
  const wanted = { ...selectionIn(query, style), from, to };
  const { base } = wanted;
  return ofRange(wanted, missing, (days) => {
    const byDay = days.map(({ date, rates }) => [date, style.named(base, figures(rates))]);
    const range = { [flag]: true, start_date: from, end_date: to, [style.base]: base };
    return { ...style.opening, ...range, [style.rates]: Object.fromEntries(byDay) };
  });
}

function answerChanges(style: Style, flag: string, { query, today }: DialectRequest): DialectAnswer {
  const { from, to } = daysIn(query);
  const selection = selectionIn(query, style);
  return {
    wanted: { ...selection, from, to },
    async body(read) {
      if (from > today) throw failure(106, `start_date, ${from}, is after today, ${today}`);
      const { base } = selection;
      const start = await read.ofDay({ ...selection, date: from }, missing);
      const end = await read.ofDay({ ...selection, date: earlier(to, today) }, missing);
      const changes = style.named(base, changesBetween(figures(start.rates), figures(end.rates)));
      const range = { [flag]: true, start_date: from, end_date: to, [style.base]: base };
      return { ...style.opening, ...range, [style.rates]: changes };
    },
  };
}

function changesBetween(starts: ByCode<number>, ends: ByCode<number>) {
  const changes = Object.entries(starts).flatMap(([code, start_rate]) => {
    const { [code]: end_rate } = ends;
    if (end_rate === undefined) return [];
    const { change, percent } = changeBetween(start_rate, end_rate, 4);
    return [[code, { start_rate, end_rate, change, change_pct: percent }] as const];
  });
  return Object.fromEntries(changes);
}

function answerConversion(style: Style, { query, today }: DialectRequest): DialectAnswer {
  const [from, to, amount] = [codeIn(query.from ?? ''), codeIn(query.to ?? ''), amountIn(query.amount ?? '')];
  if (!isCurrency(from)) throw failure(401, `from is no currency: ${excerpt(from)}`);
  if (!isCurrency(to)) throw failure(402, `to is no currency: ${excerpt(to)}`);
  if (amount === undefined) throw failure(403, `amount is no number: ${excerpt(query.amount ?? '')}`);
  const date = query.date === undefined ? undefined : dayIn(query.date, today);
  const wanted = { base: from, symbols: [to], date };
  return ofDay(wanted, missingOne, ({ date: day, timestamp, rates: [row] }) => {
    if (!row) throw failure(402, `there is no rate of ${to} on that day`);
    const rate = figure(row);
    return {
      ...style.opening,
      query: { from, to, amount: Number(amount) },
      info: { timestamp, [style.rate]: rate },
      ...style.ofConversion({ date: day, isHistorical: date !== undefined }),
      result: product(amount, rate, 6),
    };
  });
}

function answerNames(style: Style): DialectAnswer {
  const wanted = { base: style.defaultBase, symbols: undefined, date: undefined };
  return ofDay(wanted, missing, ({ rates }) => ({
    ...style.opening,
    [style.symbols]: namesOf(rates.map(({ quote }) => quote)),
  }));
}

/** Throws a DialectError. */
export function dayIn(date: string | undefined, today: CalendarDate): CalendarDate {
  if (date === undefined) throw failure(301, 'date is missing: add a day, such as date=2026-03-02');
  if (!isCalendarDate(date)) throw failure(302, `no such day: ${excerpt(date)}`);
  if (date > today) throw failure(302, `${date} is after today, ${today}`);
  return date;
}

function selectionIn(query: Query, style: Style): Wanted {
  const { [style.base]: base = style.defaultBase, [style.symbols]: codes } = query;
  const symbols = codesIn(codes);
  if (!isCurrency(codeIn(base))) throw failure(201, `no such currency: ${excerpt(base)}`);
  if (symbols && !symbols.some(isCurrency)) throw failure(202, `no such currency: ${excerpt(codes ?? '')}`);
  return { base: codeIn(base), symbols };
}

function daysIn({ start_date: from, end_date: to }: Query): { from: CalendarDate; to: CalendarDate } {
  if (from === undefined || to === undefined) throw failure(501, 'start_date and end_date are needed');
  if (!isCalendarDate(from)) throw failure(502, `no such day: ${excerpt(from)}`);
  if (!isCalendarDate(to)) throw failure(503, `no such day: ${excerpt(to)}`);
  const length = daysBetween(from, to) + 1;
  if (length < 1) throw failure(504, `start_date, ${from}, is after end_date, ${to}`);
  if (length > MOST_DAYS) throw failure(505, `${length} days are too many: ask for at most ${MOST_DAYS}`);
  return { from, to };
}

const missing: Missing = (what, base) =>
  what === 'base'
    ? failure(201, `there are no rates of ${base} on those days`)
    : failure(106, 'there are no rates on those days');

const missingOne: Missing = (what, base) =>
  what === 'base'
    ? failure(401, `there is no rate of ${base} on that day`)
    : failure(106, 'there are no rates of that day');
