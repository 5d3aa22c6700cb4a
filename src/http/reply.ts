import type { IncomingMessage } from 'node:http';
import type { Cost } from './admission.js';
import { errorBody, type HttpError } from './errors.js';
import {
  type CachePolicy,
  type Coding,
  type HeaderList,
  NO_STORE,
  negotiateMediaType,
} from './representation.js';

/**
 * A body that is generated while it is sent. It is read only as fast as the client reads, and always closed by `return`. A
 * chunk may be overwritten once the next one is requested.
 */
export type ByteStream = AsyncGenerator<Uint8Array, void, undefined>;

export function isStream(body: Content['body']): body is ByteStream {
  return typeof body !== 'string' && Symbol.asyncIterator in body;
}

/** Up to this length, a string is faster to send than bytes, as it is written together with the head. */
export const LONGEST_STRING = 8_192;

/** A body and the headers that describe it. */
export interface Content {
  type: string;
  /** A string is sent as Latin-1. */
  body: Buffer | string | ByteStream;
  /** Further headers that a 304 does not repeat. */
  headers?: HeaderList;
  /** `content-security-policy` of a page; data has a strict one by itself. */
  securityPolicy?: string;
  /** The same body, compressed in advance; if absent, it is compressed when it is sent. */
  compressed?: Readonly<Record<Exclude<Coding, 'identity'>, Buffer>>;
  /** The entity tag of a body whose tag is only known after it is made. */
  tag?: string;
}

/** The reply of a handler, ready to be sent. */
export interface Reply {
  /** 200 if absent. */
  status?: number;
  validity: CachePolicy;
  /** Headers of this reply besides those that every reply has. */
  headers?: HeaderList | undefined;
  /** Absent for a reply without a body, such as a redirect. */
  content?: Content;
  /**
   * The data that the content was made from: see `nameOfData`. Only a reply with a data version may be stored in the
   * response cache.
   */
  dataVersion?: string | undefined;
}

/**
 * A reply whose content is not made yet: the function that makes it, and its input. The input is plain data, so that a
 * thread can make the content as well.
 */
export interface Task {
  /** The name of the function in the service's table of makers. */
  maker: string;
  input: object;
  /** The data that the content is made from, from the first byte to the last. */
  snapshot: { readonly version: string } | undefined;
  validity: CachePolicy;
  /** See Reply. */
  headers?: HeaderList | undefined;
  dataVersion?: string | undefined;
  /** The cost of making and sending the content. It is made once there is capacity for that. */
  cost: Cost;
  /** Whether processes share the body by its tag, as it is short and takes long to make. */
  isShared?: boolean;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** A reply with a value as JSON, never cached. */
export function uncachedJson(value: unknown, status = 200): Reply {
  return { status, validity: NO_STORE, content: json(value) };
}

/** A value as the JSON body of a reply. */
export function json(value: unknown): Content {
  return { type: JSON_TYPE, body: Buffer.from(JSON.stringify(value)) };
}

/** A reply without a body that redirects the client to another address. */
export function seeOther(location: string, headers: HeaderList = []): Reply {
  return { status: 303, validity: NO_STORE, headers: ['location', location, ...headers] };
}

/** A reply without a body that redirects the client to another address permanently, with the same method. */
export function movedTo(location: string): Reply {
  return { status: 308, validity: NO_STORE, headers: ['location', location] };
}

type Asked = Pick<IncomingMessage, 'url' | 'headers'>;

/** How to write errors for clients of some paths that expect another body or status. */
export type ErrorForm = (error: HttpError, request: Asked) => { status?: number; content: Content };

/** Error forms by the first segment of their paths, in lower case. */
export type ErrorForms = ReadonlyMap<string, ErrorForm>;

/** A reply with the error body of the request's path, which is the common one for most paths. It is never cached. */
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

/** Whether a client prefers a page to JSON, as browsers do, by its `Accept` header. */
export function prefersHtml(accept: string | undefined): boolean {
  return negotiateMediaType(accept, [JSON_TYPE, HTML_TYPE]) === HTML_TYPE;
}
