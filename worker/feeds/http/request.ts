import type { HttpRequest } from '../../../core/http-client/http-request.js';

/** A query or form value. A list is sent as one pair per element; undefined values are omitted. */
type Field = string | number | undefined | readonly (string | number)[];

/** The parts of a request beyond its URL. The client limits times and sizes; these only narrow or widen the limits. */
export interface RequestOptions {
  /** Added to the URL in this order, percent-encoded except `$ @ : , /`. */
  query?: Readonly<Record<string, Field>>;
  /** `accept` and `user-agent` are always sent. Values given here replace the defaults. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`, in this order. */
  form?: Readonly<Record<string, Field>>;
  /** Sent as `application/json`. */
  json?: unknown;
  /** Sent unchanged. Its `content-type` belongs in `headers`. */
  body?: string;
  /** Statuses besides 2xx whose response is returned, such as a documented 404 for "nothing there". */
  answers?: readonly number[];
  /** Maximum size of the body, in decompressed bytes. Default: 32 MiB. */
  maxBytes?: number;
}

/** A complete request, with its address, headers and body as they are sent. */
export interface FeedRequest extends HttpRequest {
  headers: Readonly<Record<string, string>>;
  answers?: readonly number[] | undefined;
  maxBytes?: number | undefined;
}

/** Encodes the query and the body, and names the type of the body if this client knows it. */
export function requestOf(
  method: FeedRequest['method'],
  url: string,
  options: RequestOptions = {},
): FeedRequest {
  const { query, headers = {}, answers, maxBytes } = options;
  const { body, contentType } = bodyOf(options);
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method,
    url: addressOf(url, query),
    headers: { ...(contentType && { 'content-type': contentType }), ...Object.fromEntries(named) },
    body,
    answers,
    maxBytes,
  };
}

function addressOf(url: string, query: RequestOptions['query']): string {
  const pairs = encodeFields(query ?? {}, encodeQuery);
  if (pairs === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs}`;
}

function bodyOf(options: RequestOptions): { body?: string; contentType?: string } {
  if (options.form) {
    return {
      body: encodeFields(options.form, encodeURIComponent).replace(/%20/g, '+'),
      contentType: 'application/x-www-form-urlencoded',
    };
  }
  if (options.json !== undefined)
    return { body: JSON.stringify(options.json), contentType: 'application/json' };
  return options.body === undefined ? {} : { body: options.body };
}

function encodeFields(fields: Readonly<Record<string, Field>>, encode: (text: string) => string): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => `${encode(name)}=${encode(String(one))}`))
    .join('&');
}

/** Several services compare these five characters unescaped, and RFC 3986 allows them in a query. */
function encodeQuery(text: string): string {
  return encodeURIComponent(text).replace(/%(24|40|3A|2C|2F)/g, decodeURIComponent);
}
