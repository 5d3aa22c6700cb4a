import { X509Certificate } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import type { HttpRequest } from '../../../core/http-client/http-request.js';
import { sendRequest } from '../../../core/http-client/send-request.js';
import type { MissingIntermediate } from './tls-exceptions.js';

const LARGEST_CERTIFICATE = 64 * 1024;

/** Fetches an intermediate certificate, as PEM. Throws an HttpClientError if it has another SHA-256 than the known one. */
export async function fetchIntermediate(
  missing: MissingIntermediate,
  dispatcher: Dispatcher,
): Promise<string> {
  const request: HttpRequest = { method: 'GET', url: missing.address };
  const refuse = (detail: string) => new HttpClientError('certificate', request, detail);
  const { status, bytes } = await sendRequest(request, {
    dispatcher,
    accepts: () => true,
    maxBytes: LARGEST_CERTIFICATE,
  });
  if (status !== 200) throw refuse(`responded with status ${status} for ${missing.name}`);
  const certificate = parse(bytes);
  if (!certificate) throw refuse('responded with no certificate');
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  if (fingerprint !== missing.sha256) {
    throw refuse(`is not ${missing.name}: its SHA-256 is ${fingerprint}`);
  }
  return certificate.toString();
}

function parse(bytes: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    // Anything else that the issuer sent is not a certificate.
    return undefined;
  }
}
