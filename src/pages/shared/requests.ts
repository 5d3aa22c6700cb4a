/** The lengths of time that a chart can show. */
export const SPANS = ['5d', '1m', '6m', '1y', '5y', 'all'] as const;

export type Span = (typeof SPANS)[number];

export const SPAN_NAMES: Readonly<Record<Span, { short: string; long: string }>> = {
  '5d': { short: '5D', long: 'the last five days with rates' },
  '1m': { short: '1M', long: 'the last month' },
  '6m': { short: '6M', long: 'the last six months' },
  '1y': { short: '1Y', long: 'the last year' },
  '5y': { short: '5Y', long: 'the last five years' },
  all: { short: 'All', long: 'all history' },
};

/** How far back a span goes, and what its rows stand for. */
interface Extent {
  days: number;
  /** Days where absent. */
  group?: 'week' | 'month';
  /** Without the sources behind each row: reading a year of them takes seconds. */
  isPlain?: true;
}

/** Of five days with rates, weekends and holidays lie between. */
const EXTENTS: Readonly<Record<Span, Extent>> = {
  '5d': { days: 9 },
  '1m': { days: 31 },
  '6m': { days: 183 },
  '1y': { days: 366, group: 'week', isPlain: true },
  '5y': { days: 5 * 366, group: 'week', isPlain: true },
  all: { days: 36_600, group: 'month', isPlain: true },
};

/** The first day of which there may be rates. */
const FIRST_DAY = '1914-01-01';

/** A pair over a span of time. */
export interface SeriesRequest {
  base: string;
  quote: string;
  span: Span;
  /** The newest day that there are rates of; the span ends there. */
  newest: string;
  /** Only this provider's rates. */
  provider?: string | undefined;
}

/** An amount to convert. */
export interface ConversionRequest {
  amount: string;
  base: string;
  quote: string;
  /** Absent for the newest rate. */
  date?: string | undefined;
}

export function isSpan(text: string | undefined): text is Span {
  return SPANS.some((span) => span === text);
}

/** Whether the rows of a span stand for weeks or months, and so have a low and a high of their own. */
export function groupOf(span: Span): 'week' | 'month' | undefined {
  return EXTENTS[span].group;
}

/** The first day of a span. */
function startOf({ span, newest }: Pick<SeriesRequest, 'span' | 'newest'>): string {
  const start = new Date(Date.parse(newest) - EXTENTS[span].days * 86_400_000).toISOString().slice(0, 10);
  return start < FIRST_DAY ? FIRST_DAY : start;
}

/**
 * The path and query that answer a pair's rows: with the sources behind each where they are days, with the low and high of
 * the days where they are weeks or months.
 */
export function seriesTarget(request: SeriesRequest, form: 'json' | 'csv' = 'json'): string {
  const { base, quote, provider, span } = request;
  const { group, isPlain } = EXTENTS[span];
  const expand = [
    ...(provider === undefined && !isPlain ? ['providers'] : []),
    ...(group === undefined ? [] : ['stats']),
  ];
  const query = [
    `base=${base}`,
    `quotes=${quote}`,
    `from=${startOf(request)}`,
    ...(group === undefined ? [] : [`group=${group}`]),
    ...(expand.length === 0 ? [] : [`expand=${expand.join(',')}`]),
    ...(provider === undefined ? [] : [`providers=${provider}`]),
  ];
  return `/v2/rates${form === 'csv' ? '.csv' : ''}?${query.join('&')}`;
}

export function conversionTarget({ amount, base, quote, date }: ConversionRequest): string {
  const on = date ? `&date=${encoded(date)}` : '';
  return `/v2/convert/${base}/${quote}?amount=${encoded(amount)}${on}`;
}

/** Percent-encoded, apostrophes included: the request may be put into quotes. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

/** What a reader typed as an amount, as the API takes it: a decimal comma becomes a point, spaces are left out. */
export function normalAmount(text: string): string {
  const plain = text.replace(/[\s'’_]/g, '');
  const lastComma = plain.lastIndexOf(',');
  const lastPoint = plain.lastIndexOf('.');
  if (lastComma < 0) return plain;
  return lastComma > lastPoint ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', '');
}

/** One request in a form to be copied. */
export interface Snippet {
  name: 'URL' | 'curl' | 'Python' | 'TypeScript' | 'Spreadsheet';
  text: string;
}

/** A conversion in every form. `origin` is where the service is, such as `http://localhost:8080`. */
export function conversionSnippets(origin: string, request: ConversionRequest): Snippet[] {
  const url = origin + conversionTarget(request);
  const { base, quote, date, amount } = request;
  const on = date ? `?date=${encoded(date)}` : '';
  const times = /^-?[\d.]+$/.test(amount) ? amount : '1';
  return [
    ...commonSnippets(url, '["result"]', '{ result }', 'result'),
    { name: 'Spreadsheet', text: `=${times}*WEBSERVICE("${origin}/v2/rate/${base}/${quote}.txt${on}")` },
  ];
}

/** A pair's rows in every form. */
export function seriesSnippets(origin: string, request: SeriesRequest): Snippet[] {
  return [
    ...commonSnippets(origin + seriesTarget(request), '', 'rows', 'rows'),
    { name: 'Spreadsheet', text: `=IMPORTDATA("${origin}${seriesTarget(request, 'csv')}")` },
  ];
}

function commonSnippets(url: string, pythonPart: string, pattern: string, value: string): Snippet[] {
  return [
    { name: 'URL', text: url },
    { name: 'curl', text: `curl '${url}'` },
    {
      name: 'Python',
      text: `import json, urllib.request\n\nwith urllib.request.urlopen("${url}") as response:\n    print(json.load(response)${pythonPart})`,
    },
    {
      name: 'TypeScript',
      text: `const response = await fetch('${url}');\nconst ${pattern} = await response.json();\nconsole.log(${value});`,
    },
  ];
}
