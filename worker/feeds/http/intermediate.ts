import { X509Certificate } from 'node:crypto';
import { type Dispatcher, request } from 'undici';
import { readBody } from './body.js';
import { HttpFailure } from './failure.js';
import type { MissingIntermediate } from './tls-exceptions.js';

const LARGEST_CERTIFICATE = 64 * 1024;

/**
 * The certificate that a host leaves out, as PEM, from its issuer. The fetch may go over plain http: only the
 * certificate with the known SHA-256 is accepted. Throws an HttpFailure otherwise.
 */
export async function fetchIntermediate(
  missing: MissingIntermediate,
  dispatcher: Dispatcher,
): Promise<string> {
  const response = await request(missing.address, { dispatcher });
  if (response.statusCode !== 200) {
    await response.body.dump();
    throw new HttpFailure(
      'certificate',
      missing.address,
      `answered ${response.statusCode} for ${missing.name}`,
    );
  }
  const certificate = parse(await readBody(response, missing.address, LARGEST_CERTIFICATE), missing);
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  if (fingerprint !== missing.sha256) {
    throw new HttpFailure(
      'certificate',
      missing.address,
      `is not ${missing.name}: its SHA-256 is ${fingerprint}`,
    );
  }
  return certificate.toString();
}

function parse(bytes: Uint8Array, missing: MissingIntermediate): X509Certificate {
  try {
    return new X509Certificate(bytes);
  } catch (cause) {
    throw new HttpFailure('certificate', missing.address, 'answered no certificate', undefined, undefined, {
      cause,
    });
  }
}
