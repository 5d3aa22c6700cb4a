import { addDays } from '../../../core/domain/dates.js';

export const SPANS = ['5d', '1m', '6m', '1y', '5y', 'all'] as const;

export type Span = (typeof SPANS)[number];

export type Period = 'day' | 'week' | 'month';

/** Five days with rates may have holidays between them. */
const EXTENTS: Readonly<Record<Span, { days?: number; period: Period }>> = {
  '5d': { days: 9, period: 'day' },
  '1m': { days: 31, period: 'day' },
  '6m': { days: 183, period: 'day' },
  '1y': { days: 366, period: 'day' },
  '5y': { days: 5 * 366, period: 'week' },
  all: { period: 'month' },
};

export const FIRST_DAY = '1914-01-01';

/** How rates are spread over the height of a chart. */
export type Scale = 'linear' | 'log';

export interface Pair {
  base: string;
  quote: string;
}

export interface SeriesRequest extends Pair {
  span: Span;
  /** The newest day with rates, on which the span ends. */
  newest: string;
  provider?: string | undefined;
  /** Linear by default. */
  scale?: Scale | undefined;
}

/** An unknown span or scale counts as missing, and a logarithmic scale of less than years. */
export function lookOf(query: { span?: string | undefined; scale?: string | undefined }, usual: Span) {
  const span = SPANS.find((one) => one === query.span) ?? usual;
  return { span, ...(query.scale === 'log' && periodOf(span) !== 'day' && { scale: 'log' as const }) };
}

export interface ConversionRequest extends Pair {
  amount: string;
  /** Absent for the newest rate. */
  date?: string | undefined;
}

/** Weeks and months have a low and a high of their own. */
export function periodOf(span: Span): Period {
  return EXTENTS[span].period;
}

/** The spans that show more than the next shorter one, given the first day with rates. */
export function spansSince(start: string, newest: string): Span[] {
  return SPANS.filter((_, at) => at === 0 || start < startOf({ span: SPANS[at - 1] ?? '5d', newest }));
}

export function startOf({ span, newest }: Pick<SeriesRequest, 'span' | 'newest'>): string {
  const { days } = EXTENTS[span];
  return days === undefined ? FIRST_DAY : addDays(newest, -days);
}

/** None, the low and high of a week or month, or also sources. */
export type Detail = 'rate' | 'stats' | 'sources';

export type Parameters = Readonly<Record<string, string>>;

export function seriesTarget(request: SeriesRequest, detail: Detail = 'sources', form = ''): string {
  return `/v2/rates${form}?${queryOf(seriesParameters(request, detail))}`;
}

/** For `/v2/rates`. The rows of one provider have no sources. */
export function seriesParameters(request: SeriesRequest, detail: Detail): Parameters {
  const { base, quote, provider, span } = request;
  const period = periodOf(span);
  const expand = [
    ...(detail === 'sources' && provider === undefined ? ['providers'] : []),
    ...(detail !== 'rate' && period !== 'day' ? ['stats'] : []),
  ];
  return {
    base,
    quotes: quote,
    from: startOf(request),
    ...(period !== 'day' && { group: period }),
    ...(expand.length > 0 && { expand: expand.join() }),
    ...(provider !== undefined && { providers: provider }),
  };
}

/** Encodes apostrophes, as snippets put requests in quotes, but not the commas of lists. */
function queryOf(parameters: Parameters): string {
  return String(new URLSearchParams(parameters)).replaceAll('%2C', ',');
}

export function conversionTarget({ amount, base, quote, date }: ConversionRequest): string {
  return `/v2/convert/${base}/${quote}?${queryOf({ amount, ...(date && { date }) })}`;
}

/** JSON by default, the others by an extension. */
export const RATES_FORMATS = ['json', 'csv', 'ndjson'] as const;

type RatesFormat = (typeof RATES_FORMATS)[number];

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
  const date = dateIn(form, 'date');
  if (range === 'day') return date ? { date } : {};
  if (range !== 'between') return { from: addDays(newest, -RANGE_DAYS[range]) };
  const [from = '', to] = [dateIn(form, 'from') ?? FIRST_DAY, dateIn(form, 'to')].sort();
  return { from, ...(to !== undefined && { to }) };
}

/** Undefined if the date is incomplete, such as a year of less than four digits. */
function dateIn(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name) ?? '';
  return /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}
