/** A query or form value. A list is sent as one pair per element; undefined values are omitted. */
export type Field = string | number | undefined | readonly (string | number)[];

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

export interface HttpAnswer {
  url: string;
  status: number;
  /** Header names in lower case. */
  headers: ReadonlyMap<string, string>;
  cookies: readonly string[];
  bytes: Uint8Array;
  /** When the last byte arrived. For a recording, when it was recorded. */
  receivedAt: Date;
  /** The body without a byte-order mark, in the given charset; else UTF-8 if valid; else as the type or the text states. UTF-16 if marked. */
  text(charset?: string): string;
  /** The body as JSON. Throws a FeedError that quotes the start of a body that is not JSON. */
  json(): unknown;
  /** Records that a parser had to leave out, with the reason. The response's Reading counts them. */
  readonly oddRecords: string[];
}

/** Sends a request. Throws an HttpClientError if there is no response or its status is an error. */
type Send = (url: string, options?: RequestOptions) => Promise<HttpAnswer>;

/** How feeds access their sources: politely, within limits, over the network or from a recording. */
export interface HttpClient {
  get: Send;
  post: Send;
}

/** A client of which both methods send requests in one way. */
export function clientOf(
  send: (method: keyof HttpClient, url: string, options?: RequestOptions) => Promise<HttpAnswer>,
): HttpClient {
  return {
    get: (url, options) => send('get', url, options),
    post: (url, options) => send('post', url, options),
  };
}
