import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { HttpFailure } from './failure.js';

/** Reads a body to its end, decompressed, and stops at the limit, which counts bytes after decompression. */
export async function readBody(
  response: Dispatcher.ResponseData,
  address: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  const encoding = String(response.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const piece of source) {
      size += piece.length;
      if (size > maxBytes) return;
      pieces.push(piece);
    }
  };
  try {
    await pipeline(response.body, decompressor(encoding, address), collect);
  } catch (error) {
    // Leaving a body before its end shows as an error of the connection.
    if (size <= maxBytes) throw error;
  }
  if (size > maxBytes) {
    throw new HttpFailure(
      'too-large',
      address,
      `its body is larger than ${maxBytes} bytes`,
      response.statusCode,
    );
  }
  return Buffer.concat(pieces, size);
}

function decompressor(encoding: string, address: string): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    case 'identity':
    case '':
      return new PassThrough();
    default:
      throw new HttpFailure('connection', address, `its body is compressed in an unknown way (${encoding})`);
  }
}
