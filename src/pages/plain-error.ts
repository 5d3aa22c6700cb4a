import { isNeedsKeyError } from '../../core/domain/provider-status.js';
import type { MessageKey, Say } from './shared/messages.js';

/** The most specific first. */
const MEANINGS: readonly (readonly [RegExp, MessageKey])[] = [
  [
    /(refused|rejected|invalid).*(key|credential|token)|(key|credential|token).*(refused|rejected|invalid)|\b401\b/i,
    'failures.keyRefused',
  ],
  [/\b403\b|blocked|captcha|forbidden/i, 'failures.refused'],
  [/\b404\b|\b410\b|not found/i, 'failures.gone'],
  [/\b429\b|too many requests/i, 'failures.tooMany'],
  [/\b5\d\d\b/, 'failures.ownError'],
  [/time(d)? ?out|took (too long|longer)|abort/i, 'failures.timeout'],
  [/certificate|tls|ssl/i, 'failures.certificate'],
  [/ENOTFOUND|EAI_AGAIN|ECONN|EHOST|ENET|socket|network|fetch failed|unreachable/i, 'failures.unreachable'],
  [/database|postgres|deadlock|transaction/i, 'failures.notStored'],
];

/** The error's own text is only for operators, as it may quote the response of a source. */
export function plainError(lastError: string | null, say: Say): string | undefined {
  if (lastError === null) return undefined;
  if (isNeedsKeyError(lastError)) return say('failures.needsKey');
  const meaning = MEANINGS.find(([pattern]) => pattern.test(lastError));
  return say(meaning?.[1] ?? 'failures.unreadable');
}
