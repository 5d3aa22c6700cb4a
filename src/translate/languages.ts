import * as z from 'zod';
import { readDataFile } from '../../core/process/project-files.js';

const codes = z.record(z.string(), z.string()).transform((given) => new Map(Object.entries(given)));

/** The codes of engines for BCP 47 tags, where they differ, and the tags of codes that are detected. */
export const languageCodes = readDataFile(
  'language_codes.json',
  z.strictObject({ mymemory: codes, libretranslate: codes, detected: codes }),
);

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const notLanguages = new Set(['mul', 'und', 'zxx', 'mis']);

/** A BCP 47 tag (`pt-BR`), from any case and also with `_`; undefined if there is no such language. */
export function readLanguage(text: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{2,35}$/.test(text)) return undefined;
  try {
    const { baseName, language } = new Intl.Locale(text.replaceAll('_', '-'));
    return notLanguages.has(language) || names.of(language) === undefined ? undefined : baseName;
  } catch {
    return undefined;
  }
}

/** `pt` of `pt-BR`. */
export function withoutRegion(tag: string): string {
  return new Intl.Locale(tag).language;
}

/** By script or region. */
export function isTraditionalChinese(tag: string): boolean {
  const { language, script } = new Intl.Locale(tag).maximize();
  return language === 'zh' && script === 'Hant';
}

/** `zh-TW` or `zh-CN` by the script, `pt-BR` if distinguished, otherwise without a region; `und` if undetected. */
export function readDetected(code: string | null | undefined): string {
  const tag = readLanguage(languageCodes.detected.get(code?.toLowerCase() ?? '') ?? code ?? '');
  if (tag === undefined) return UNDETERMINED;
  const language = withoutRegion(tag);
  if (language === 'zh') return isTraditionalChinese(tag) ? 'zh-TW' : 'zh-CN';
  return tag === 'pt-BR' ? tag : language;
}

export const UNDETERMINED = 'und';
