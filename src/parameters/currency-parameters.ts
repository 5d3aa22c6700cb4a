import * as z from 'zod';
import { isCurrency, isPriced, mistakableCode } from '../../core/domain/currencies.js';
import { dayNumber, isCalendarDate, MILLISECONDS_PER_DAY } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { HttpError } from '../http/errors.js';
import { excerpt, excerptOfList } from './excerpt.js';
import {
  currencyHint,
  didYouMean,
  eitherOf,
  invalidCurrency,
  invalidDate,
  invalidInstant,
  nearest,
  noSuchCurrency,
  noSuchProvider,
  providerHint,
} from './hints.js';
import { parsedText } from './query.js';
import { integerParameter } from './utility-parameters.js';

/** The code of the error, which Zod passes on. */
const UNKNOWN_CURRENCY = { code: 'unknown_currency' };

/** In any case. The route decides what to do if the currency has no rates. */
export const currencyCode = oneCode(isCurrency);

/** Also minor units, such as GBX. */
export const pricedCode = oneCode(isPriced);

/** In any case. Duplicates count once. */
export const currencyList = codesOf(isCurrency);

/** Also minor units. */
export const pricedList = codesOf(isPriced);

/** In any case. Duplicates count once. */
export const providerList = codeList((key) => providerOf(key) !== undefined, 'provider', providerHint).meta({
  examples: ['ECB'],
});

/** In upper case. Throws an HttpError 422 if the case leaves open whether it means a minor unit. */
export function codeInPath(text = ''): string {
  const written = text.trim();
  const mistakable = mistakableCode(written);
  if (mistakable !== undefined) throw new HttpError(422, mistakable);
  return written.toUpperCase();
}

/** Returns the code of a currency or minor unit. Throws an HttpError 404, or 422 as `codeInPath`. */
export function pricedCodeInPath(text?: string): string {
  const code = codeInPath(text);
  if (!isPriced(code)) throw noSuchCurrency(code);
  return code;
}

/** Returns the key of a provider in upper case. Throws an HttpError 404 for an unknown one. */
export function providerInPath(text = ''): string {
  const key = text.trim().toUpperCase();
  if (!providerOf(key)) throw noSuchProvider(key);
  return key;
}

export const dateParameter = z
  .string()
  .refine(isCalendarDate, {
    error: ({ input }) => invalidDate(String(input)),
  })
  .meta({ format: 'date', examples: ['2026-01-02'] });

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2}))?$/;

/** An instant of RFC 3339, or a date, which means its end in UTC; in milliseconds since 1970. */
export const instantParameter = instantOr(MILLISECONDS_PER_DAY - 1);

/** Likewise, but a date means its beginning. */
export const startParameter = instantOr(0);

function instantOr(ofDay: number) {
  const instant = parsedText((text) => instantOf(text, ofDay), invalidInstant);
  return instant.meta({ format: 'date-time', examples: ['2026-03-05T16:00:00Z'] });
}

function instantOf(text: string, ofDay: number): number | undefined {
  const [, date = '', time, fraction = '', zone = ''] = INSTANT.exec(text) ?? [];
  if (!isCalendarDate(date)) return undefined;
  if (time === undefined) return dayNumber(date) * MILLISECONDS_PER_DAY + ofDay;
  // Further digits are dropped, as instants are recorded in milliseconds.
  const instant = Date.parse(`${date}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}`);
  return Number.isNaN(instant) ? undefined : instant;
}

const LARGEST_PAGE = 10_000;

export const pageLimit = integerParameter('limit', 1, LARGEST_PAGE)
  .default(1_000)
  .meta({ description: 'Most results', examples: [100] });

/** The rates that a list of records is about. Both dates are included. */
export const recordFilters = {
  providers: providerList.optional().meta({
    description: 'Only rates of these sources: keys separated by commas',
    examples: ['ECB'],
  }),
  quotes: currencyList.optional().meta({
    description: 'Only rates of these currencies, on either side of the pair: codes separated by commas',
    examples: ['USD,GBP'],
  }),
  from: dateParameter
    .optional()
    .meta({ format: 'date', description: 'First observation date', examples: ['2026-01-01'] }),
  to: dateParameter
    .optional()
    .meta({ format: 'date', description: 'Last observation date', examples: ['2026-03-31'] }),
  limit: pageLimit,
};

export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(words, { error: ({ input }) => mustBe(words, String(input)) }))
    .meta({ enum: [...words] });
}

/** In any case. Duplicates count once. */
export function listOf<const T extends readonly [string, ...string[]]>(words: T) {
  const wrong = (text: string) => mustBe(words, text);
  return listIn((word) => word.toLowerCase(), wrong).pipe(
    z.array(z.enum(words, { error: ({ input }) => wrong(String(input)) })),
  );
}

function mustBe(words: readonly string[], given: string): string {
  const near = nearest(given, words);
  return `must be ${eitherOf(words)}, not ${excerpt(given)}${didYouMean(near)}`;
}

function oneCode(isKnown: (code: string) => boolean) {
  return asWritten()
    .trim()
    .toUpperCase()
    .refine(isKnown, { error: ({ input }) => invalidCurrency(String(input)), params: UNKNOWN_CURRENCY })
    .meta({ examples: ['EUR'] });
}

function codesOf(isKnown: (code: string) => boolean) {
  return asWritten()
    .pipe(codeList(isKnown, 'currency', currencyHint))
    .meta({ examples: ['USD,GBP'] });
}

/** Upper case would hide that a code may mean a minor unit. */
function asWritten() {
  return z.string().superRefine((text, issues) => {
    for (const code of text.split(',')) {
      const message = mistakableCode(code.trim());
      if (message !== undefined) issues.addIssue({ code: 'custom', message });
    }
  });
}

function codeList(isKnown: (code: string) => boolean, what: string, hintFor: (code: string) => string) {
  return listIn(
    (code) => code.toUpperCase(),
    (text) => `invalid ${what}: ${excerpt(text)}`,
  ).superRefine((codes, issues) => {
    const unknown = codes.filter((code) => !isKnown(code));
    const [first] = unknown;
    if (first === undefined) return;
    const message = `invalid ${what}: ${excerptOfList(unknown)}${hintFor(first)}`;
    issues.addIssue({ code: 'custom', message, params: { code: `unknown_${what}` } });
  });
}

/** An empty item is invalid: an empty list must not mean all. */
function listIn(normalised: (item: string) => string, wrong: (text: string) => string) {
  return z.string().transform((text, issues) => {
    const items = text
      .split(',')
      .map((item) => normalised(item.trim()))
      .filter((item) => item !== '');
    if (items.length === 0 && text.trim() !== '') issues.addIssue({ code: 'custom', message: wrong(text) });
    return [...new Set(items)];
  });
}
