import { isNeedsKeyError } from '../../core/domain/provider-status.js';

/** What the error of an ingest comes down to for a reader, most telling first. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /(refused|rejected|invalid).*(key|credential|token)|(key|credential|token).*(refused|rejected|invalid)|\b401\b/i,
    'The source refused the key that it was given.',
  ],
  [/\b403\b|blocked|captcha|forbidden/i, 'The source refused the request.'],
  [/\b404\b|\b410\b|not found/i, 'The source no longer has a page where its rates were.'],
  [/\b429\b|too many requests/i, 'The source asked for fewer requests.'],
  [/\b5\d\d\b/, 'The source answered with an error of its own.'],
  [/time(d)? ?out|took (too long|longer)|abort/i, 'The source did not answer in time.'],
  [/certificate|tls|ssl/i, 'The source could not be reached safely: its certificate was not accepted.'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONN|EHOST|ENET|socket|network|fetch failed|unreachable/i,
    'The source could not be reached.',
  ],
  [/database|postgres|deadlock|transaction/i, 'What the source answered could not be stored.'],
];

/**
 * An error in plain words. The text of the error itself is for operators: it may quote what a source answered, and is not
 * shown.
 */
export function plainError(lastError: string | null): string | undefined {
  if (lastError === null) return undefined;
  if (isNeedsKeyError(lastError)) return 'It needs a key, which this service has not been given.';
  const meaning = MEANINGS.find(([pattern]) => pattern.test(lastError));
  return meaning?.[1] ?? 'The source answered something that could not be read as its rates.';
}
