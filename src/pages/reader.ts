import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { pathOf, type RequestContext } from '../http/route.js';
import { languageOf, languages } from './languages.js';
import { createFormats, isSupportedLocale } from './shared/format.js';
import { createSay, type Messages } from './shared/messages.js';

export type Reader = ReturnType<typeof readerOf>;

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
const readers = new LRUCache<string, ReturnType<typeof readerIn>>({ max: 50, memoMethod: readerIn });

/** By the parameter `lang`, or else by `Accept-Language`, which also selects the variety; else British English. */
export function readerOf(acceptLanguage: string | undefined, target = '') {
  const header = acceptLanguage?.slice(0, LONGEST_HEADER);
  const accepted = new Negotiator({ headers: { 'accept-language': header } }).languages();
  const given = parametersOf(target).get('lang') ?? '';
  const chosen = languageOf(given);
  const isWanted = (tag: string) =>
    isSupportedLocale(tag) && languageOf(tag) !== undefined && (!chosen || languageOf(tag) === chosen);
  const locale = [...accepted.slice(0, MOST_LANGUAGES), FALLBACK, given].find(isWanted) ?? FALLBACK;
  /** Whether the address of the page names the language, so that its links keep it. */
  const isChosen = chosen === languageOf(locale);
  return { ...readers.memo(locale), isChosen };
}

export function parametersOf(target: string): URLSearchParams {
  return new URLSearchParams(target.slice(pathOf(target).length));
}

/** A locale is a variety of a language, such as `de-AT`; a language is an ISO 639 code. */
function readerIn(locale: string) {
  const language = languageOf(locale) ?? 'en';
  const say = createSay(languages.get(language) as Messages, locale);
  return { language, locale, formats: createFormats(locale), say };
}
