import { ar } from './ar.js';
import { de } from './de.js';
import { en, type Messages } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { zh } from './zh.js';

const LANGUAGES = { en, de, fr, es, ar, zh } as const;

/** The languages of pages, as ISO 639-1 codes. */
export type Language = keyof typeof LANGUAGES;

/** The texts of pages by language. */
export const languages: Readonly<Record<Language, Messages>> = LANGUAGES;

/** Returns the language of a tag such as `de-AT`; undefined for an unsupported one. */
export function languageOf(tag: string): Language | undefined {
  const [primary = ''] = tag.toLowerCase().split('-');
  return Object.hasOwn(languages, primary) ? (primary as Language) : undefined;
}
