import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { codeFile } from '../../core/process/project-files.js';
import { pathOf } from '../http/exchange.js';
import type { RequestContext } from '../http/route.js';
import { createFormats, isSupportedLocale } from './shared/format.js';
import { createSay, type MessageKey, type Messages } from './shared/messages.js';

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

const FOLDER = codeFile('src/pages/messages');

/** By ISO 639 code: the files in `messages/`. */
export const languages: ReadonlyMap<string, Messages> = new Map(
  readdirSync(FOLDER).map((name) => [
    basename(name, '.json'),
    JSON.parse(readFileSync(join(FOLDER, name), 'utf8')),
  ]),
);

export function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(languages.get('en') ?? {}, key);
}

/** The language of a tag such as `de-AT`; undefined if unsupported. */
function languageOf(tag: string): string | undefined {
  const [primary = ''] = tag.toLowerCase().split('-');
  return languages.has(primary) ? primary : undefined;
}
