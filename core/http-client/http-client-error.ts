import type { HttpRequest } from './http-request.js';
import { maskUrl, maskValues, secretsOf } from './secrets.js';

type HttpClientErrorReason =
  | 'status'
  /** The status is from 300 to 399. Redirects are never followed. */
  | 'redirect'
  | 'connection'
  /** A proxy can't be reached, or refuses. `status` is that of its refusal. */
  | 'proxy'
  /** Invalid HTTP, or a content coding that the request does not accept. */
  | 'malformed'
  | 'certificate'
  | 'timeout'
  | 'too-large'
  | 'aborted'
  | 'not-recorded';

interface HttpClientErrorOptions extends ErrorOptions {
  status?: number | undefined;
  code?: string;
  retryAfterMs?: number | undefined;
}

/** The message has the URL and the fault, without credentials of the request. */
export class HttpClientError extends Error {
  override readonly name = 'HttpClientError';
  readonly url: string;
  readonly detail: string;
  readonly status: number | undefined;
  /** Such as `ENOTFOUND`. */
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly reason: HttpClientErrorReason,
    request: HttpRequest,
    detail: string,
    { status, code, retryAfterMs, ...options }: HttpClientErrorOptions = {},
  ) {
    const url = maskUrl(request.url);
    const shown = maskUrl(maskValues(detail, secretsOf(request)));
    super(`${url}: ${shown}`, options);
    this.url = url;
    this.detail = shown;
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
