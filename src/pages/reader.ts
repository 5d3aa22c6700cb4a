import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import type { RequestContext } from '../http/route.js';
import { createFormats, type Formats, isSupportedLocale } from './shared/format.js';
import type { Messages } from './shared/messages/en.js';
import { type Language, languageOf, languages } from './shared/messages/languages.js';

/** The language and formats of a page. */
export interface Reader {
  language: Language;
  /** The locale of figures and dates, a variety of the language such as `de-AT`. */
  locale: string;
  formats: Formats;
  messages: Messages;
}

/** A request for a page, with the language and formats of its reader. */
export interface PageRequest {
  reader: Reader;
  context: RequestContext;
}

const FALLBACK = 'en-GB';
const MOST_LANGUAGES = 20;
/** In characters. The rest of a longer header is ignored. */
const LONGEST_HEADER = 1_000;
/** Formats are expensive to create. */
const known = new LRUCache<string, Reader>({ max: 50 });

/** Returns the reader for the first supported language of an `Accept-Language`; British English by default. */
export function readerOf(acceptLanguage: string | undefined): Reader {
  const header = acceptLanguage?.slice(0, LONGEST_HEADER);
  const wanted = new Negotiator({ headers: { 'accept-language': header } }).languages();
  const locale = wanted
    .slice(0, MOST_LANGUAGES)
    .find((tag) => languageOf(tag) !== undefined && isSupportedLocale(tag));
  return readerIn(locale ?? FALLBACK);
}

function readerIn(locale: string): Reader {
  const found = known.get(locale);
  if (found) return found;
  const language = languageOf(locale) ?? 'en';
  const made = { language, locale, formats: createFormats(locale), messages: languages[language] };
  known.set(locale, made);
  return made;
}
