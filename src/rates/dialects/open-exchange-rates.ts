import { amountIn, product } from '../../../core/domain/amount.js';
import { currencies, isCurrency, namesOf } from '../../../core/domain/currencies.js';
import {
  addDays,
  type CalendarDate,
  daysBetween,
  earlier,
  isCalendarDate,
  periodAround,
} from '../../../core/domain/dates.js';
import { groupBy } from '../../../core/domain/group-by.js';
import { excerpt } from '../../parameters/excerpt.js';
import type { Row } from '../snapshot/row.js';
import {
  type Dialect,
  type DialectAnswer,
  DialectError,
  type DialectRequest,
  figure,
  figures,
  ofDay,
  ofRange,
} from './dialect.js';
import { type Missing, MOST_DAYS, type RangeRates, type Wanted } from './dialect-rates.js';
import { booleanIn, codeIn, codesIn } from './parameters.js';

const TEXTS = {
  disclaimer: 'Rates of public sources, without any warranty',
  license: 'The terms of each source are in /v2/providers',
};
const RATES = {
  base: 'Base currency; USD by default',
  symbols: 'Currency codes, separated by commas; all by default',
  currencies: 'Another name of symbols',
};
const INACTIVE = { show_inactive: '1: include retired currencies' };
const SERIES = { start: 'First day', end: 'Last day; at most 366 days', ...RATES };
const CANDLES = { start_time: 'First day: an instant at midnight UTC', period: '1d, 1w or 1mo', ...RATES };
/** The names of errors that also occur outside this dialect, by status. */
const MESSAGES: Readonly<Record<number, string>> = {
  404: 'not_found',
  405: 'not_allowed',
  429: 'access_restricted',
};

/** https://docs.openexchangerates.org */
export const openExchangeRates: Dialect = {
  name: 'Open Exchange Rates',
  folders: ['/oxr/api'],
  parameters: {
    only_alternative: '1: return no rates, as there are no alternative ones',
    show_bid_ask: '1 is refused, as there are no bid and ask rates',
    prettyprint: '0: return a single line',
    callback: 'Name of a JSONP function that is called with the body',
  },
  routes: [
    { path: 'latest.json', parameters: RATES, answer: ratesOfDay },
    { path: 'historical/:date.json', parameters: RATES, answer: ratesOfDay },
    { path: 'currencies.json', parameters: INACTIVE, exampleOf: { query: {} }, answer: names },
    { path: 'time-series.json', parameters: SERIES, answer: series },
    { path: 'convert/:value/:from/:to', answer: conversion },
    { path: 'ohlc.json', parameters: CANDLES, answer: candles },
    { path: 'usage.json', answer: usage },
  ],
  indent: ({ query }) => (booleanIn(query.prettyprint) === false ? 0 : 2),
  errors: [wrong('invalid_base', 'no such currency: XYZ'), noBidAndAsk()],
  errorBody({ status, dialectCode: code = MESSAGES[status] ?? 'not_available', message: description }) {
    return { error: true, status, message: `${code}`, description };
  },
};

function ratesOfDay({ query, params: { date }, today }: DialectRequest): DialectAnswer {
  if (date !== undefined && !isCalendarDate(date))
    throw wrong('invalid_date', `invalid date: ${excerpt(date)}`);
  if (date !== undefined && date > today) throw wrong('not_available', `${date} is after today, ${today}`);
  const wanted = { ...selectionIn(query), date };
  const { base } = wanted;
  return ofDay(wanted, missing, ({ timestamp, rates }) => {
    return { ...TEXTS, timestamp, base, rates: figures(rates) };
  });
}

function names({ query }: DialectRequest): DialectAnswer {
  const wanted = selectionIn({ ...query, base: 'EUR' });
  const isAll = booleanIn(query.show_inactive) && !wanted.symbols;
  return ofDay(wanted, missing, ({ rates }) => {
    return namesOf(isAll ? [...currencies.keys()] : rates.map(({ quote }) => quote));
  });
}

function series({ query }: DialectRequest): DialectAnswer {
  const { start = '', end = '' } = query;
  const length = isCalendarDate(start) && isCalendarDate(end) ? daysBetween(start, end) + 1 : 0;
  if (length < 1 || length > MOST_DAYS)
    throw wrong('invalid_date_range', `start and end must be ascending dates, at most ${MOST_DAYS} days`);
  const wanted = { ...selectionIn(query), from: start, to: end };
  return ofRange(wanted, missing, (days) => {
    const rates = Object.fromEntries(days.map((day) => [day.date, figures(day.rates)]));
    return { ...TEXTS, start_date: start, end_date: end, base: wanted.base, rates };
  });
}

function conversion({ query, params: { value = '', ...codes } }: DialectRequest): DialectAnswer {
  const [amount, from, to] = [amountIn(value), codeIn(codes.from), codeIn(codes.to)];
  if (amount === undefined) throw wrong('invalid_value', `invalid amount: ${excerpt(value)}`);
  if (!isCurrency(from) || !isCurrency(to)) throw wrong('invalid_currency', 'no such currency');
  const wanted = { ...selectionIn({ ...query, base: from }), symbols: [to] };
  const none = () => wrong('invalid_currency', `there is no rate from ${from} to ${to}`);
  return ofDay(wanted, none, ({ timestamp, rates: [row] }) => {
    if (!row) throw none();
    const request = { query: `/convert/${value}/${from}/${to}`, amount: Number(amount), from, to };
    const rate = figure(row);
    return { ...TEXTS, request, meta: { timestamp, rate }, response: product(amount, rate, 6) };
  });
}

function candles({ query, today }: DialectRequest): DialectAnswer {
  const { from, to } = daysOfCandles(query, today);
  const wanted = { ...selectionIn(query), from, to };
  return ofRange(wanted, missing, (days) => {
    const times = { start_time: `${from}T00:00:00Z`, end_time: `${to}T23:59:59Z` };
    return { ...TEXTS, ...times, base: wanted.base, rates: candlesOf(days) };
  });
}

/** Returns the day after a period that begins on the given day. */
const PERIODS = new Map<string, (from: CalendarDate) => CalendarDate>([
  ['1d', (from) => addDays(from, 1)],
  ['1w', (from) => addDays(from, 7)],
  ['1mo', sameDayOfNextMonth],
]);

/** The first and last day of a period of `ohlc.json`. Throws a DialectError. */
export function daysOfCandles(
  { start_time = '', period = '' }: DialectRequest['query'],
  today: CalendarDate,
): { from: CalendarDate; to: CalendarDate } {
  const [, from = ''] = /^([\d-]+)T00:00:00Z$/.exec(start_time) ?? [];
  if (!isCalendarDate(from))
    throw wrong('invalid_start_time', 'start_time must be a midnight, such as 2026-03-02T00:00:00Z');
  const after = PERIODS.get(period);
  if (!after)
    throw wrong('invalid_period_for_start_time', `period must be one of ${[...PERIODS.keys()].join(', ')}`);
  if (from > today) throw wrong('not_available', `${from} is after today, ${today}`);
  return { from, to: addDays(after(from), -1) };
}

/** Returns the same day of the next month, or the last day of that month. */
function sameDayOfNextMonth(from: CalendarDate): CalendarDate {
  const next = addDays(periodAround('month', from).to, 1);
  return earlier(`${next.slice(0, 8)}${from.slice(8)}`, periodAround('month', next).to);
}

/** Candles over daily rates, sorted by code. */
function candlesOf(days: RangeRates) {
  const rows = days.flatMap(({ rates }) => rates);
  const byCode = groupBy(rows, ({ quote }) => quote);
  const sorted = [...byCode].sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([code, rows]) => [code, candleOf(rows)]));
}

/** The first, highest, lowest and last rate of the rows of one currency, ordered by day, and the mean of all. */
function candleOf(rows: readonly Row[]) {
  const shown = rows.map((row) => figure(row));
  const mean = rows.reduce((sum, { rate }) => sum + rate, 0) / rows.length;
  return {
    open: shown[0],
    high: Math.max(...shown),
    low: Math.min(...shown),
    close: shown.at(-1),
    average: figure({ rate: mean, published: rows.every(({ published }) => published) }),
  };
}

/** Requests are not counted, and the period is the calendar month. */
function usage({ today }: DialectRequest): DialectAnswer {
  const features = { base: true, symbols: true, experimental: false, 'time-series': true, convert: true };
  const plan = { name: 'Almanac', quota: 'unlimited', update_frequency: '86400s', features };
  const requests = { requests: 0, requests_quota: -1, requests_remaining: -1 };
  const days_elapsed = Number(today.slice(8)) - 1;
  const days_remaining = Number(periodAround('month', today).to.slice(8)) - days_elapsed;
  const usage = { ...requests, days_elapsed, days_remaining, daily_average: 0 };
  const data = { app_id: '-', status: 'active', plan, usage };
  // The body depends on the present day, as the newest rates do.
  return { wanted: { base: 'EUR', symbols: [] }, body: () => ({ status: 200, data }) };
}

function selectionIn({ base = 'USD', ...query }: DialectRequest['query']): Wanted {
  if (booleanIn(query.show_bid_ask)) throw noBidAndAsk();
  const code = codeIn(base);
  if (!isCurrency(code)) throw wrong('invalid_base', `no such currency: ${excerpt(code)}`);
  const symbols = codesIn(query.symbols ?? query.currencies);
  return { base: code, symbols: booleanIn(query.only_alternative) ? [] : symbols };
}

const missing: Missing = (what, base) =>
  what === 'base'
    ? wrong('invalid_base', `there are no rates for ${base} on these dates`)
    : wrong('not_available', 'there are no rates on these dates');

function noBidAndAsk(): DialectError {
  return new DialectError(403, 'not_allowed', 'bid and ask rates are not available: omit show_bid_ask');
}

function wrong(code: string, description: string): DialectError {
  return new DialectError(400, code, description);
}
