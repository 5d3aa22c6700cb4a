import type { HttpRequest } from './http-request.js';
import { maskUrl, maskValues, secretsOf } from './secrets.js';

/** The kinds of failure. */
type HttpClientErrorReason =
  /** The status was not accepted. */
  | 'status'
  /** The status is from 300 to 399. Redirects are never followed. */
  | 'redirect'
  /** There was no connection, or it broke. */
  | 'connection'
  /** The response is not valid HTTP, or has a content coding that the request does not accept. */
  | 'malformed'
  | 'certificate'
  /** The timeout of the request or of its signal expired. */
  | 'timeout'
  | 'too-large'
  /** The signal was aborted for another reason than a timeout. */
  | 'aborted'
  /** The recording that replaces the network does not contain the request. */
  | 'not-recorded';

interface HttpClientErrorOptions extends ErrorOptions {
  status?: number | undefined;
  code?: string;
  retryAfterMs?: number | undefined;
}

/** A request without an accepted response. The message has the URL and the fault, without credentials of the request. */
export class HttpClientError extends Error {
  override readonly name = 'HttpClientError';
  readonly reason: HttpClientErrorReason;
  readonly url: string;
  /** The fault, without the URL. */
  readonly detail: string;
  /** The status of the response, if there was one, even if it was truncated. */
  readonly status: number | undefined;
  /** The code of the connection error, such as `ENOTFOUND`. */
  readonly code: string | undefined;
  /** The delay in milliseconds that `retry-after` requests. */
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
