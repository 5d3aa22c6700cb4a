import type { HttpRequest } from './http-request.js';
import { maskUrl, maskValues, secretsOf } from './secrets.js';

/** Why there is no usable response. */
type HttpClientErrorReason =
  /** A status that was not accepted. */
  | 'status'
  /** A status from 300 to 399: redirects are never followed. */
  | 'redirect'
  /** No connection, or one that broke. */
  | 'connection'
  /** What came is not HTTP, or is compressed in a way that nobody asked for. */
  | 'malformed'
  | 'certificate'
  /** The time limit of the request, or that of its signal. */
  | 'timeout'
  | 'too-large'
  /** The signal, for any other reason than time. */
  | 'aborted'
  /** A recording that stands in for the network has no such request. */
  | 'not-recorded';

interface HttpClientErrorOptions extends ErrorOptions {
  status?: number;
  retryAfterMs?: number | undefined;
}

/** No usable response came. Its message names the URL and what is wrong, without credentials of the request. */
export class HttpClientError extends Error {
  override readonly name = 'HttpClientError';
  readonly reason: HttpClientErrorReason;
  readonly url: string;
  /** What is wrong, without the URL. */
  readonly detail: string;
  /** The status of the response, where there was one. */
  readonly status: number | undefined;
  /** Milliseconds after which the server says that it may be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: HttpClientErrorReason,
    request: HttpRequest,
    detail: string,
    { status, retryAfterMs, ...options }: HttpClientErrorOptions = {},
  ) {
    const url = maskUrl(request.url);
    const shown = maskUrl(maskValues(detail, secretsOf(request)));
    super(`${url}: ${shown}`, options);
    this.reason = reason;
    this.url = url;
    this.detail = shown;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
