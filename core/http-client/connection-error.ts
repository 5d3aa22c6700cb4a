import { HttpClientError } from './http-client-error.js';
import type { HttpRequest } from './http-request.js';

const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH)/;
const TLS = /^(ERR_SSL_|EPROTO)/;
const TIMEOUT = /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/;
/** The parser gives no code for a response that does not begin as one. */
const NOT_HTTP = /^HPE_|^HTTPParserError$|^UND_ERR_HEADERS_OVERFLOW$/;

/**
 * Converts an error of undici, its parser, TLS or zlib to an HttpClientError that names its code. `status` is that of the
 * response whose body broke off.
 */
export function connectionError(error: unknown, request: HttpRequest, status?: number): HttpClientError {
  const code = codeOf(error);
  // Its properties contain the URL unmasked.
  if (code === 'ERR_INVALID_URL') return new HttpClientError('malformed', request, 'is no valid URL');
  // A parser's error is not kept as the cause: it contains the response.
  if (NOT_HTTP.test(code)) {
    return new HttpClientError('malformed', request, `the response is not HTTP (${code})`, { code });
  }
  const options = { cause: error, code, status };
  if (CERTIFICATE.test(code)) {
    return new HttpClientError('certificate', request, `the certificate is not trusted (${code})`, options);
  }
  if (TLS.test(code)) {
    const detail = `no version of TLS that is accepted here, perhaps only an old one (${code})`;
    return new HttpClientError('connection', request, detail, options);
  }
  const broken = status === undefined ? 'could not be reached' : 'the response broke off';
  const problem = TIMEOUT.test(code) ? 'no response in time' : broken;
  return new HttpClientError('connection', request, `${problem} (${code})`, options);
}

/** Network libraries nest the error that has a code. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // A host with more than one address gives an error for each; the first is reported.
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  return [error, inner, error.cause].map(ownCode).find((code) => code !== undefined) ?? error.name;
}

function ownCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
