import Negotiator from 'negotiator';

/** How a body can be coded, best first. */
export const CODINGS = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof CODINGS)[number];

/** `Negotiator.encodings` of version 1, which the types, made for 0.6, do not know yet. */
type Encodings = (available: readonly string[], options: { preferred: readonly string[] }) => string[];

/**
 * The coding of the body that suits the client best (RFC 9110, 12.5.3); `identity` where nothing is asked for, and
 * where nothing that is asked for can be done.
 */
export function negotiateCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined) return 'identity';
  // RFC 9110, 8.4.1.3: x-gzip is the same as gzip.
  const header = acceptEncoding.replace(/\bx-gzip\b/i, 'gzip');
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const [best] = (negotiator.encodings as Encodings).call(negotiator, CODINGS, { preferred: CODINGS });
  return CODINGS.find((coding) => coding === best) ?? 'identity';
}

/**
 * The media type, of those offered, that suits the client best (RFC 9110, 12.5.1): the first one without an `Accept`,
 * undefined where none is acceptable.
 */
export function negotiateMediaType<T extends string>(
  accept: string | undefined,
  offered: readonly T[],
): T | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0];
  const best = new Negotiator({ headers: { accept } }).mediaType(offered);
  return offered.find((type) => type === best);
}
