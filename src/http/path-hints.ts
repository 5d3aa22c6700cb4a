import { conversionOf, currenciesIn, pairOf, rangeOf, ratesOf, type Terms, termsOf } from './addresses.js';
import { editDistance } from './nearest.js';
import type { Route } from './route.js';
import { pathOf } from './target.js';

/** A longer path is not looked at. */
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
