import { HttpFailure } from './failure.js';

const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH)/;
const PROTOCOL = /^(ERR_SSL_|EPROTO)/;
const TIMEOUT = /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$|^ETIMEDOUT$/;

/** What went wrong, as an HttpFailure; the causes that network libraries nest are named by their code. */
export function faultOf(error: unknown, address: string, stopped: AbortSignal | undefined): HttpFailure {
  if (stopped?.aborted) return new HttpFailure('stopped', address, 'stopped before it answered');
  if (error instanceof HttpFailure) return error;
  const { code, message } = described(error);
  const options = { cause: error };
  if (CERTIFICATE.test(code)) {
    return new HttpFailure(
      'certificate',
      address,
      `its certificate is not trusted (${code})`,
      undefined,
      undefined,
      options,
    );
  }
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new HttpFailure('too-large', address, message, undefined, undefined, options);
  }
  if (PROTOCOL.test(code)) {
    return new HttpFailure(
      'connection',
      address,
      `speaks no TLS that is accepted here, perhaps only an old one (${code})`,
      undefined,
      undefined,
      options,
    );
  }
  const what = TIMEOUT.test(code)
    ? `no answer in time (${code})`
    : `could not be reached (${code || message})`;
  return new HttpFailure('connection', address, what, undefined, undefined, options);
}

function described(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  // A happy-eyeballs connect fails with one error per address; the first says as much as all of them.
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  const code = codeOf(error) ?? codeOf(inner) ?? codeOf(error.cause) ?? '';
  return { code, message: error.message };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
