import { daysBefore, FIRST_DAY, type Parameters, queryOf } from './requests.js';

/** The formats of `/v2/rates`: JSON by default, the others by an extension. */
export const RATES_FORMATS = ['json', 'csv', 'ndjson'] as const;

export type RatesFormat = (typeof RATES_FORMATS)[number];

/** The choices of days in the request builder. */
export const RANGES = ['newest', 'day', 'month', 'year', 'fiveYears', 'between'] as const;

/** The periods that a row can cover, besides a day. */
export const PERIODS = ['week', 'month', 'quarter', 'year'] as const;

/** The number of days by which a range begins before the newest day. */
const RANGE_DAYS = { month: 31, year: 366, fiveYears: 5 * 366 };

/** A request of many rates. */
export interface RatesRequest {
  format: RatesFormat;
  parameters: Parameters;
}

/**
 * Returns the request of the request builder's form; `newest` is the newest day with rates. Fields that exclude each other
 * are left out, so that the API accepts the request.
 */
export function ratesRequest(form: URLSearchParams, newest: string): RatesRequest {
  const [base] = codesIn(form.getAll('base'));
  const quotes = codesIn(form.getAll('quotes'));
  const days = daysOf(form, newest);
  const isRange = 'from' in days;
  const group = PERIODS.find((period) => period === form.get('group'));
  return {
    format: RATES_FORMATS.find((format) => format === form.get('format')) ?? 'json',
    parameters: {
      ...(base !== undefined && { base }),
      ...(quotes.length > 0 && { quotes: quotes.join() }),
      ...days,
      ...(isRange && group && { group }),
      ...(isRange && !group && form.get('fill') && { fill: 'forward' }),
    },
  };
}

/** Returns the path and query of a request, in its format or another one. */
export function ratesTarget({ format, parameters }: RatesRequest, as: RatesFormat = format): string {
  const query = queryOf(parameters);
  return `/v2/rates${as === 'json' ? '' : `.${as}`}${query && `?${query}`}`;
}

function codesIn(texts: readonly string[]): string[] {
  const text = texts.join().toUpperCase();
  return text.match(/\b[A-Z]{3}\b/g) ?? [];
}

function daysOf(form: URLSearchParams, newest: string): Parameters {
  const range = RANGES.find((one) => one === form.get('range')) ?? 'newest';
  if (range === 'newest') return {};
  if (range === 'day') {
    const date = dateIn(form, 'date');
    return date ? { date } : {};
  }
  if (range !== 'between') return { from: daysBefore(newest, RANGE_DAYS[range]) };
  const [from = '', to] = [dateIn(form, 'from') ?? FIRST_DAY, dateIn(form, 'to')].sort();
  return { from, ...(to !== undefined && { to }) };
}

/** Reads the date in a field; undefined if it is incomplete, such as a year of less than four digits. */
function dateIn(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name) ?? '';
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}
