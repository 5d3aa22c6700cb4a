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
import { errorForm, errors, PARAMETERS, written } from './apilayer-errors.js';
import type { Dialect, DialectRequest as Request } from './dialect.js';
import type { RatesReader, Wanted, WantedDay } from './dialect-rates.js';
import { figures } from './figures.js';
import { type JsonAnswer, jsonRoutes } from './json-routes.js';
import { PRIVACY, WARRANTY } from './texts.js';

const RATES = { source: 'USD if absent', currencies: 'Codes; all if absent' };
const SERIES = { ...RANGE, ...RATES };
const SUCCESS = { success: true, terms: WARRANTY, privacy: PRIVACY };

const quotes = { USDEUR: 0.866101, USDGBP: 0.751169 };
const now = { timestamp: 1773964799, source: 'USD' };
const day = { date: '2026-03-19' };
const days = { start_date: '2026-03-18', end_date: '2026-03-19', source: 'USD' };
const change = { start_rate: 0.866776, end_rate: 0.866101, change: -0.0007, change_pct: -0.0779 };
const conversion = {
  query: { from: 'EUR', to: 'USD', amount: 25 },
  info: { timestamp: 1773964799, quote: 1.1546 },
  result: 28.865,
};

const service = {
  name: 'currencylayer',
  folders: ['/currencylayer', '/currencylayer/api'],
  parameters: PARAMETERS,
  written,
};

/** currencylayer and exchangerate.host: https://currencylayer.com/documentation */
export const currencylayer: Dialect = {
  segment: 'currencylayer',
  routes: jsonRoutes(service, [
    ['live', RATES, live, { ...SUCCESS, ...now, quotes }],
    [
      'historical',
      { date: 'The day', ...RATES },
      historical,
      { ...SUCCESS, historical: true, ...day, ...now, quotes },
    ],
    ['convert', CONVERSION, convert, { ...SUCCESS, ...conversion }],
    [
      'timeframe',
      SERIES,
      timeframe,
      { ...SUCCESS, timeframe: true, ...days, quotes: { '2026-03-19': quotes } },
    ],
    ['change', SERIES, changes, { ...SUCCESS, change: true, ...days, quotes: { USDEUR: change } }],
    ['list', {}, list, { ...SUCCESS, currencies: { EUR: 'Euro' } }],
  ]),
  errorForm,
  errors,
};

function live({ query }: Request): JsonAnswer {
  const wanted = { ...selectionOf(query), date: undefined };
  return { wanted, body: async (read) => ({ ...SUCCESS, ...(await quotesOf(read, wanted)) }) };
}

function historical({ query, today }: Request): JsonAnswer {
  const date = dayIn(query.date, today);
  const wanted = { ...selectionOf(query), date };
  const body = async (read: RatesReader) => {
    const quotes = await quotesOf(read, wanted);
    return { ...SUCCESS, historical: true, date, ...quotes };
  };
  return { wanted, body };
}

async function quotesOf(read: RatesReader, wanted: WantedDay) {
  const { timestamp, rates } = await ratesOfDay(read, wanted);
  return { timestamp, source: wanted.base, quotes: inPairs(wanted.base, figures(rates)) };
}

function convert(request: Request): JsonAnswer {
  const conversion = conversionIn(request);
  const body = async (read: RatesReader) => {
    const { date, timestamp, rate, result } = await converted(read, conversion);
    const when = conversion.wanted.date === undefined ? {} : { historical: true, date };
    return { ...SUCCESS, query: conversion.asked, info: { timestamp, quote: rate }, ...when, result };
  };
  return { wanted: conversion.wanted, body };
}

function timeframe({ query }: Request): JsonAnswer {
  const wanted = { ...daysIn(query), ...selectionOf(query) };
  const body = async (read: RatesReader) => {
    const byDay = Object.entries(await ratesByDay(read, wanted));
    const quotes = Object.fromEntries(byDay.map(([day, rates]) => [day, inPairs(wanted.base, rates)]));
    return { ...SUCCESS, timeframe: true, ...spanOf(wanted), source: wanted.base, quotes };
  };
  return { wanted, body };
}

function changes({ query, today }: Request): JsonAnswer {
  const wanted = { ...daysIn(query), ...selectionOf(query) };
  const body = async (read: RatesReader) => {
    const quotes = inPairs(wanted.base, await changesByCode(read, wanted, today));
    return { ...SUCCESS, change: true, ...spanOf(wanted), source: wanted.base, quotes };
  };
  return { wanted, body };
}

function list(): JsonAnswer {
  const wanted = { ...selectionOf({}), date: undefined };
  return { wanted, body: async (read) => ({ ...SUCCESS, currencies: await namesByCode(read, wanted) }) };
}

function selectionOf({ source = 'USD', currencies }: Request['query']): Wanted {
  return selectionIn(source, currencies);
}

/** Prefixes each code with that of the source. */
function inPairs<T>(source: string, byCode: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(byCode).map(([code, value]) => [`${source}${code}`, value]));
}
