import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { pathOf, type RequestContext } from '../http/route.js';
import { languageOf, languages } from './languages.js';
import { createFormats, isSupportedLocale } from './shared/format.js';
import { createSay, type Messages, type Writing } from './shared/messages.js';

export interface Reader extends Writing {
  /** An ISO 639 code. */
  language: string;
  /** A variety of the language, such as `de-AT`. */
  locale: string;
  /** Whether the address of the page names the language, so that its links keep it. */
  isChosen: boolean;
}

export interface PageRequest {
  reader: Reader;
  target: string;
  context: RequestContext;
}

const FALLBACK = 'en-GB';
const MOST_LANGUAGES = 20;
/** In characters. The rest of a longer header is ignored. */
const LONGEST_HEADER = 1_000;
/** By locale. Formats are expensive to create. */
const readers = new LRUCache<string, Omit<Reader, 'isChosen'>>({ max: 50, memoMethod: readerIn });

/** By the parameter `lang`, or else by `Accept-Language`, which also selects the variety; else British English. */
export function readerOf(acceptLanguage: string | undefined, target = ''): Reader {
  const header = acceptLanguage?.slice(0, LONGEST_HEADER);
  const accepted = new Negotiator({ headers: { 'accept-language': header } }).languages();
  const given = parametersOf(target).get('lang') ?? '';
  const chosen = languageOf(given);
  const isWanted = (tag: string) =>
    isSupportedLocale(tag) && languageOf(tag) !== undefined && (!chosen || languageOf(tag) === chosen);
  const locale = [...accepted.slice(0, MOST_LANGUAGES), FALLBACK, given].find(isWanted) ?? FALLBACK;
  return { ...readers.memo(locale), isChosen: chosen === languageOf(locale) };
}

export function parametersOf(target: string): URLSearchParams {
  return new URLSearchParams(target.slice(pathOf(target).length));
}

function readerIn(locale: string): Omit<Reader, 'isChosen'> {
  const language = languageOf(locale) ?? 'en';
  const say = createSay(languages.get(language) as Messages, locale);
  return { language, locale, formats: createFormats(locale), say };
}
