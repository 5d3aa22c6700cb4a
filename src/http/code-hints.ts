import { currencies, isCurrency, lifetimeOf } from '../../core/domain/currencies.js';
import { currencyOf, isMinorUnit, mistakableCode } from '../../core/domain/minor-unit-aliases.js';
import { providers } from '../../core/domain/providers.js';
import { HttpError } from './errors.js';
import { excerpt } from './excerpt.js';
import { didYouMean, nearest } from './nearest.js';

/** What a currency is called in everyday use, where its name in the register does not tell it from others. */
const EVERYDAY = new Map(
  Object.entries({
    $: 'USD',
    '€': 'EUR',
    '£': 'GBP',
    '¥': 'JPY',
    '₹': 'INR',
    DOLLAR: 'USD',
    DOLLARS: 'USD',
    EURO: 'EUR',
    EUROS: 'EUR',
    FRANC: 'CHF',
    POUND: 'GBP',
    POUNDS: 'GBP',
    RMB: 'CNY',
    RUPEE: 'INR',
    STERLING: 'GBP',
    STG: 'GBP',
    UKP: 'GBP',
  }),
);

const CRYPTOCURRENCIES = new Set('ADA BNB BTC DOGE DOT ETH LTC SOL TRX USDC USDT XBT XMR XRP'.split(' '));

/** A longer text is not looked for among names. */
const LONGEST_NAME = 40;
const MOST_NAMED = 3;

/** What is said of a code in a query or a body that is no currency. */
export function invalidCurrency(code: string): string {
  return `invalid currency: ${excerpt(code)}${currencyHint(code)}`;
}

/**
 * A code in a path, in capitals. Throws an HttpError 422 for one whose case leaves open whether it means a currency or its
 * minor unit.
 */
export function codeInPath(text = ''): string {
  const written = text.trim();
  const mistakable = mistakableCode(written);
  if (mistakable !== undefined) throw new HttpError(422, mistakable);
  return written.toUpperCase();
}

/** The error for a code in a path that is no currency, or one that there are no rates of. */
export function noSuchCurrency(code: string): HttpError {
  const hint = isCurrency(code) ? ' (no source has published rates of it)' : currencyHint(code);
  return new HttpError(404, `no such currency: ${excerpt(code)}${hint}`);
}

/** The error for a key in a path that is no provider. */
export function noSuchProvider(key: string): HttpError {
  return new HttpError(404, `no such provider: ${excerpt(key)}${providerHint(key)}`);
}

/** What may be meant by a code that is no currency, in brackets; empty where nothing is near. */
export function currencyHint(given: string): string {
  const code = given.trim().toUpperCase();
  if (isMinorUnit(code)) return minorUnitHint(code);
  if (CRYPTOCURRENCIES.has(code)) return ' (no official source publishes rates of cryptocurrencies)';
  const [, base = '', quote = ''] = /^([A-Z]{3})[^A-Z]?([A-Z]{3})(?:=X)?$/.exec(code) ?? [];
  if (isCurrency(base) && isCurrency(quote))
    return ` (a pair is two codes: use /v2/rate/${base}/${quote}, or base=${base}&quotes=${quote})`;
  const everyday = EVERYDAY.get(code);
  if (everyday !== undefined) return didYouMean([everyday]);
  const inUse = [...currencies.values()].filter(({ iso_code }) => lifetimeOf(iso_code).until === undefined);
  const named = inUse.filter(({ name }) => hasWord(name, code)).map(({ iso_code }) => iso_code);
  if (named.length > 0 && named.length <= MOST_NAMED) return didYouMean(named);
  return didYouMean(
    nearest(
      code,
      inUse.map(({ iso_code }) => iso_code),
    ),
  );
}

/** What a code is that stands for a minor unit, in brackets; empty for any other. */
export function minorUnitHint(code: string): string {
  const currency = currencyOf(code);
  return currency === code ? '' : ` (${code} is a hundredth of ${currency}: use ${currency} here)`;
}

/** What may be meant by a key that is no provider, in brackets; empty where nothing is near. */
export function providerHint(given: string): string {
  const key = given.trim().toUpperCase();
  const keys = providers.map((provider) => provider.key);
  const named = providers.filter(({ name }) => hasWord(name, key)).map((provider) => provider.key);
  if (named.length > 0 && named.length <= MOST_NAMED) return didYouMean(named);
  const written = key.split(/[^A-Z]+/).filter((word) => keys.includes(word));
  return didYouMean(written.length > 0 ? written.slice(0, MOST_NAMED) : nearest(key, keys));
}

/** Whether a name has a text of three letters or more, as whole words. */
function hasWord(name: string, text: string): boolean {
  if (text.length < 3 || text.length > LONGEST_NAME) return false;
  return ` ${name.toUpperCase()} `.includes(` ${text} `);
}
