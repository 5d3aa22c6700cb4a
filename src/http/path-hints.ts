import { isCurrency } from '../../core/domain/currencies.js';
import { isCalendarDate } from '../../core/domain/dates.js';
import { editDistance } from './nearest.js';
import type { Route } from './route.js';
import { pathOf } from './target.js';

/** What a request of another service asks for, by whatever names. */
type Terms = Partial<Record<'base' | 'quotes' | 'date' | 'from' | 'to' | 'amount', string | undefined>>;

/** How other services call what a request is about; a currency and a day may have the same name. */
const CURRENCY_NAMES = new Map<string, 'base' | 'quotes'>(
  Object.entries({
    base: 'base',
    base_currency: 'base',
    source: 'base',
    from: 'base',
    from_currency: 'base',
    quote: 'quotes',
    quotes: 'quotes',
    symbols: 'quotes',
    currency: 'quotes',
    currencies: 'quotes',
    target: 'quotes',
    to: 'quotes',
    to_currency: 'quotes',
  } as const),
);
const DATE_NAMES = new Map<string, 'date' | 'from' | 'to'>(
  Object.entries({
    date: 'date',
    from: 'from',
    start: 'from',
    start_at: 'from',
    start_date: 'from',
    to: 'to',
    end: 'to',
    end_at: 'to',
    end_date: 'to',
  } as const),
);

/** A longer query or path is not looked at. */
const LONGEST = 300;
const PREFIX = '(?:/api)?(?:/v\\d)?';
const DATE = '(\\d{4}-\\d{2}-\\d{2})';
const CODE = '([a-z]{3})';

type Address = (terms: Terms, groups: readonly string[]) => string | undefined;

/** The paths of other services, and some that are easily mistaken, with the address to use here. */
const ELSEWHERE: readonly (readonly [path: string, address: Address])[] = [
  [`${PREFIX}/(?:latest|live|spot|current)(?:\\.json)?`, ratesOf],
  [`${PREFIX}/(?:historical|history)`, ratesOf],
  [`${PREFIX}/(?:historical/|history/)?${DATE}(?:\\.json)?`, (terms, [date]) => ratesOf({ ...terms, date })],
  [`/api/latest/${CODE}`, (_, [base]) => ratesOf({ base })],
  [`${PREFIX}/${DATE}\\.\\.${DATE}?`, (terms, [from, to]) => ratesOf({ ...terms, from, to })],
  [`${PREFIX}/(?:time-?series|timeframe|range)(?:\\.json)?`, (terms) => ratesOf(rangeOf(terms))],
  [
    `${PREFIX}/(?:fluctuation|change|ohlc)(?:\\.json)?`,
    (terms) => `${ratesOf(rangeOf(terms))}&group=range&expand=stats`,
  ],
  [`${PREFIX}/convert(?:er|\\.json)?`, conversionOf],
  [
    `${PREFIX}/convert/([\\d.]{1,30})/${CODE}/${CODE}`,
    (_, [amount, base, quotes]) => conversionOf({ amount, base, quotes }),
  ],
  [`${PREFIX}/convert/${CODE}`, (terms, [base]) => conversionOf({ ...terms, base })],
  [`${PREFIX}/pair/${CODE}/${CODE}`, (_, [base, quote]) => pairOf(base, quote)],
  [
    `${PREFIX}/(?:currencies|symbols|list|codes|supported_codes)(?:\\.min)?(?:\\.json)?`,
    () => '/v2/currencies',
  ],
  [`${PREFIX}/currency`, () => '/v2/currency/EUR'],
  [`${PREFIX}/currencies/${CODE}(?:\\.min)?\\.json`, (_, [base]) => ratesOf({ base })],
  [`${PREFIX}/currencies/${CODE}/${CODE}(?:\\.min)?\\.json`, (_, [base, quote]) => pairOf(base, quote)],
  [`/v[46]/(?:[^/]+/)?latest/${CODE}`, (_, [base]) => ratesOf({ base })],
  [`/v6/[^/]+/pair/${CODE}/${CODE}`, (_, [base, quote]) => pairOf(base, quote)],
  [
    `/v6/[^/]+/pair/${CODE}/${CODE}/([\\d.]{1,30})`,
    (_, [base, quotes, amount]) => conversionOf({ amount, base, quotes }),
  ],
  [`/v6/[^/]+/codes`, () => '/v2/currencies'],
  [`${PREFIX}/(?:providers?|sources|banks)`, () => '/v2/providers'],
  [`${PREFIX}/rates?(?:\\.json)?`, ratesOf],
  [`${PREFIX}/rates/(?:latest|current)`, ratesOf],
  [`${PREFIX}/rates/${DATE}`, (terms, [date]) => ratesOf({ ...terms, date })],
  [`${PREFIX}/rates/${CODE}`, (terms, [base]) => ratesOf({ ...terms, base })],
  [`${PREFIX}/rate/${CODE}`, (_, [base]) => ratesOf({ base })],
  [`${PREFIX}/${CODE}(?:/|-|_|)${CODE}`, (_, [base, quote]) => pairOf(base, quote)],
  [`(?:/api|/api/v\\d|/v\\d)`, () => '/v2'],
  [`${PREFIX}/(?:openapi|swagger|api-docs|schema)(?:\\.(?:json|ya?ml))?`, () => '/openapi.json'],
  ['/(?:health|healthz|livez|ping|status\\.json)', () => '/health/live'],
  ['/readyz', () => '/health/ready'],
  ['/(?:documentation|reference|help)', () => '/docs'],
];
const PATTERNS = ELSEWHERE.map(([path, address]) => ({ pattern: new RegExp(`^${path}$`, 'i'), address }));

/** What stands in for a parameter of a path where the client gave none that can be shown. */
const EXAMPLES: Readonly<Record<string, string>> = { base: 'EUR', quote: 'USD', code: 'EUR', key: 'ECB' };
const PLAIN = /^[\w.-]{1,24}$/;
const AMOUNT = /^-?[\d.]{1,30}$/;

/**
 * The address here that a target without a route may mean, such as `/v2/rates?base=USD` for `/latest?base=USD`: by the paths
 * of other services, or of the route whose path is nearest. Undefined where none is near.
 */
export function addressFor(target: string, routes: readonly Route[]): string | undefined {
  const path = pathOf(target);
  if (path.length > LONGEST) return undefined;
  const plain = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  for (const { pattern, address } of PATTERNS) {
    const found = pattern.exec(plain);
    const hint = found && address(termsOf(target), found.slice(1));
    if (hint) return hint;
  }
  return nearestPath(plain, routes);
}

/** The address of a conversion with the currencies and the amount that a target names in any way. */
export function conversionFor(target: string): string {
  return conversionOf(termsOf(target));
}

/** The address of the receipt of the newest rate, or that of a day, of a pair that a target names in any way. */
export function receiptFor(target: string): string {
  const { base = 'EUR', quotes = 'USD', date } = termsOf(target);
  const [quote = ''] = quotes.split(',', 1);
  return `/v2/rate/${base}/${quote}?${date ? `date=${date}&` : ''}expand=receipt`;
}

/** The address of a range of the pair whose newest rate a target asks for; undefined for another path. */
export function rangeFor(target: string): string | undefined {
  const [, base, quotes] = /^\/v2\/rate\/([a-z]{3})\/([a-z]{3})$/i.exec(pathOf(target)) ?? [];
  return base && quotes && ratesOf({ ...rangeOf(termsOf(target)), base, quotes: currenciesIn(quotes) });
}

function termsOf(target: string): Terms {
  const start = target.indexOf('?');
  if (start < 0 || target.length > LONGEST) return {};
  const terms: Terms = {};
  for (const [name, value] of new URLSearchParams(target.slice(start))) {
    const codes = currenciesIn(value);
    const ofCurrency = codes && CURRENCY_NAMES.get(name);
    const ofDate = isCalendarDate(value) ? DATE_NAMES.get(name) : undefined;
    if (ofCurrency) terms[ofCurrency] ??= codes;
    else if (ofDate) terms[ofDate] ??= value;
    else if (/^(amount|value|q)$/.test(name) && AMOUNT.test(value)) terms.amount ??= value;
  }
  return terms;
}

/** Codes in capitals with commas between; undefined for what has others in it. */
function currenciesIn(text: string | undefined): string | undefined {
  const codes = text?.toUpperCase().split(',');
  return codes?.every(isCurrency) ? codes.join() : undefined;
}

function ratesOf({ base, quotes, date, from, to }: Terms): string {
  const asked = { base: currenciesIn(base), quotes, date, from, to: from && to };
  const query = Object.entries(asked).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
  return `/v2/rates${query.length > 0 ? '?' : ''}${query.join('&')}`;
}

function rangeOf(terms: Terms): Terms {
  return { from: '2026-01-01', ...terms };
}

function pairOf(base: string | undefined, quote: string | undefined): string | undefined {
  const [one, other] = [currenciesIn(base), currenciesIn(quote)];
  return one && other && `/v2/rate/${one}/${other}`;
}

function conversionOf({ base = 'EUR', quotes = 'USD', amount = '1', date }: Terms): string {
  const [quote = ''] = quotes.toUpperCase().split(',', 1);
  return `/v2/convert/${base.toUpperCase()}/${quote}?amount=${amount}${date ? `&date=${date}` : ''}`;
}

/** The path of the route that differs from a path in the fewest letters, by a third of each part at most. */
function nearestPath(path: string, routes: readonly Route[]): string | undefined {
  const variants = [path, `/v2${path}`, path.replace(/^\/api/i, '')].map(segmentsOf);
  let least = Number.POSITIVE_INFINITY;
  let found: string | undefined;
  for (const route of routes) {
    if (!isPublic(route)) continue;
    const template = segmentsOf(route.path);
    for (const given of variants) {
      const distance = distanceBetween(template, given);
      if (distance >= least) continue;
      least = distance;
      found = filled(template, given);
    }
  }
  return found;
}

function isPublic({ method, path, guard, description }: Route): boolean {
  const isForReaders = description !== undefined || !path.includes('.');
  return method === 'get' && !guard && isForReaders && !/^\/(admin|v1\/:|metrics)/.test(path);
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

/** Infinity where a part of the path is too far from that of the template, or one that is no parameter is missing. */
function distanceBetween(template: readonly string[], given: readonly string[]): number {
  if (given.length > template.length) return Number.POSITIVE_INFINITY;
  let sum = template.length - given.length;
  for (const [at, segment] of template.entries()) {
    if (segment.startsWith(':')) continue;
    const most = Math.max(1, Math.floor(segment.length / 3));
    const distance = editDistance(segment, given[at]?.toLowerCase() ?? '', most);
    if (distance > most || segment.length === distance) return Number.POSITIVE_INFINITY;
    sum += distance;
  }
  return sum;
}

function filled(template: readonly string[], given: readonly string[]): string {
  const parts = template.map((segment, at) => {
    if (!segment.startsWith(':')) return segment;
    const name = segment.slice(1).replace(/\W.*$/, '');
    const own = given[at] ?? '';
    const isShown = name === 'key' ? PLAIN.test(own) : currenciesIn(own) !== undefined;
    return isShown ? own : (EXAMPLES[name] ?? name);
  });
  return `/${parts.join('/')}`;
}
