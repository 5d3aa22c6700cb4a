import type { HttpRequest } from './http-request.js';
import { maskUrl, maskValues, secretsOf } from './secrets.js';

/** The kinds of failure. */
type HttpClientErrorReason =
  /** A status that was not accepted. */
  | 'status'
  /** A status from 300 to 399: redirects are never followed. */
  | 'redirect'
  /** No connection, or one that broke. */
  | 'connection'
  /** The response is not valid HTTP, or has a content coding that the request does not accept. */
  | 'malformed'
  | 'certificate'
  /** The time limit of the request or of its signal has passed. */
  | 'timeout'
  | 'too-large'
  /** The signal was aborted for another reason than time. */
  | 'aborted'
  /** The recording that replaces the network has no such request. */
  | 'not-recorded';

interface HttpClientErrorOptions extends ErrorOptions {
  status?: number | undefined;
  code?: string;
  retryAfterMs?: number | undefined;
}

/**
 * A request without an accepted response. Its message names the URL and what is wrong, without credentials of the
 * request.
 */
export class HttpClientError extends Error {
  override readonly name = 'HttpClientError';
  readonly reason: HttpClientErrorReason;
  readonly url: string;
  /** What is wrong, without the URL. */
  readonly detail: string;
  /** The status of the response, where there was one, be it cut short. */
  readonly status: number | undefined;
  /** The code of what broke the connection, such as `ENOTFOUND`. */
  readonly code: string | undefined;
  /** The delay in milliseconds that `retry-after` asks for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: HttpClientErrorReason,
    request: HttpRequest,
    detail: string,
    { status, code, retryAfterMs, ...options }: HttpClientErrorOptions = {},
  ) {
    const url = maskUrl(request.url);
    const shown = maskUrl(maskValues(detail, secretsOf(request)));
    super(`${url}: ${shown}`, options);
    this.reason = reason;
    this.url = url;
    this.detail = shown;
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
