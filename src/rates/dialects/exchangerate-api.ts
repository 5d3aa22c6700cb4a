import { amountIn, product } from '../../../core/domain/amount.js';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { addDays, type CalendarDate, isCalendarDate } from '../../../core/domain/dates.js';
import { excerpt } from '../../parameters/excerpt.js';
import {
  codeIn,
  type Dialect,
  type DialectAnswer,
  DialectError,
  type DialectRequest,
  type DialectRoute,
  ofDay,
  paddedDay,
} from './dialect.js';
import type { DayRates, Missing } from './dialect-rates.js';
import { figures } from './figures.js';

const TERMS = '/providers';
const RESULT = { result: 'success' };
const PROVIDER = { provider: 'Almanac' };
const LINKS = { documentation: '/docs', terms_of_use: TERMS };
/** The types of errors from outside this dialect, by status. All others count as server errors. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'malformed-request',
  404: 'malformed-request',
  405: 'malformed-request',
  429: 'quota-reached',
};

interface Found extends DayRates {
  base: string;
  today: CalendarDate;
  params: DialectRequest['params'];
}

type Layout = (found: Found) => object;

/** Rates as ExchangeRate-API sends them: https://www.exchangerate-api.com/docs/overview */
export const exchangerateApi: Dialect = {
  segment: 'er',
  name: 'ExchangeRate-API',
  folders: ['/er'],
  routes: [
    route('v6/latest/:base', (found) => ({
      ...RESULT,
      ...PROVIDER,
      ...LINKS,
      ...timesOf(found),
      time_eol_unix: 0,
      base_code: found.base,
      rates: ratesOf(found),
    })),
    route('v6/:key/latest/:base', (found) => ({ ...beginOf(found), conversion_rates: ratesOf(found) })),
    route('v6/:key/pair/:base/:target', pairOf),
    route('v6/:key/pair/:base/:target/:amount', pairOf),
    route('v6/:key/history/:base/:year/:month/:day', (found) => ({
      ...RESULT,
      ...LINKS,
      year: Number(found.params.year),
      month: Number(found.params.month),
      day: Number(found.params.day),
      base_code: found.base,
      conversion_rates: ratesOf(found),
    })),
    route('v6/:key/codes', ({ rates }) => {
      const names = namesOf(rates.map(({ quote }) => quote));
      return { ...RESULT, ...LINKS, supported_codes: Object.entries(names) };
    }),
    route('v4/latest/:base', (found) => ({
      ...PROVIDER,
      terms: TERMS,
      base: found.base,
      date: found.date,
      time_last_updated: found.timestamp,
      rates: ratesOf(found),
    })),
  ],
  errors: [malformed('ten'), unsupported('XYZ')],
  errorBody: ({ status, dialectCode: code = TYPES[status] ?? 'no-data-available' }) => ({
    result: 'error',
    'error-type': `${code}`,
  }),
};

function route(path: string, layout: Layout): DialectRoute {
  return { path, answer: (request) => answer(request, layout) };
}

/** Throws a DialectError for malformed parameters, for unknown currencies, and if there are no rates. */
function answer({ params, today }: DialectRequest, layout: Layout): DialectAnswer {
  const { base = 'EUR', target, amount, year } = params;
  const symbols = target === undefined ? undefined : [codeIn(target)];
  const date = year === undefined ? undefined : dayIn(params, today);
  const wanted = { base: codeIn(base), symbols, date };
  for (const code of [wanted.base, ...(symbols ?? [])]) if (!isCurrency(code)) throw unsupported(code);
  if (amount !== undefined && amountIn(amount) === undefined) throw malformed(amount);
  const missing: Missing = (what, base) =>
    what === 'day' || date ? noData(date ?? today) : unsupported(base);
  return ofDay(wanted, missing, (found) => layout({ ...found, base: wanted.base, today, params }));
}

/** Throws a DialectError. */
function dayIn({ year, month, day }: DialectRequest['params'], today: CalendarDate) {
  const date = paddedDay(year, month, day);
  if (!isCalendarDate(date)) throw malformed(date);
  if (date > today) throw noData(date);
  return date;
}

function beginOf(found: Found) {
  return { ...RESULT, ...LINKS, ...timesOf(found), base_code: found.base };
}

function pairOf(found: Found): object {
  const target_code = codeIn(found.params.target ?? '');
  const { [target_code]: rate } = ratesOf(found);
  if (rate === undefined) throw unsupported(target_code);
  const pair = { ...beginOf(found), target_code, conversion_rate: rate };
  const { amount } = found.params;
  return amount === undefined ? pair : { ...pair, conversion_result: product(amount, rate, 6) };
}

/** Lists the base first, then the others by code. */
function ratesOf({ base, rates }: Found): Record<string, number> {
  return { [base]: 1, ...figures(rates) };
}

function timesOf({ timestamp, today }: Found) {
  const next = Date.parse(addDays(today, 1)) / 1000;
  const utc = (seconds: number) => new Date(seconds * 1000).toUTCString().replace('GMT', '+0000');
  return {
    time_last_update_unix: timestamp,
    time_last_update_utc: utc(timestamp),
    time_next_update_unix: next,
    time_next_update_utc: utc(next),
  };
}

function malformed(what: string): DialectError {
  return new DialectError(400, 'malformed-request', `invalid: ${excerpt(what)}`);
}

function unsupported(code: string): DialectError {
  return new DialectError(404, 'unsupported-code', `no rates of ${excerpt(code)}`);
}

function noData(date: CalendarDate): DialectError {
  return new DialectError(404, 'no-data-available', `no rates on ${date}`);
}
