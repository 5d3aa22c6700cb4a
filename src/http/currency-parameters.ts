import { z } from 'zod';
import { isCurrency } from '../../core/domain/currencies.js';
import { isCalendarDate } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import { excerpt, excerptOfList } from './excerpt.js';

/** One currency code, in any case. The route decides what to do if there are no rates for it. */
export const currencyCode = z
  .string()
  .transform((text) => text.trim().toUpperCase())
  .refine(isCurrency, { error: (issue) => `invalid currency: ${excerpt(String(issue.input))}` })
  .meta({ type: 'string', examples: ['EUR'] });

/** Currency codes with commas between, in any case; repeated ones count once. */
export const currencyList = codeList((code) => isCurrency(code), 'currency').meta({ examples: ['USD,GBP'] });

/** Provider keys with commas between, in any case; repeated ones count once. */
export const providerList = codeList((key) => providerOf(key) !== undefined, 'provider').meta({
  examples: ['ECB'],
});

/** A calendar date that exists. */
export const dateParameter = z
  .string()
  .refine(isCalendarDate, {
    error: (issue) => `invalid date, YYYY-MM-DD is wanted: ${excerpt(String(issue.input))}`,
  })
  .meta({ format: 'date', examples: ['2026-01-02'] });

/** One of a few words, in any case. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.preprocess(
    (text) => (typeof text === 'string' ? text.toLowerCase() : text),
    z.enum(words, { error: (issue) => `must be ${words.join(' or ')}: ${excerpt(String(issue.input))}` }),
  );
}

/** Words with commas between, in any case; repeated ones count once. */
export function listOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z
    .string()
    .transform((text) => [...new Set(codesIn(text).map((word) => word.toLowerCase()))])
    .pipe(
      z.array(
        z.enum(words, {
          error: (issue) => `must be ${words.join(' or ')}: ${excerpt(String(issue.input))}`,
        }),
      ),
    );
}

function codeList(isKnown: (code: string) => boolean, what: string) {
  return z
    .string()
    .transform((text) => [...new Set(codesIn(text))])
    .superRefine((codes, issues) => {
      const unknown = codes.filter((code) => !isKnown(code));
      if (unknown.length > 0) {
        issues.addIssue({ code: 'custom', message: `invalid ${what}: ${excerptOfList(unknown)}` });
      }
    });
}

function codesIn(text: string): string[] {
  return text
    .split(',')
    .map((code) => code.trim().toUpperCase())
    .filter((code) => code !== '');
}
