import { amountIn, product } from '../../../core/domain/amount.js';
import { isCurrency, namesOf } from '../../../core/domain/currencies.js';
import { addDays, type CalendarDate, isCalendarDate } from '../../../core/domain/dates.js';
import { excerpt } from '../../parameters/excerpt.js';
import {
  type Dialect,
  DialectError,
  type DialectRequest,
  type DialectRoute,
  figures,
  type Layout,
  ofDay,
} from './dialect.js';
import type { DayRates, Missing } from './dialect-rates.js';
import { codeIn, paddedDay } from './parameters.js';

const SUCCESS = { result: 'success', documentation: '/docs', terms_of_use: '/providers' };
/** The types of errors from outside this dialect, by status. All others count as server errors. */
const TYPES: Readonly<Record<number, string>> = {
  400: 'malformed-request',
  404: 'malformed-request',
  405: 'malformed-request',
  429: 'quota-reached',
};

const malformed = (what: string) => new DialectError(400, 'malformed-request', `invalid: ${excerpt(what)}`);
const unsupported = (code: string) =>
  new DialectError(404, 'unsupported-code', `no rates for ${excerpt(code)}`);
const noData = (date: CalendarDate) => new DialectError(404, 'no-data-available', `no rates on ${date}`);

interface Found extends Pick<DayRates, 'date' | 'timestamp'> {
  params: DialectRequest['params'];
  base: string;
  times: ReturnType<typeof timesOf>;
  /** The base is first, then the others by code. */
  rates: Readonly<Record<string, number>>;
}

/** Rates as ExchangeRate-API sends them: https://www.exchangerate-api.com/docs/overview */
export const exchangerateApi: Dialect = {
  name: 'ExchangeRate-API',
  folders: ['/er'],
  routes: [
    route('v6/latest/:base', ({ base: base_code, times, rates }) => {
      const { result, ...links } = SUCCESS;
      return { result, provider: 'Almanac', ...links, ...times, time_eol_unix: 0, base_code, rates };
    }),
    route('v6/:key/latest/:base', (found) => ({ ...beginOf(found), conversion_rates: found.rates })),
    route('v6/:key/pair/:base/:target', pairOf),
    route('v6/:key/pair/:base/:target/:amount', pairOf),
    route('v6/:key/history/:base/:year/:month/:day', ({ base, rates, params }) => {
      const [year, month, day] = [Number(params.year), Number(params.month), Number(params.day)];
      return { ...SUCCESS, year, month, day, base_code: base, conversion_rates: rates };
    }),
    route('v6/:key/codes', ({ rates }) => {
      const names = namesOf(Object.keys(rates).sort());
      return { ...SUCCESS, supported_codes: Object.entries(names) };
    }),
    route('v4/latest/:base', ({ base, date, timestamp, rates }) => {
      const opening = { provider: 'Almanac', terms: SUCCESS.terms_of_use };
      return { ...opening, base, date, time_last_updated: timestamp, rates };
    }),
  ],
  errors: [malformed('ten'), unsupported('XYZ')],
  errorBody: ({ status, dialectCode: code = TYPES[status] ?? 'no-data-available' }) => ({
    result: 'error',
    'error-type': `${code}`,
  }),
};

function route(path: string, layout: Layout<Found>): DialectRoute {
  return {
    path,
    answer({ params, today }) {
      const wanted = wantedBy(params, today);
      const { base, date } = wanted;
      const missing: Missing = (what) => (what === 'day' || date ? noData(date ?? today) : unsupported(base));
      return ofDay(wanted, missing, (found) => {
        const rates = { [base]: 1, ...figures(found.rates) };
        return layout({ ...found, rates, base, params, times: timesOf(found.timestamp, today) });
      });
    },
  };
}

function wantedBy(
  { base = 'EUR', target, amount, ...params }: DialectRequest['params'],
  today: CalendarDate,
) {
  const symbols = target === undefined ? undefined : [codeIn(target)];
  const date = params.year === undefined ? undefined : dayIn(params, today);
  const wanted = { base: codeIn(base), symbols, date };
  for (const code of [wanted.base, ...(symbols ?? [])]) if (!isCurrency(code)) throw unsupported(code);
  if (amount !== undefined && amountIn(amount) === undefined) throw malformed(amount);
  return wanted;
}

function dayIn({ year, month, day }: DialectRequest['params'], today: CalendarDate) {
  const date = paddedDay(year, month, day);
  if (!isCalendarDate(date)) throw malformed(date);
  if (date > today) throw noData(date);
  return date;
}

function beginOf({ base, times }: Found) {
  return { ...SUCCESS, ...times, base_code: base };
}

function pairOf(found: Found): object {
  const { amount, target } = found.params;
  const target_code = codeIn(target);
  const { [target_code]: rate } = found.rates;
  if (rate === undefined) throw unsupported(target_code);
  const pair = { ...beginOf(found), target_code, conversion_rate: rate };
  return amount === undefined ? pair : { ...pair, conversion_result: product(amount, rate, 6) };
}

function timesOf(timestamp: number, today: CalendarDate) {
  const next = Date.parse(addDays(today, 1)) / 1000;
  const utc = (seconds: number) => new Date(seconds * 1000).toUTCString().replace('GMT', '+0000');
  return {
    time_last_update_unix: timestamp,
    time_last_update_utc: utc(timestamp),
    time_next_update_unix: next,
    time_next_update_utc: utc(next),
  };
}
