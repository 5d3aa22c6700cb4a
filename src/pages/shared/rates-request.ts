import { addDays } from '../../../core/domain/dates.js';
import { FIRST_DAY, type Parameters, queryOf } from './requests.js';

/** JSON by default, the others by an extension. */
export const RATES_FORMATS = ['json', 'csv', 'ndjson'] as const;

export type RatesFormat = (typeof RATES_FORMATS)[number];

export const RANGES = ['newest', 'day', 'month', 'year', 'fiveYears', 'between'] as const;

export const PERIODS = ['week', 'month', 'quarter', 'year'] as const;

/** In days before the newest day. */
const RANGE_DAYS = { month: 31, year: 366, fiveYears: 5 * 366 };

export type RatesRequest = ReturnType<typeof ratesRequest>;

/** Leaves out fields that exclude each other. `newest` is the newest day with rates. */
export function ratesRequest(form: URLSearchParams, newest: string) {
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
  if (range !== 'between') return { from: addDays(newest, -RANGE_DAYS[range]) };
  const [from = '', to] = [dateIn(form, 'from') ?? FIRST_DAY, dateIn(form, 'to')].sort();
  return { from, ...(to !== undefined && { to }) };
}

/** Undefined if the date is incomplete, such as a year of less than four digits. */
function dateIn(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name) ?? '';
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}
