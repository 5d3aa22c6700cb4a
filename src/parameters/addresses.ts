import { isCurrency } from '../../core/domain/currencies.js';
import { isCalendarDate } from '../../core/domain/dates.js';
import { pathOf } from '../http/route.js';
import { FOREIGN_PATHS, oursFor, PARAMETER_ALIASES } from './aliases.js';

type Terms = Partial<Record<'base' | 'quotes' | 'date' | 'from' | 'to' | 'amount', string | undefined>>;

/** A longer path or query is not read. */
const LONGEST = 300;
const PREFIX = '^(?:/api)?(?:/v6/[^/]+(?=/(?:codes|latest|pair))|/v\\d)?/';
const SUFFIX = '(?:\\.min)?(?:\\.json|\\.ya?ml)?/?$';
const GROUPS: Readonly<Record<string, string>> = {
  BASE: '(?<base>[a-z]{3})',
  QUOTE: '(?<quotes>[a-z]{3})',
  DATE: '(?<date>\\d{4}-\\d\\d-\\d\\d)',
  FROM: '(?<from>\\d{4}-\\d\\d-\\d\\d)',
  TO: '(?<to>\\d{4}-\\d\\d-\\d\\d)',
  AMOUNT: '(?<amount>[\\d.]{1,30})',
};
const PATTERNS = FOREIGN_PATHS.map(([path, example]) => {
  const form = path.replace(/[A-Z]+/g, (name) => GROUPS[name] ?? name);
  return { pattern: new RegExp(`${PREFIX}(?:${form})${SUFFIX}`, 'i'), example };
});

/** Such as `/v2/rates?base=USD` for `/latest?base=USD`. Undefined if the path matches no row of the table. */
export function addressOf(target: string): string | undefined {
  const example = readPath(target)?.example;
  return example && addressWith(example, target);
}

/** Fills an example path with the currencies, days and amount of a target. */
export function addressWith(example: string, target: string): string {
  const [path = '', query] = example.split('?');
  if (!/^\/v2\/(rates$|rate\/|convert\/)/.test(path)) return example;
  const own: Terms = Object.fromEntries(new URLSearchParams(query));
  const { base, quotes, date, from = own.from, to, amount = own.amount } = termsOf(target);
  const asked =
    path === '/v2/rates'
      ? { base, quotes, date, from, to: from && to }
      : { amount: own.amount && amount, date };
  const parameters = Object.entries({ ...asked, ...own, ...asked }).flatMap(([name, value]) =>
    value ? `${name}=${value}` : [],
  );
  const filled = path.replace('EUR/USD', `${base ?? 'EUR'}/${quotes?.slice(0, 3) ?? 'USD'}`);
  return parameters.length > 0 ? `${filled}?${parameters.join('&')}` : filled;
}

function readPath(target: string): { example: string; terms: Terms } | undefined {
  const path = pathOf(target);
  if (path.length > LONGEST) return undefined;
  for (const { pattern, example } of PATTERNS) {
    const found = pattern.exec(path.replaceAll(/\/{2,}/g, '/'));
    const { base, quotes, ...terms }: Terms = found?.groups ?? {};
    const codes = { base: base?.toUpperCase(), quotes: quotes?.toUpperCase() };
    if (found && [codes.base, codes.quotes].every((code) => code === undefined || isCurrency(code)))
      return { example, terms: { ...terms, ...codes } };
  }
  return undefined;
}

/** A currency and a day may have the same name. */
function termsOf(target: string): Terms {
  const terms: Terms = readPath(target)?.terms ?? {};
  const start = target.indexOf('?');
  if (start < 0 || target.length > LONGEST) return terms;
  for (const [name, value] of new URLSearchParams(target.slice(start))) {
    const text = value.toUpperCase();
    const own = [name, ...oursFor(name, PARAMETER_ALIASES)];
    const found = termsFor(text).find((term) => own.includes(term));
    if (found !== undefined) terms[found] ??= found === 'base' ? text.slice(0, 3) : text;
  }
  return terms;
}

function termsFor(value: string): readonly (keyof Terms)[] {
  if (value.split(',').every(isCurrency)) return ['base', 'quotes'];
  if (isCalendarDate(value)) return ['date', 'from', 'to'];
  return /^-?[\d.]{1,30}$/.test(value) ? ['amount'] : [];
}
