import { ar } from './ar.js';
import { de } from './de.js';
import { en, type Messages } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { zh } from './zh.js';

const LANGUAGES = { en, de, fr, es, ar, zh } as const;

/** The languages that pages are written in, as ISO 639-1 codes. */
export type Language = keyof typeof LANGUAGES;

/** What pages say, by language. */
export const languages: Readonly<Record<Language, Messages>> = LANGUAGES;

/** The language of a tag such as `de-AT`; undefined for one that pages are not written in. */
export function languageOf(tag: string): Language | undefined {
  const [primary = ''] = tag.toLowerCase().split('-');
  return Object.hasOwn(languages, primary) ? (primary as Language) : undefined;
}
