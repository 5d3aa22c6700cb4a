import { CERTIFICATE_CODE, TLS_CODE } from '../process/tls-codes.js';
import type { HttpRequest } from './http-request.js';
import { ProxyError } from './open-agent.js';
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
  retryAfterMs?: number | undefined;
}

/** The message has the URL and the fault, without credentials of the request. */
export class HttpClientError extends Error {
  override readonly name = 'HttpClientError';
  readonly detail: string;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    readonly reason: HttpClientErrorReason,
    request: HttpRequest,
    detail: string,
    { status, retryAfterMs, ...options }: HttpClientErrorOptions = {},
  ) {
    const shown = maskUrl(maskValues(detail, secretsOf(request)));
    super(`${maskUrl(request.url)}: ${shown}`, options);
    this.detail = shown;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** What a code of undici, TLS or zlib means. The first match applies. The first is of a host that sends no chain. */
const PROBLEMS: readonly (readonly [code: RegExp, problem: string])[] = [
  [
    /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    'the certificate is not trusted: the host leaves out an intermediate, or nobody trusts its issuer',
  ],
  [CERTIFICATE_CODE, 'the certificate is not trusted'],
  [TLS_CODE, 'no version of TLS that is accepted here, perhaps only an old one'],
  [/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/, 'no response in time'],
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, 'the connection broke before the response was complete'],
  [/^(Z_|ERR__ERROR_)/, 'the compressed body is damaged or cut short'],
];
/** The parser gives no code for a response that does not start like HTTP. */
const NOT_HTTP = /^HPE_|^HTTPParserError$|^UND_ERR_HEADERS_OVERFLOW$/;

/** Names the code of undici, its parser, TLS or zlib. `status` is that of the response whose body broke off. */
export function connectionError(error: unknown, request: HttpRequest, status?: number): HttpClientError {
  if (error instanceof ProxyError) return proxyFailure(error, request);
  const code = codeOf(error);
  // Its properties contain the unmasked URL.
  if (code === 'ERR_INVALID_URL') return new HttpClientError('malformed', request, 'is not a valid URL');
  // A parser's error is not kept as the cause, because it contains the response.
  if (NOT_HTTP.test(code))
    return new HttpClientError('malformed', request, `the response is not HTTP (${code})`);
  const [, problem = 'could not be reached'] = PROBLEMS.find(([pattern]) => pattern.test(code)) ?? [];
  const reason = CERTIFICATE_CODE.test(code) ? 'certificate' : 'connection';
  return new HttpClientError(reason, request, `${problem} (${code})`, { cause: error, status });
}

function proxyFailure({ proxy, status, cause }: ProxyError, request: HttpRequest): HttpClientError {
  if (status === undefined) {
    const { detail } = connectionError(cause, request);
    return new HttpClientError('proxy', request, `the proxy ${proxy}: ${detail}`, { cause });
  }
  const why = status === 407 ? ': it needs a login, or refuses the one in its URL' : '';
  const detail = `the proxy ${proxy}: responded with status ${status}${why}`;
  return new HttpClientError('proxy', request, detail, { status });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // A host with several addresses causes one error per address. The first is reported.
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  return [error, inner, error.cause].map(ownCode).find((code) => code !== undefined) ?? error.name;
}

function ownCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
