import { excerpt } from '../../parameters/excerpt.js';
import {
  CONVERSION,
  changesByCode,
  conversionIn,
  converted,
  dayIn,
  daysIn,
  namesByCode,
  RANGE,
  ratesByDay,
  ratesOfDay,
  selectionIn,
  spanOf,
} from './apilayer.js';
import { errorForm, errors, failure, PARAMETERS, written } from './apilayer-errors.js';
import type { Dialect, DialectRequest as Request } from './dialect.js';
import type { RatesReader, Wanted } from './dialect-rates.js';
import { figures } from './figures.js';
import { type JsonAnswer, jsonRoutes } from './json-routes.js';

const RATES = { base: 'EUR if absent', symbols: 'Codes; all if absent' };
const SUCCESS = { success: true };

const rates = { GBP: 0.8673, USD: 1.1546 };
const day = { timestamp: 1773964799, base: 'EUR', date: '2026-03-19', rates };
const days = { start_date: '2026-03-18', end_date: '2026-03-19', base: 'EUR' };
const change = { start_rate: 1.1537, end_rate: 1.1546, change: 0.0009, change_pct: 0.078 };
const conversion = {
  query: { from: 'EUR', to: 'USD', amount: 25 },
  info: { timestamp: 1773964799, rate: 1.1546 },
  date: '2026-03-19',
  result: 28.865,
};

const service = {
  name: 'Fixer',
  folders: ['/fixer', '/fixer/api', '/fixer/v1'],
  parameters: PARAMETERS,
  written,
};

/** Fixer, exchangeratesapi.io and the former exchangerate.host: https://fixer.io/documentation */
export const fixer: Dialect = {
  segment: 'fixer',
  routes: jsonRoutes(service, [
    ['latest', RATES, ratesOf, { ...SUCCESS, ...day }],
    ['convert', CONVERSION, convert, { ...SUCCESS, ...conversion }],
    [
      'timeseries',
      { ...RANGE, ...RATES },
      series,
      { ...SUCCESS, timeseries: true, ...days, rates: { '2026-03-19': rates } },
    ],
    [
      'fluctuation',
      { ...RANGE, ...RATES },
      fluctuation,
      { ...SUCCESS, fluctuation: true, ...days, rates: { USD: change } },
    ],
    ['symbols', {}, names, { ...SUCCESS, symbols: { EUR: 'Euro' } }],
    // This must be last, as it matches any path.
    [':date', RATES, ratesOf, { ...SUCCESS, historical: true, ...day }],
  ]),
  errorForm,
  errors,
};

/** Rates of the day in the path, or the newest ones. */
function ratesOf({ query, params, today }: Request): JsonAnswer {
  if (params.date !== undefined && !/^\d/.test(params.date))
    throw failure(103, `there is no ${excerpt(params.date)}`);
  const day = params.date === undefined ? undefined : dayIn(params.date, today);
  const wanted = { ...selectionOf(query), date: day };
  const body = async (read: RatesReader) => {
    const { date, timestamp, rates } = await ratesOfDay(read, wanted);
    const when = day === undefined ? { timestamp } : { timestamp, historical: true };
    return { ...SUCCESS, ...when, base: wanted.base, date, rates: figures(rates) };
  };
  return { wanted, body };
}

function convert(request: Request): JsonAnswer {
  const conversion = conversionIn(request);
  const body = async (read: RatesReader) => {
    const { date, timestamp, rate, result } = await converted(read, conversion);
    const when = conversion.wanted.date === undefined ? { date } : { date, historical: true };
    return { ...SUCCESS, query: conversion.asked, info: { timestamp, rate }, ...when, result };
  };
  return { wanted: conversion.wanted, body };
}

function series({ query }: Request): JsonAnswer {
  const wanted = { ...daysIn(query), ...selectionOf(query) };
  const body = async (read: RatesReader) => {
    const rates = await ratesByDay(read, wanted);
    return { ...SUCCESS, timeseries: true, ...spanOf(wanted), base: wanted.base, rates };
  };
  return { wanted, body };
}

function fluctuation({ query, today }: Request): JsonAnswer {
  const wanted = { ...daysIn(query), ...selectionOf(query) };
  const body = async (read: RatesReader) => {
    const rates = await changesByCode(read, wanted, today);
    return { ...SUCCESS, fluctuation: true, ...spanOf(wanted), base: wanted.base, rates };
  };
  return { wanted, body };
}

function names(): JsonAnswer {
  const wanted = { ...selectionOf({}), date: undefined };
  const body = async (read: RatesReader) => ({ ...SUCCESS, symbols: await namesByCode(read, wanted) });
  return { wanted, body };
}

function selectionOf({ base = 'EUR', symbols }: Request['query']): Wanted {
  return selectionIn(base, symbols);
}
