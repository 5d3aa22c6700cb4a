import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { answeredNotModified, setValidity, type Validity } from './conditional.js';
import { type Encoding, negotiateEncoding } from './negotiation.js';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Below this many bytes coding costs more than it saves. */
export const SMALLEST_CODED = 1024;
const BROTLI_QUALITY = 5;

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers with a body that fits in memory: 304 where the client holds it, else made, coded as the client likes
 * and sent whole. `make` is not called for a 304.
 */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  validity: Validity,
  contentType: string,
  make: () => Buffer | Promise<Buffer>,
): Promise<void> {
  const wanted = negotiateEncoding(request.headers['accept-encoding']);
  if (answeredNotModified(request, response, validity, wanted)) return;
  const plain = await make();
  const encoding = plain.length < SMALLEST_CODED ? 'identity' : wanted;
  const body = await encodeBody(plain, encoding);
  setValidity(response, validity, encoding);
  sendBody(request, response, body, { contentType, encoding });
}

/** `answer` with a JSON body. */
export function answerJson(
  request: IncomingMessage,
  response: ServerResponse,
  validity: Validity,
  make: () => unknown,
): Promise<void> {
  return answer(request, response, validity, JSON_TYPE, async () =>
    Buffer.from(JSON.stringify(await make())),
  );
}

/** Sends a JSON body that no cache keeps. */
export function sendFresh(request: IncomingMessage, response: ServerResponse, value: unknown): void {
  response.setHeader('cache-control', 'no-store');
  sendBody(request, response, Buffer.from(JSON.stringify(value)), {
    contentType: JSON_TYPE,
    encoding: 'identity',
  });
}

/** Writes a finished body in one go; for HEAD only its headers. */
export function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
  { contentType, encoding }: { contentType: string; encoding: Encoding },
): void {
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', body.length);
  if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The body in the coding that was negotiated. */
export async function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipped(body);
  if (encoding === 'identity') return body;
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
