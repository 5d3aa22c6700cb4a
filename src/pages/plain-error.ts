import { isNeedsKeyError } from '../../core/domain/provider-status.js';
import type { Messages } from './shared/messages/en.js';

/** The meanings of an ingest's errors, the most specific first. */
const MEANINGS: readonly (readonly [RegExp, keyof Messages['failures']])[] = [
  [
    /(refused|rejected|invalid).*(key|credential|token)|(key|credential|token).*(refused|rejected|invalid)|\b401\b/i,
    'keyRefused',
  ],
  [/\b403\b|blocked|captcha|forbidden/i, 'refused'],
  [/\b404\b|\b410\b|not found/i, 'gone'],
  [/\b429\b|too many requests/i, 'tooMany'],
  [/\b5\d\d\b/, 'ownError'],
  [/time(d)? ?out|took (too long|longer)|abort/i, 'timeout'],
  [/certificate|tls|ssl/i, 'certificate'],
  [/ENOTFOUND|EAI_AGAIN|ECONN|EHOST|ENET|socket|network|fetch failed|unreachable/i, 'unreachable'],
  [/database|postgres|deadlock|transaction/i, 'notStored'],
];

/** Explains an error in plain words. Its own text is only for operators, as it may quote the response of a source. */
export function plainError(lastError: string | null, { failures }: Messages): string | undefined {
  if (lastError === null) return undefined;
  if (isNeedsKeyError(lastError)) return failures.needsKey;
  const meaning = MEANINGS.find(([pattern]) => pattern.test(lastError));
  return failures[meaning?.[1] ?? 'unreadable'];
}
