import { addDays } from '../../../core/domain/dates.js';

export const SPANS = ['5d', '1m', '6m', '1y', '5y', 'all'] as const;

export type Span = (typeof SPANS)[number];

export type Period = 'day' | 'week' | 'month';

/** Five days with rates may have holidays between them. */
const EXTENTS: Readonly<Record<Span, { days?: number; period: Period }>> = {
  '5d': { days: 9, period: 'day' },
  '1m': { days: 31, period: 'day' },
  '6m': { days: 183, period: 'day' },
  '1y': { days: 366, period: 'week' },
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

/** What of a chart its readers select. */
export type Look = Pick<SeriesRequest, 'span' | 'scale'>;

/** An unknown span or scale counts as missing. */
export function lookOf(query: { span?: string | undefined; scale?: string | undefined }, usual: Span): Look {
  const span = SPANS.find((one) => one === query.span) ?? usual;
  return { span, ...(query.scale === 'log' && hasScales(span) && { scale: query.scale }) };
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

/** On a logarithmic scale, equal changes are equally high, which is useful for years. */
export function hasScales(span: Span): boolean {
  return span === '5y' || span === 'all';
}

export function startOf({ span, newest }: Pick<SeriesRequest, 'span' | 'newest'>): string {
  const { days } = EXTENTS[span];
  return days === undefined ? FIRST_DAY : addDays(newest, -days);
}

/** None, the low and high of a week or month, or also sources. Years of sources take seconds to read. */
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

/** The values need no encoding. */
export function queryOf(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

export function conversionTarget({ amount, base, quote, date }: ConversionRequest): string {
  const on = date ? `&date=${encoded(date)}` : '';
  return `/v2/convert/${base}/${quote}?amount=${encoded(amount)}${on}`;
}

/** Percent-encodes apostrophes too, as snippets put requests in quotes. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}
