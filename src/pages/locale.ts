import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { createFormats, type Formats, isSupportedLocale } from './shared/format.js';

const FALLBACK = 'en-GB';
const MOST_LANGUAGES = 20;
/** Of characters: what comes after them in a header is not looked at. */
const LONGEST_HEADER = 1_000;
const known = new LRUCache<string, Formats>({ max: 50 });

/** The first language of an `Accept-Language` that figures can be written for; British English without one. */
export function localeOf(acceptLanguage: string | undefined): string {
  const header = acceptLanguage?.slice(0, LONGEST_HEADER);
  const wanted = new Negotiator({ headers: { 'accept-language': header } }).languages();
  return wanted.slice(0, MOST_LANGUAGES).find(isSupportedLocale) ?? FALLBACK;
}

/** The formats of a locale, which are costly to make. */
export function formatsFor(locale: string): Formats {
  const found = known.get(locale);
  if (found) return found;
  const made = createFormats(locale);
  known.set(locale, made);
  return made;
}
