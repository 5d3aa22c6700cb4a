import * as z from 'zod';
import { arrayOf, parseBody } from '../relay/parse-body.js';
import { UpstreamError } from '../relay/upstream-error.js';
import type { UpstreamResponse } from '../relay/upstream-request.js';
import { isTraditionalChinese, languageCodes, readDetected, withoutRegion } from './languages.js';
import { type Codes, type Translated, type TranslationEngine, UnknownLanguage } from './translate.js';

const body = z.object({
  responseData: z.object({
    translatedText: z.string().nullish(),
    detectedLanguage: z.string().nullish(),
  }),
  responseStatus: z.coerce.number(),
  quotaFinished: z.boolean().nullish(),
  matches: z.union([arrayOf(z.object({ source: z.string().nullish() }), 1), z.literal('')]).nullish(),
});

/** Error messages that replace the translation and do not always have an error status. */
const messages = {
  sameLanguage: /^PLEASE SELECT TWO DISTINCT LANGUAGES/,
  unknownTarget: /^'[^']*' IS AN INVALID TARGET LANGUAGE/,
  unknownSource: /^'[^']*' IS AN INVALID SOURCE LANGUAGE/,
  quota: /^MYMEMORY WARNING/,
  refusal: /^(QUERY LENGTH LIMIT|NO QUERY SPECIFIED|INVALID LANGUAGE PAIR|INVALID EMAIL|AUTH )/,
};

// The documentation states a limit of 500 bytes in one place and of 500 characters in another.
const PIECE_BYTES = 480;
const encoder = new TextEncoder();
const encoded = new Uint8Array(PIECE_BYTES);
const QUOTA_COOL_DOWN_MS = 900_000;

/** https://mymemory.translated.net/doc/spec.php. An e-mail address raises the quota. It stores the texts. */
export function myMemory(email: string | undefined): TranslationEngine {
  return {
    name: 'mymemory',
    fitting: (text) => encoder.encodeInto(text, encoded).read,
    codeOf,
    requestFor: (piece, { from, to }) => ({
      path: '/get',
      query: { q: piece, langpair: `${from ?? 'autodetect'}|${to}`, de: email },
      accepts: [400, 403, 429],
      parse: (response) => readOutcome(response, piece, { from, to }),
    }),
  };
}

function codeOf(tag: string): string {
  if (withoutRegion(tag) === 'zh') return isTraditionalChinese(tag) ? 'zh-TW' : 'zh-CN';
  return languageCodes.mymemory.get(tag) ?? tag;
}

function readOutcome(
  response: UpstreamResponse,
  piece: string,
  { from, to }: Codes,
): Translated | UnknownLanguage {
  if (response.status === 429) throw tooMany(response);
  const { responseData, responseStatus, quotaFinished, matches } = parseBody(body, response.body);
  const text = responseData.translatedText ?? '';
  // The translation of a text that begins like a message may do so too.
  const message = Object.values(messages).some((pattern) => pattern.test(piece)) ? '' : text;
  if (quotaFinished || messages.quota.test(message)) {
    throw new UpstreamError('limited', 'the quota is used up', { coolDownMs: QUOTA_COOL_DOWN_MS });
  }
  if (messages.sameLanguage.test(message)) return { text: piece, from: from ?? readDetected(to) };
  if (messages.unknownSource.test(message)) return new UnknownLanguage('from');
  if (messages.unknownTarget.test(message)) return new UnknownLanguage('to');
  if (responseStatus === 429) throw new UpstreamError('limited', 'status 429 inside');
  if (response.status !== 200 || responseStatus !== 200) {
    throw new UpstreamError('status', `status ${response.status}, ${responseStatus} inside`);
  }
  if (text.trim() === '' || messages.refusal.test(message)) {
    throw new UpstreamError('invalid', 'no translation in the response');
  }
  const detected = responseData.detectedLanguage ?? (matches || [])[0]?.source;
  return { text: decodeEntities(text, piece), from: from ?? readDetected(detected) };
}

/** A quarter of an hour if the response only says that the quota is used up. */
function tooMany({ body: given, retryAfterMs }: UpstreamResponse): UpstreamError {
  const parsed = body.safeParse(given);
  const isQuota =
    parsed.success &&
    (parsed.data.quotaFinished || messages.quota.test(parsed.data.responseData.translatedText ?? ''));
  return new UpstreamError('limited', 'status 429', {
    coolDownMs: retryAfterMs ?? (isQuota ? QUOTA_COOL_DOWN_MS : 0),
  });
}

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Entities that the engine added. If the original contains some, they belong to the text and stay. */
function decodeEntities(translated: string, original: string): string {
  if (original.search(ENTITY) >= 0) return translated;
  return translated.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? entity;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : entity;
  });
}
