// Fixer and currencylayer, services of one company.
import * as z from 'zod';
import { amountIn, changeBetween, product } from '../../../core/domain/amount.js';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { type CalendarDate, daysBetween, earlier, isCalendarDate } from '../../../core/domain/dates.js';
import { readDataFile } from '../../../core/process/project-files.js';
import { excerpt } from '../../parameters/excerpt.js';
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
import { type DayRates, type Missing, MOST_DAYS, type Wanted, type WantedRange } from './dialect-rates.js';
import { booleanIn, codeIn, codesIn } from './parameters.js';

/** The types of errors, by their code. */
const TYPES = readDataFile('apilayer_errors.json', z.record(z.string(), z.string()));
/** The codes of errors that also occur outside these dialects, by status. */
const NUMBERS: Readonly<Record<number, number>> = { 404: 103, 405: 103, 429: 104, 503: 106 };

type Query = DialectRequest['query'];
type ByCode<T> = Readonly<Record<string, T>>;

/** How a service names and orders what both have. */
interface Style extends Pick<Dialect, 'name' | 'folders'> {
  paths: Readonly<Record<'newest' | 'historical' | 'series' | 'changes' | 'names', string>>;
  /** The first members of all bodies. */
  opening: object;
  names: Readonly<Record<'base' | 'symbols' | 'rates' | 'rate', string>>;
  defaultBase: string;
  /** The key of a rate. */
  keyOf(base: string, code: string): string;
  ofDay(day: Day): object;
  /** The members of a conversion that describe its day. */
  ofConversion(day: Pick<Day, 'date' | 'historical'>): object;
}

interface Day extends Pick<DayRates, 'date' | 'timestamp'> {
  /** Absent unless the client named the day. */
  historical: true | undefined;
  base: string;
  rates: ByCode<number>;
}

/** The dialect of a service: its routes, and its form of bodies and errors. */
function inStyle(style: Style): Dialect {
  const { name, folders, paths, names, defaultBase } = style;
  const rates = {
    [names.base]: `Base currency; ${defaultBase} by default`,
    [names.symbols]: 'Currency codes, separated by commas; all by default',
  };
  const day = paths.historical === ':date' ? {} : { date: 'The day' };
  const range = { ...RANGE, ...rates };
  return {
    name,
    folders,
    routes: [
      { path: paths.newest, parameters: rates, answer: ({ query }) => answerDay(style, query, undefined) },
      { path: 'convert', ...CONVERSION, answer: (request) => answerConversion(style, request) },
      { path: paths.series, parameters: range, answer: (request) => answerSeries(style, request) },
      { path: paths.changes, parameters: range, answer: (request) => answerChanges(style, request) },
      { path: paths.names, answer: () => answerNames(style) },
      {
        path: paths.historical,
        parameters: { ...day, ...rates },
        answer: (request) => answerHistorical(style, request),
      },
    ],
    parameters: {
      format: '1: indent the body',
      callback: 'Name of a JSONP function that is called with the body',
    },
    indent: ({ query }) => (booleanIn(query.format) ? 2 : 0),
    errors: [failure(103, 'nothing at /fixer/newest'), failure(201, 'no such currency: XYZ')],
    errorBody({ status, dialectCode: code = NUMBERS[status] ?? status, message: info }) {
      const type = TYPES[code] ?? 'internal_error';
      return { success: false, error: { code: Number(code), type, info } };
    },
  };
}

function answerHistorical(style: Style, { query, params, today }: DialectRequest): DialectAnswer {
  const { date } = params;
  if (date !== undefined && !/^\d/.test(date)) throw failure(103, `unknown endpoint: ${excerpt(date)}`);
  return answerDay(style, query, dayIn(date ?? query.date, today));
}

function answerDay(style: Style, query: Query, date: CalendarDate | undefined): DialectAnswer {
  const wanted = { ...selectionIn(query, style), date };
  const { base } = wanted;
  const historical = date === undefined ? undefined : true;
  return ofDay(wanted, missing, (found) => {
    const rates = keyed(style, base, figures(found.rates));
    return { ...style.opening, ...style.ofDay({ ...found, historical, base, rates }) };
  });
}

const RANGE = { start_date: 'First day', end_date: 'Last day; at most 366 days' };

function answerSeries(style: Style, { query }: DialectRequest): DialectAnswer {
  const wanted = { ...daysIn(query), ...selectionIn(query, style) };
  return ofRange(wanted, missing, (days) => {
    const byDay = days.map(({ date, rates }) => [date, keyed(style, wanted.base, figures(rates))]);
    return bodyOfRange(style, 'series', wanted, Object.fromEntries(byDay));
  });
}

function answerChanges(style: Style, { query, today }: DialectRequest): DialectAnswer {
  const wanted = { ...daysIn(query), ...selectionIn(query, style) };
  const { from, to, ...selection } = wanted;
  return {
    wanted,
    async body(read) {
      if (from > today) throw failure(106, `start_date, ${from}, is after today, ${today}`);
      const start = await read.ofDay({ ...selection, date: from }, missing);
      const end = await read.ofDay({ ...selection, date: earlier(to, today) }, missing);
      const changes = keyed(style, wanted.base, changesBetween(start.rates, end.rates));
      return bodyOfRange(style, 'changes', wanted, changes);
    },
  };
}

function bodyOfRange(
  { opening, names, paths }: Style,
  kind: 'series' | 'changes',
  { from, to, base }: WantedRange,
  rates: object,
) {
  const range = { [paths[kind]]: true, start_date: from, end_date: to, [names.base]: base };
  return { ...opening, ...range, [names.rates]: rates };
}

function keyed<T>({ keyOf }: Style, base: string, byCode: ByCode<T>): ByCode<T> {
  return Object.fromEntries(Object.entries(byCode).map(([code, value]) => [keyOf(base, code), value]));
}

/** Changes are those of the unrounded rates. */
function changesBetween(starts: DayRates['rates'], ends: DayRates['rates']) {
  const byQuote = new Map(ends.map((end) => [end.quote, end]));
  const changes = starts.flatMap((start) => {
    const end = byQuote.get(start.quote);
    if (!end) return [];
    const { change, percent } = changeBetween(start.rate, end.rate, 4);
    const [start_rate, end_rate] = [figure(start), figure(end)];
    return [[start.quote, { start_rate, end_rate, change, change_pct: percent }] as const];
  });
  return Object.fromEntries(changes);
}

const CONVERSION = {
  parameters: {
    from: 'Currency of the amount',
    to: 'Currency of the result',
    amount: 'Amount to convert',
    date: 'Day of the rate; the latest by default',
  },
  exampleOf: { query: { from: 'EUR', to: 'USD', amount: '25' } },
};

function answerConversion(style: Style, { query, today }: DialectRequest): DialectAnswer {
  const [from, to, amount] = [codeIn(query.from), codeIn(query.to), amountIn(query.amount ?? '')];
  if (!isCurrency(from)) throw failure(401, `from is not a currency: ${excerpt(from)}`);
  if (!isCurrency(to)) throw failure(402, `to is not a currency: ${excerpt(to)}`);
  if (amount === undefined) throw failure(403, `amount is not a number: ${excerpt(query.amount ?? '')}`);
  const date = query.date === undefined ? undefined : dayIn(query.date, today);
  return ofDay({ base: from, symbols: [to], date }, missingOne, ({ date: day, timestamp, rates: [row] }) => {
    if (!row) throw failure(402, `there is no rate for ${to} on this date`);
    const rate = figure(row);
    return {
      ...style.opening,
      query: { from, to, amount: Number(amount) },
      info: { timestamp, [style.names.rate]: rate },
      ...style.ofConversion({ date: day, historical: date === undefined ? undefined : true }),
      result: product(amount, rate, 6),
    };
  });
}

function answerNames(style: Style): DialectAnswer {
  return ofDay({ base: style.defaultBase }, missing, ({ rates }) => ({
    ...style.opening,
    [style.names.symbols]: namesOf(rates.map(({ quote }) => quote)),
  }));
}

/** Reads a day up to today. Throws a DialectError. */
function dayIn(date: string | undefined, today: CalendarDate): CalendarDate {
  if (date === undefined) throw failure(301, 'date is missing: add a day, such as date=2026-03-02');
  if (!isCalendarDate(date)) throw failure(302, `invalid date: ${excerpt(date)}`);
  if (date > today) throw failure(302, `${date} is after today, ${today}`);
  return date;
}

function selectionIn(query: Query, { names, defaultBase }: Style): Wanted {
  const { [names.base]: base = defaultBase, [names.symbols]: codes } = query;
  const symbols = codesIn(codes);
  if (!isCurrency(codeIn(base))) throw failure(201, `no such currency: ${excerpt(base)}`);
  if (symbols && !symbols.some(isCurrency)) throw failure(202, `no such currency: ${excerpt(codes ?? '')}`);
  return { base: codeIn(base), symbols };
}

function daysIn({ start_date: from, end_date: to }: Query): { from: CalendarDate; to: CalendarDate } {
  if (from === undefined || to === undefined) throw failure(501, 'start_date and end_date are required');
  if (!isCalendarDate(from)) throw failure(502, `invalid date: ${excerpt(from)}`);
  if (!isCalendarDate(to)) throw failure(503, `invalid date: ${excerpt(to)}`);
  const length = daysBetween(from, to) + 1;
  if (length < 1) throw failure(504, `start_date, ${from}, is after end_date, ${to}`);
  if (length > MOST_DAYS) throw failure(505, `${length} days exceed the limit of ${MOST_DAYS}`);
  return { from, to };
}

const missing: Missing = (what, base) => noRates(what === 'base' ? 201 : 106, base);
const missingOne: Missing = (what, base) => noRates(what === 'base' ? 401 : 106, base);

function noRates(number: number, base: string): DialectError {
  return failure(number, `there are no rates for ${number === 106 ? 'any currency' : base} on these dates`);
}

/** Creates an error by its code. Clients read bodies only if the status is 200. */
function failure(number: number, info: string): DialectError {
  return new DialectError(number === 103 ? 404 : 200, number, info);
}

/** Fixer, exchangeratesapi.io and the former exchangerate.host: https://fixer.io/documentation */
export const fixer = inStyle({
  name: 'Fixer',
  folders: ['/fixer', '/fixer/api', '/fixer/v1'],
  // The last one matches any path.
  paths: {
    newest: 'latest',
    series: 'timeseries',
    changes: 'fluctuation',
    names: 'symbols',
    historical: ':date',
  },
  opening: { success: true },
  names: { base: 'base', symbols: 'symbols', rates: 'rates', rate: 'rate' },
  defaultBase: 'EUR',
  keyOf: (_, code) => code,
  ofDay: ({ date, historical, timestamp, base, rates }) => ({ timestamp, historical, base, date, rates }),
  ofConversion: ({ date, historical }) => ({ date, historical }),
});

/** currencylayer and exchangerate.host: https://currencylayer.com/documentation */
export const currencylayer = inStyle({
  name: 'currencylayer',
  folders: ['/currencylayer', '/currencylayer/api'],
  paths: {
    newest: 'live',
    series: 'timeframe',
    changes: 'change',
    names: 'list',
    historical: 'historical',
  },
  opening: {
    success: true,
    terms: 'Rates of public sources, without any warranty',
    privacy: 'No key is needed, and none is kept',
  },
  names: { base: 'source', symbols: 'currencies', rates: 'quotes', rate: 'quote' },
  defaultBase: 'USD',
  keyOf: (source, code) => source + code,
  ofDay({ date, historical, timestamp, base: source, rates: quotes }) {
    return { historical, date: historical && date, timestamp, source, quotes };
  },
  ofConversion: ({ date, historical }) => ({ historical, date: historical && date }),
});
