import { hash } from 'node:crypto';
import fresh from 'fresh';
import { CODINGS, type Coding } from './negotiation.js';

/**
 * A strong entity tag without its quotes, for one reply in one format: the data version and the normalised request
 * stand for the body, so that it is known before anything is computed.
 */
export function entityTag(...parts: readonly (string | number | bigint)[]): string {
  return hash('sha256', parts.join('\n'), 'base64url').slice(0, 22);
}

/** The `etag` header: bodies that are coded differently are different bytes, and their tags differ too. */
export function etagHeader(tag: string, coding: Coding = 'identity'): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}

/**
 * The coding in which the client already holds the reply (`If-None-Match`, RFC 9110, 13.1.2); undefined where it does
 * not. A short body is never coded, so that its plain tag counts also where a coding is welcome.
 */
export function heldCoding(
  ifNoneMatch: string | undefined,
  tag: string,
  wanted: Coding = 'identity',
): Coding | undefined {
  if (ifNoneMatch === undefined) return undefined;
  const header = ifNoneMatch.trim();
  const isHeld = (coding: Coding) => fresh({ 'if-none-match': header }, { etag: etagHeader(tag, coding) });
  if (header !== '*' && isHeld('identity')) return 'identity';
  return CODINGS.some(isHeld) ? wanted : undefined;
}
