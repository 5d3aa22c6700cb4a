import { type FeedRequest, type RequestOptions, requestOf } from './request.js';

export type { RequestOptions } from './request.js';

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
  /** Records that a parser had to leave out, with the reason. The response's Reading counts them. */
  readonly oddRecords: string[];
}

/**
 * How feeds access their sources: politely, within limits, over the network or from a recording. All methods throw an
 * HttpClientError if there is no response or its status is an error.
 */
export interface HttpClient {
  get(url: string, options?: RequestOptions): Promise<HttpAnswer>;
  post(url: string, options?: RequestOptions): Promise<HttpAnswer>;
  /** For clients that add something to another one. */
  send(request: FeedRequest): Promise<HttpAnswer>;
}

/** A client that sends all requests in one way. */
export function clientOf(send: HttpClient['send']): HttpClient {
  return {
    get: (url, options) => send(requestOf('GET', url, options)),
    post: (url, options) => send(requestOf('POST', url, options)),
    send,
  };
}

/** Whether a client returns a response with this status. Any other one is an HttpClientError. */
export function isAccepted(status: number, { answers = [] }: FeedRequest): boolean {
  return (status >= 200 && status < 300) || answers.includes(status);
}
