import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import { type Clock, MILLISECONDS_PER_DAY } from '../../core/domain/dates.js';
import { softwareVersion } from '../../core/process/project-files.js';
import type { Cost } from './admission.js';
import { errorBody, type HttpError } from './errors.js';

/** Read only as fast as the client reads, and always closed. The next chunk may overwrite the one before. */
export type ByteStream = AsyncGenerator<Uint8Array, void, undefined>;

export function isStream(body: Content['body']): body is ByteStream {
  return typeof body !== 'string' && Symbol.asyncIterator in body;
}

/** Up to this length, a string is faster to send than bytes, as it is written together with the head. */
export const LONGEST_STRING = 8_192;

export interface Content {
  type: string;
  /** A string is sent as Latin-1. */
  body: Buffer | string | ByteStream;
  headers?: HeaderList;
  /** `content-security-policy` of a page; data has a strict one by itself. */
  securityPolicy?: string;
  /** The body in other codings. What is missing is added when it is first sent, for content that is sent again. */
  compressed?: Partial<Record<Exclude<Coding, 'identity'>, Buffer>>;
  tag?: string;
}

export interface Reply {
  status?: number;
  validity: CachePolicy;
  headers?: HeaderList | undefined;
  /** Absent for a reply without a body. */
  content?: Content;
  /** See `nameOfData`. Only a reply with a data version may be stored in the response cache. */
  dataVersion?: string | undefined;
}

/** A reply to be made: the maker and its input, plain data so that a thread can make it as well. */
export interface Task {
  maker: string;
  input: object;
  /** The data that the content is made from, from the first byte to the last. */
  snapshot: { readonly version: string } | undefined;
  validity: CachePolicy;
  headers?: HeaderList | undefined;
  dataVersion?: string | undefined;
  cost: Cost;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** The formats of rows and other records. */
export const FORMATS = ['json', 'ndjson', 'csv'] as const;

export type Format = (typeof FORMATS)[number];

export const CONTENT_TYPES: Record<Format | 'text', string> = {
  json: JSON_TYPE,
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

export function uncachedJson(value: unknown, status = 200): Reply {
  return { status, validity: NO_STORE, content: json(value) };
}

export function json(value: unknown): Content {
  return { type: JSON_TYPE, body: Buffer.from(JSON.stringify(value)) };
}

/** JSON whose entity tag is a hash of the body. `kind` distinguishes equal bodies of different routes. */
export function hashedJson(kind: string, value: unknown, cacheControl: string): Reply {
  const content = json(value);
  return { validity: { tag: entityTag(kind, String(content.body)), cacheControl }, content };
}

/** A redirect by GET. */
export function seeOther(location: string, headers: HeaderList = []): Reply {
  return { status: 303, validity: NO_STORE, headers: ['location', location, ...headers] };
}

/** A permanent redirect with the same method. */
export function movedTo(location: string): Reply {
  return { status: 308, validity: NO_STORE, headers: ['location', location] };
}

type Asked = Pick<IncomingMessage, 'url' | 'headers'>;

export type ErrorForm = (error: HttpError, request: Asked) => { status?: number; content: Content };

/** By the first segment of the path, in lower case. */
export type ErrorForms = ReadonlyMap<string, ErrorForm>;

/** The error body depends on the path of the request. It is never cached. */
export function errorReply(error: HttpError, request: Asked, forms: ErrorForms): Reply {
  const [, segment = ''] = (request.url ?? '').split(/[/?]/, 2);
  const form = forms.get(segment.toLowerCase());
  return {
    status: error.status,
    validity: NO_STORE,
    headers: Object.entries(error.headers).flat(),
    ...(form ? form(error, request) : { content: json(errorBody(error)) }),
  };
}

/** By the `Accept` header. */
export function prefersHtml(accept: string | undefined): boolean {
  return negotiateMediaType(accept, [JSON_TYPE, HTML_TYPE]) === HTML_TYPE;
}

/** Longer than the headers of real clients. Longer headers are treated as absent, as their parts take time to compare. */
const LONGEST_PREFERENCES = 4_096;

const CODINGS = ['br', 'gzip', 'identity'] as const;

export type Coding = (typeof CODINGS)[number];

/** `Negotiator.encodings` of version 1. The type declarations, made for 0.6, lack it. */
type Encodings = (available: readonly string[], options: { preferred: readonly string[] }) => string[];

/** By RFC 9110, 12.5.3; `identity` without a header, for unsupported codings, and above 4,096 characters. */
export function negotiateCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || acceptEncoding.length > LONGEST_PREFERENCES) return 'identity';
  // RFC 9110, 8.4.1.3: x-gzip is the same as gzip.
  const header = acceptEncoding.replace(/\bx-gzip\b/i, 'gzip');
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const [best] = (negotiator.encodings as Encodings).call(negotiator, CODINGS, { preferred: CODINGS });
  return CODINGS.find((coding) => coding === best) ?? 'identity';
}

/** By RFC 9110, 12.5.1; the first one without a header or above 4,096 characters; undefined if none fits. */
export function negotiateMediaType<T extends string>(
  accept: string | undefined,
  offered: readonly T[],
): T | undefined {
  if (accept === undefined || accept.trim() === '' || accept.length > LONGEST_PREFERENCES) return offered[0];
  const best = new Negotiator({ headers: { accept } }).mediaType(offered);
  return offered.find((type) => type === best);
}

const OFFERED = FORMATS.map((format) => CONTENT_TYPES[format]);

/** The format that a path selects, or else the `Accept` header: JSON by default, and if the client accepts none. */
export function negotiateFormat<Selected extends Format | 'text'>(
  accept: string | undefined,
  selected?: Selected,
): { format: Selected | Format; vary: readonly string[] } {
  if (selected !== undefined) return { format: selected, vary: [] };
  const type = negotiateMediaType(accept, OFFERED);
  return { format: FORMATS.find((format) => CONTENT_TYPES[format] === type) ?? 'json', vary: ['accept'] };
}

/** Names and values of headers alternately, the fastest of the forms that `writeHead` accepts. */
export type HeaderList = readonly string[];

export interface CachePolicy {
  tag?: string;
  /** The `cache-control` header, or MOVING if it depends on the time of sending. */
  cacheControl: string;
  vary?: readonly string[];
}

export const NO_STORE: CachePolicy = { cacheControl: 'no-store' };

/** A strong tag without quotes, known before the body: data, request and software version determine it. */
export function entityTag(...parts: readonly (string | number | bigint)[]): string {
  return hash('sha256', [softwareVersion, ...parts].join('\n'), 'base64url').slice(0, 22);
}

/** The `etag` header: a tag differs by content coding, as the bytes do. */
export function etagHeader(tag: string, coding: Coding = 'identity'): string {
  return coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`;
}

/** By `If-None-Match` (RFC 9110, 13.1.2). A short body is never compressed, so its plain tag always matches. */
export function heldCoding(
  ifNoneMatch: string | undefined,
  tag: string | undefined,
  wanted: Coding = 'identity',
): Coding | undefined {
  if (ifNoneMatch === undefined || tag === undefined) return undefined;
  const header = ifNoneMatch.trim();
  // Nearly every client sends the tag as it received it. Parsing a list of tags takes several times as long.
  if (header === etagHeader(tag)) return 'identity';
  if (header === etagHeader(tag, wanted)) return wanted;
  const isHeld = (coding: Coding) => fresh({ 'if-none-match': header }, { etag: etagHeader(tag, coding) });
  if (header !== '*' && isHeld('identity')) return 'identity';
  return CODINGS.some(isHeld) ? wanted : undefined;
}

const LONGEST_MOVING = 300;

/** The lifetime of data that changes with time: see `moving`. */
export const MOVING = 'moving';

const STALE = 'stale-while-revalidate=60, stale-if-error=86400';

/** For data wholly in the past, which only corrections change. */
export const CLOSED = 'public, max-age=86400, stale-while-revalidate=86400, stale-if-error=86400';

/** For data as known in the past. A later blending method may change the same rates. */
export const PAST = 'public, max-age=86400';

/** For data that changes with time: five minutes, but not past the next UTC midnight. */
export function moving(clock: Clock): string {
  const toMidnight = Math.floor((MILLISECONDS_PER_DAY - (clock().getTime() % MILLISECONDS_PER_DAY)) / 1000);
  return `public, max-age=${Math.min(LONGEST_MOVING, toMidnight)}, ${STALE}`;
}

export function cacheControlHeader({ cacheControl }: CachePolicy, clock: Clock): HeaderList {
  return ['cache-control', cacheControl === MOVING ? moving(clock) : cacheControl];
}
