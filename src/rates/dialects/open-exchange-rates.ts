import { amountIn, product } from '../../../core/domain/amount.js';
import { currencies, isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { daysBetween, isCalendarDate } from '../../../core/domain/dates.js';
import { excerpt } from '../../parameters/excerpt.js';
import { candlesOf, daysOfCandles } from './candles.js';
import {
  booleanIn,
  codeIn,
  codesIn,
  type Dialect,
  DialectError,
  type DialectRequest as Request,
} from './dialect.js';
import { type Found, MOST_DAYS, type RatesReader, type Wanted } from './dialect-rates.js';
import { figure, figures } from './figures.js';
import { type JsonAnswer, jsonRoutes } from './json-routes.js';
import { errorForm, errors, PARAMETERS, written } from './open-exchange-rates-errors.js';
import { SOURCES, WARRANTY } from './texts.js';
import { usage, usageOn } from './usage.js';

const TEXTS = { disclaimer: WARRANTY, license: SOURCES };
const RATES = { base: 'USD if absent', symbols: 'Codes; all if absent', currencies: 'As symbols' };
const SERIES = { start: 'The first day', end: 'The last day, of 366 at most', ...RATES };
const CANDLES = { start_time: 'Midnight, UTC, of the first day', period: '1d, 1w or 1mo', ...RATES };

const open = { ...TEXTS, timestamp: 1773964799, base: 'USD', rates: { EUR: 0.866101, USD: 1 } };
const days = { start_date: '2026-03-02', end_date: '2026-03-02', base: 'USD' };
const times = { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-02T23:59:59Z', base: 'EUR' };
const candle = { open: 1.1698, high: 1.1698, low: 1.1698, close: 1.1698, average: 1.1698 };
const asked = { query: '/convert/100/EUR/USD', amount: 100, from: 'EUR', to: 'USD' };
const converted = { request: asked, meta: { timestamp: 1773964799, rate: 1.1546 }, response: 115.46 };

const service = { name: 'Open Exchange Rates', folders: ['/oxr/api'], parameters: PARAMETERS, written };

/** https://docs.openexchangerates.org */
export const openExchangeRates: Dialect = {
  segment: 'oxr',
  routes: jsonRoutes(service, [
    ['latest.json', RATES, ratesOfDay, open],
    ['historical/:date.json', RATES, ratesOfDay, open],
    ['currencies.json', { show_inactive: '1 for those of the past too' }, names, { EUR: 'Euro' }],
    ['time-series.json', SERIES, series, { ...TEXTS, ...days, rates: { '2026-03-02': open.rates } }],
    ['convert/:value/:from/:to', {}, conversion, { ...TEXTS, ...converted }],
    ['ohlc.json', CANDLES, candles, { ...TEXTS, ...times, rates: { USD: candle } }],
    ['usage.json', {}, usage, usageOn('2026-03-20')],
  ]),
  errorForm,
  errors,
};

/** Rates of the day in the path, or the newest ones. */
function ratesOfDay({ query, params: { date }, today }: Request): JsonAnswer {
  if (date !== undefined && !isCalendarDate(date))
    throw wrong('invalid_date', `no such day: ${excerpt(date)}`);
  if (date !== undefined && date > today) throw wrong('not_available', `${date} is after today, ${today}`);
  const wanted = { ...selectionIn(query), date };
  const body = async (read: RatesReader) => {
    const { timestamp, rates } = found(await read.ofDay(wanted), wanted);
    return { ...TEXTS, timestamp, base: wanted.base, rates: figures(rates) };
  };
  return { wanted, body };
}

function names({ query }: Request): JsonAnswer {
  const wanted = { ...selectionIn({ ...query, base: 'EUR' }), date: undefined };
  const isAll = booleanIn(query.show_inactive) && !wanted.symbols;
  const body = async (read: RatesReader) => {
    const { rates } = await read.ofDay(wanted);
    return namesOf(isAll ? [...currencies.keys()] : rates.map(({ quote }) => quote));
  };
  return { wanted, body };
}

function series({ query }: Request): JsonAnswer {
  const { start = '', end = '' } = query;
  const length = isCalendarDate(start) && isCalendarDate(end) ? daysBetween(start, end) + 1 : 0;
  if (length < 1 || length > MOST_DAYS)
    throw wrong('invalid_date_range', `start and end must be days in their order, ${MOST_DAYS} at most`);
  const wanted = { ...selectionIn(query), from: start, to: end };
  const body = async (read: RatesReader) => {
    const { days } = found(await read.ofRange(wanted), wanted);
    const rates = Object.fromEntries(days.map((day) => [day.date, figures(day.rates)]));
    return { ...TEXTS, start_date: start, end_date: end, base: wanted.base, rates };
  };
  return { wanted, body };
}

function conversion({ query, params: { value = '', ...codes } }: Request): JsonAnswer {
  const [amount, from, to] = [amountIn(value), codeIn(codes.from ?? ''), codeIn(codes.to ?? '')];
  if (amount === undefined) throw wrong('invalid_value', `no amount: ${excerpt(value)}`);
  if (!isCurrency(from) || !isCurrency(to)) throw wrong('invalid_currency', 'there are no such currencies');
  const wanted = { ...selectionIn({ ...query, base: from }), symbols: [to], date: undefined };
  const body = async (read: RatesReader) => {
    const {
      timestamp,
      rates: [row],
    } = await read.ofDay(wanted);
    if (!row) throw wrong('invalid_currency', `there is no rate of ${from} in ${to}`);
    const request = { query: `/convert/${value}/${from}/${to}`, amount: Number(amount), from, to };
    const rate = figure(row);
    return { ...TEXTS, request, meta: { timestamp, rate }, response: product(amount, rate, 6) };
  };
  return { wanted, body };
}

function candles({ query, today }: Request): JsonAnswer {
  const { from, to } = daysOfCandles(query, today);
  const wanted = { ...selectionIn(query), from, to };
  const body = async (read: RatesReader) => {
    const rates = candlesOf(found(await read.ofRange(wanted), wanted).days);
    const times = { start_time: `${from}T00:00:00Z`, end_time: `${to}T23:59:59Z` };
    return { ...TEXTS, ...times, base: wanted.base, rates };
  };
  return { wanted, body };
}

/** Throws a DialectError. */
function selectionIn({ base = 'USD', ...query }: Request['query']): Wanted {
  if (booleanIn(query.show_bid_ask))
    throw new DialectError(403, 'not_allowed', 'there are no bid and ask rates: leave show_bid_ask out');
  const code = codeIn(base);
  if (!isCurrency(code)) throw wrong('invalid_base', `no such currency: ${excerpt(code)}`);
  const symbols = codesIn(query.symbols ?? query.currencies);
  return { base: code, symbols: booleanIn(query.only_alternative) ? [] : symbols };
}

/** Returns the rates read, if there are any. Throws a DialectError otherwise. */
function found<T extends Found>(read: T, { base }: Wanted): T {
  if (read.missing === 'base') throw wrong('invalid_base', `there are no rates of ${base} on those days`);
  if (read.missing === 'day') throw wrong('not_available', 'there are no rates on those days');
  return read;
}

function wrong(code: string, description: string): DialectError {
  return new DialectError(400, code, description);
}
