import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HeaderList, setHeaders } from './header-list.js';
import { ENCODINGS, type Encoding } from './negotiation.js';

/**
 * A strong entity tag without its quotes, for one answer in one format: the data version and the normalised
 * request stand for the body, so that it is known before anything is computed.
 */
export function entityTag(...parts: readonly (string | number | bigint)[]): string {
  return hash('sha256', parts.join('\n'), 'base64url').slice(0, 22);
}

/** The `etag` header: bodies that are coded differently are different bytes, and their tags differ too. */
export function etagHeader(tag: string, encoding: Encoding = 'identity'): string {
  return encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`;
}

/**
 * Whether the client already holds the answer, in whichever coding: `If-None-Match` lists its tag, or is `*`
 * (RFC 9110, 13.1.2: compared weakly). Ours have neither quotes nor commas in them, so that a list needs no reading.
 */
export function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const lists = (encoding: Encoding) => ifNoneMatch.includes(etagHeader(tag, encoding));
  return ENCODINGS.some(lists) || ifNoneMatch.trim() === '*';
}

/** What a cache may do with an answer. */
export interface Validity {
  /** See entityTag. */
  tag: string;
  cacheControl: string;
  /** Request headers that choose between forms of the answer, besides `accept-encoding`. */
  vary?: readonly string[];
}

/** The headers that a 200 and a 304 share, besides `cache-control`. */
export function validityHeaders(
  { tag, vary = [] }: Pick<Validity, 'tag' | 'vary'>,
  encoding: Encoding,
): HeaderList {
  return ['etag', etagHeader(tag, encoding), 'vary', [...vary, 'accept-encoding'].join(', ')];
}

/** Sets the headers that a 200 and a 304 share. */
export function setValidity(response: ServerResponse, validity: Validity, encoding: Encoding): void {
  setHeaders(response, validityHeaders(validity, encoding));
  response.setHeader('cache-control', validity.cacheControl);
}

/** The coding in which the client holds the answer already; undefined where it doesn't. */
export function heldEncoding(
  { headers }: IncomingMessage,
  tag: string,
  encoding: Encoding,
): Encoding | undefined {
  const ifNoneMatch = headers['if-none-match'];
  if (!isHeld(ifNoneMatch, tag)) return undefined;
  // What is held plain may be too short to be coded: then this is its tag also where a coding is welcome.
  return ifNoneMatch?.includes(etagHeader(tag)) ? 'identity' : encoding;
}

/** Ends the response with a 304 where the client holds the answer already; says whether it did. */
export function answeredNotModified(
  request: IncomingMessage,
  response: ServerResponse,
  validity: Validity,
  encoding: Encoding,
): boolean {
  const held = heldEncoding(request, validity.tag, encoding);
  if (held === undefined) return false;
  setValidity(response, validity, held);
  response.statusCode = 304;
  response.end();
  return true;
}
