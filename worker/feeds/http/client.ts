/** A query or form value; a list is sent as one pair per element, an undefined value is left out. */
export type Field = string | number | undefined | readonly (string | number)[];

/** One request beyond its URL. Times and sizes are bounded by the client; these only narrow or widen them. */
export interface RequestOptions {
  /** Added to the URL, percent-encoded except `$ @ : , /`, in this order. */
  query?: Readonly<Record<string, Field>>;
  /** `accept` and `user-agent` are always sent; named here, they are these. */
  headers?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`, in this order. */
  form?: Readonly<Record<string, Field>>;
  /** Sent as `application/json`. */
  json?: unknown;
  /** Sent as it is; its `content-type` belongs in `headers`. */
  body?: string;
  /** Statuses besides 2xx whose response is returned, such as a documented 404 for "nothing there". */
  answers?: readonly number[];
  /** Largest body that is read, in bytes after decompression; 32 MiB where absent. */
  maxBytes?: number;
}

/** A whole response, read to its end. */
export interface HttpAnswer {
  url: string;
  status: number;
  /** Header names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** Every `set-cookie` header. */
  cookies: readonly string[];
  bytes: Uint8Array;
  /** When the last byte came; of a recording, when it was recorded. */
  receivedAt: Date;
  /**
   * The body as text, in the charset named here, else in UTF-8 where it is that, else as the content type or the text itself
   * says. No byte-order mark.
   */
  text(charset?: string): string;
  /** The body as JSON. Throws a FeedError that quotes the start of a body that is none. */
  json(): unknown;
  /** Records that a parser had to leave out, and why: the response's Reading counts them. */
  readonly oddRecords: string[];
}

/** How feeds reach their sources: politely, within limits, over the network or from a recording alike. */
export interface HttpClient {
  /** Throws an HttpClientError where no response comes or its status is an error. */
  get(url: string, options?: RequestOptions): Promise<HttpAnswer>;
  /** Throws an HttpClientError where no response comes or its status is an error. */
  post(url: string, options?: RequestOptions): Promise<HttpAnswer>;
}
