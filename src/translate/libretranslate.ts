import * as z from 'zod';
import { parseBody } from '../relay/parse-body.js';
import { UpstreamError } from '../relay/upstream-error.js';
import type { UpstreamResponse } from '../relay/upstream-request.js';
import { isTraditionalChinese, languageCodes, readDetected, withoutRegion } from './languages.js';
import { type Translated, type TranslationEngine, UnknownLanguage } from './translate.js';

const body = z.object({
  translatedText: z.string(),
  detectedLanguage: z.object({ confidence: z.number(), language: z.string() }).nullish(),
});
const refusal = z.object({ error: z.string() });

/** As many characters as the hosted plans allow. Most operators set no limit. */
const PIECE = /^.{0,2000}/su;

/** https://libretranslate.com/docs. The server accepts a key only in the body. */
export function libreTranslate(key: string | undefined): TranslationEngine {
  return {
    name: 'libretranslate',
    fitting: (text) => PIECE.exec(text)?.[0].length ?? 0,
    codeOf,
    requestFor: (piece, { from, to }) => ({
      path: '/translate',
      json: { q: piece, source: from ?? 'auto', target: to, format: 'text', api_key: key },
      accepts: [400],
      parse: (response) => readOutcome(response, from),
    }),
  };
}

function codeOf(tag: string): string {
  const language = withoutRegion(tag);
  if (language === 'zh') return isTraditionalChinese(tag) ? 'zt' : 'zh';
  // The codes of the models, which both old and new servers support.
  const { libretranslate } = languageCodes;
  return libretranslate.get(tag) ?? libretranslate.get(language) ?? language;
}

function readOutcome(response: UpstreamResponse, from: string | undefined): Translated | UnknownLanguage {
  if (response.status === 400) {
    const { error } = parseBody(refusal, response.body);
    if (!/is not (supported|available)/i.test(error)) throw new UpstreamError('status', 'status 400');
    return new UnknownLanguage(from !== undefined && error.startsWith(`${from} `) ? 'from' : 'to');
  }
  const { translatedText, detectedLanguage } = parseBody(body, response.body);
  if (translatedText.trim() === '') throw new UpstreamError('invalid', 'no translation in the response');
  // Confidence 0 means that nothing was detected; the language is then English.
  const detected = detectedLanguage?.confidence ? detectedLanguage.language : undefined;
  return { text: translatedText, from: from ?? readDetected(detected) };
}
