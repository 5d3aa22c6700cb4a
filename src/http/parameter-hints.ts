import { isCurrency } from '../../core/domain/currencies.js';
import { conversionFor, rangeFor, receiptFor } from './addresses.js';
import { eitherOf, nearest } from './nearest.js';
import { OTHER_NAMES } from './other-names.js';
import { pathOf } from './target.js';

const KEYS = new Set(['access_key', 'api_key', 'apikey', 'app_id', 'appid', 'token']);
const PAGES = new Set(['limit', 'offset', 'page', 'per_page', 'size', 'top']);
const RANGE_NAMES = new Set(['from', 'to', 'group', 'fill', 'start_date', 'end_date']);
const IN_FORMATS = /^\/v2\/(rates|revisions|suspects|providers\/[^/]+\/rates)$/;
/** What can be shown in an address as it is. */
const PLAIN = /^[\w.,-]{1,40}$/;

/** What to do in place of giving a parameter that there is not; undefined where nothing is near. */
export function hintForUnknown(
  name: string,
  value: string,
  { target, known }: { target: string; known: readonly string[] },
): string | undefined {
  const path = pathOf(target);
  const plain = name.toLowerCase().replace(/\[.*$/, '');
  if (plain === 'format') return hintForFormat(value, path);
  if (KEYS.has(plain)) return 'no key is needed: leave it out';
  if (known.includes('quotes') && !known.includes('limit') && PAGES.has(plain))
    return 'there are no pages: name fewer currencies with quotes, or fewer days with from and to';
  if (path === '/v2/rates' && plain === 'amount') return `use ${conversionFor(target)}`;
  const range = RANGE_NAMES.has(plain) ? rangeFor(target) : undefined;
  if (range !== undefined) return `use ${range}`;
  const own = (OTHER_NAMES.get(plain) ?? []).find(
    (other) =>
      known.includes(other.split('=', 1)[0] ?? '') && (other !== 'base' || isCurrency(value.toUpperCase())),
  );
  if (own !== undefined) return `use ${own}${PLAIN.test(value) && !own.includes('=') ? `=${value}` : ''}`;
  const near = nearest(plain, known);
  return near.length > 0 ? `did you mean ${eitherOf(near)}?` : undefined;
}

function hintForFormat(value: string, path: string): string | undefined {
  const format = value.toLowerCase();
  if (IN_FORMATS.test(path))
    return ['json', 'ndjson', 'csv'].includes(format)
      ? `use ${path}.${format}`
      : `use ${path}.csv, .ndjson or .json`;
  if (/^\/v2\/(rate|convert)\//.test(path)) return 'use the header accept, such as accept: text/csv';
  return undefined;
}

/** What to do in place of giving a parameter a value that it does not take, as a sentence; undefined where that is unclear. */
export function hintForValue(name: string, value: string, target: string): string | undefined {
  const path = pathOf(target);
  const codes = value.toUpperCase().split(',', 3);
  const areCurrencies = codes.every((code) => isCurrency(code.trim()));
  if (path.startsWith('/v2/') && areCurrencies && PLAIN.test(value)) {
    if (name === 'from') return `from is the first day of a range: use base=${value} for the currency`;
    if (name === 'to') return `to is the last day of a range: use quotes=${value} for the currency`;
  }
  if (name === 'date' && /^(latest|now|today|current|newest)$/i.test(value))
    return 'date must be YYYY-MM-DD: leave it out for the newest rates';
  if (name === 'expand' && /^\/v2\/.*rates/.test(path) && /\breceipts?\b/i.test(value.slice(0, 40)))
    return `expand=receipt is for one pair at a time: use ${receiptFor(target)}`;
  if (name === 'group' && /^(day|days|daily|none)$/i.test(value))
    return 'group is for periods of several days: leave it out for days';
  return undefined;
}

/** The name that was given in place of a parameter that is missing, as other services or a typing error have it. */
export function aliasGiven(missing: string, given: Iterable<string>): string | undefined {
  for (const name of given) {
    if (name === missing) continue;
    const plain = name.toLowerCase();
    if (OTHER_NAMES.get(plain)?.includes(missing) || nearest(plain, [missing]).length > 0) return name;
  }
  return undefined;
}
