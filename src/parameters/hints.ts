import { currencies, currencyOf, isCurrency, lifetimeOf } from '../../core/domain/currencies.js';
import { type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { providers } from '../../core/domain/providers.js';
import { HttpError } from '../http/errors.js';
import { aliases, oursFor } from './aliases.js';
import { excerpt } from './excerpt.js';

/** A longer text is not a misspelling of any word here, and the work grows with the square of the length. */
const LONGEST = 40;
const MOST = 3;
const PLAIN = /^[\w.,-]{1,40}$/;

/**
 * Returns the words that a misspelt one may mean: those that differ from it in the fewest letters, but in three at most and
 * in at most a third of its letters. A word that begins with the other counts as one letter, the same letters in another
 * order as half a letter. Case is ignored.
 */
export function nearest(given: string, words: Iterable<string>): string[] {
  if (given.length < 2 || given.length > LONGEST) return [];
  const text = given.toLowerCase();
  const most = Math.max(1, Math.floor(text.length / 3));
  const found = [...words]
    .map((word) => ({ word, distance: distanceOf(text, word.toLowerCase(), most) }))
    .filter(({ distance }) => distance <= most);
  const least = Math.min(...found.map(({ distance }) => distance));
  return found
    .filter(({ distance }) => distance === least)
    .map(({ word }) => word)
    .slice(0, MOST);
}

function distanceOf(text: string, word: string, most: number): number {
  if (text === word) return 0;
  const [short, long] = text.length < word.length ? [text, word] : [word, text];
  // Among words that differ in equally many letters, those that begin alike are nearer.
  const alike = word.startsWith(text.slice(0, 2)) ? 0.25 : 0;
  if (short.length > 3 && long.startsWith(short)) return 1 - alike;
  if (long.length - short.length > most) return Number.POSITIVE_INFINITY;
  return sorted(text) === sorted(word) ? 0.5 : editDistance(text, word) - alike;
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

function editDistance(one: string, other: string): number {
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (last[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      next[at] = Math.min((last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced);
    }
    last = next;
  }
  return last[other.length] ?? 0;
}

export function eitherOf(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

export function didYouMean(words: readonly string[]): string {
  return words.length > 0 ? ` (did you mean ${eitherOf(words)}?)` : '';
}

export function invalidCurrency(code: string): string {
  return `invalid currency: ${excerpt(code)}${currencyHint(code)}`;
}

/** For a code that is not a currency, or that has no rates. */
export function noSuchCurrency(code: string): HttpError {
  const hint = isCurrency(code) ? ' (no source has published rates for it)' : currencyHint(code);
  return new HttpError(404, `no such currency: ${excerpt(code)}${hint}`, { code: 'unknown_currency' });
}

export function noSuchProvider(key: string): HttpError {
  const message = `no such provider: ${excerpt(key)}${providerHint(key)}`;
  return new HttpError(404, message, { code: 'unknown_provider' });
}

/** In parentheses; empty if nothing is near. */
export function currencyHint(given: string): string {
  const code = given.trim().toUpperCase();
  if (aliases.cryptocurrencies.includes(code))
    return ' (no official source publishes rates for cryptocurrencies)';
  const [, base = '', quote = ''] = /^([A-Z]{3})[^A-Z]?([A-Z]{3})(?:=X)?$/.exec(code) ?? [];
  if (isCurrency(base) && isCurrency(quote))
    return ` (a pair is two codes: use /v2/rate/${base}/${quote}, or base=${base}&quotes=${quote})`;
  const everyday = oursFor(code, aliases.currencies);
  if (everyday.length > 0) return didYouMean(everyday);
  const inUse = [...currencies.values()].filter(({ iso_code }) => lifetimeOf(iso_code).until === undefined);
  return minorUnitHint(code) || meant(code, new Map(inUse.map(({ iso_code, name }) => [iso_code, name])));
}

/** In parentheses; empty if the code is not that of a minor unit. */
export function minorUnitHint(code: string): string {
  const currency = currencyOf(code);
  return currency === code ? '' : ` (${code} is a hundredth of ${currency}: use ${currency} here)`;
}

/** In parentheses; empty if nothing is near. */
export function providerHint(given: string): string {
  return meant(given.trim().toUpperCase(), new Map(providers.map(({ key, name }) => [key, name])));
}

/** The codes whose names contain the text as words, if these are few, or else the nearest codes. */
function meant(text: string, names: ReadonlyMap<string, string>): string {
  const isWord = text.length >= 3 && text.length <= LONGEST;
  const named = [...names.keys()].filter(
    (code) => isWord && ` ${names.get(code)?.toUpperCase()} `.includes(` ${text} `),
  );
  return didYouMean(named.length > 0 && named.length <= MOST ? named : nearest(text, names.keys()));
}

/** Unambiguous date formats: with points, the day comes first. */
const DATE_FORMS = [
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:[T ].*)?$/i,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
];

/** To append to the name of the parameter. */
export function invalidDate(text: string): string {
  return `must be YYYY-MM-DD: ${dateHint(text) ?? `${excerpt(text)} is not a date`}`;
}

/** To append to the name of the parameter. */
export function invalidInstant(text: string): string {
  // A suggested date would drop the time of a text that has one.
  const hint = /[t ]/i.test(text) ? undefined : dateHint(text);
  return `must be a date or an instant such as 2026-03-05T16:00:00Z: ${hint ?? `${excerpt(text)} is neither`}`;
}

export function fromAfterTo(from: CalendarDate, to: CalendarDate): string {
  return `from is after to: use from=${to}&to=${from}`;
}

/** Undefined if the text is not a date or is ambiguous. */
function dateHint(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  for (const form of DATE_FORMS) {
    const { year = '', month = '', day = '' } = form.exec(text)?.groups ?? {};
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    if (isCalendarDate(date) && date !== text) return `write ${date} for ${text}`;
  }
  return undefined;
}

/** Undefined if nothing is near. */
export function hintForUnknown(name: string, value: string, known: readonly string[]): string | undefined {
  const [plain = ''] = name.toLowerCase().split('[', 1);
  const found = aliases.advice.find(
    ({ names, on }) => names.includes(plain) && (on === undefined || known.includes(on)),
  );
  if (found) return found.advice;
  const own = oursFor(plain, aliases.parameters).find(
    (ours) =>
      known.includes(ours.split('=', 1)[0] ?? '') && (ours !== 'base' || isCurrency(value.toUpperCase())),
  );
  if (own !== undefined) return `use ${own}${PLAIN.test(value) && !own.includes('=') ? `=${value}` : ''}`;
  const near = nearest(plain, known);
  return near.length > 0 ? `did you mean ${eitherOf(near)}?` : undefined;
}

export function invalidAmount(text: string): string {
  return `invalid amount: ${excerpt(text)} (write a number of at most 30 digits such as 1250.00)`;
}
