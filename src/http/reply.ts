import type { IncomingMessage } from 'node:http';
import type { Cost } from './admission.js';
import { errorBody, type HttpError } from './errors.js';
import {
  type CachePolicy,
  type Coding,
  entityTag,
  type HeaderList,
  NO_STORE,
  negotiateMediaType,
} from './representation.js';

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
  compressed?: Readonly<Record<Exclude<Coding, 'identity'>, Buffer>>;
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
  /** Whether processes share the body by its tag. */
  isShared?: boolean;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

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
