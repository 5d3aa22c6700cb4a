import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Coding } from './representation.js';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Shorter bodies are not compressed: it costs more than it saves. */
export const SMALLEST_CODED = 1024;
/**
 * A body of rows is 3 to 8 % longer than by quality 5, which takes two to three times as long. Bodies that are requested
 * once are compressed for one reader, and those by quality 4 are no shorter.
 */
const BROTLI_QUALITY = 3;

// A stream is large and compressed for each reader.
const STREAM_GZIP_LEVEL = 3;
const STREAM_BROTLI_WINDOW_BITS = 18;

/** A whole body in a coding. */
export async function compress(body: Buffer, coding: Exclude<Coding, 'identity'>): Promise<Buffer> {
  if (coding === 'gzip') return gzipped(body);
  return brotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}

/** A stream that codes what is written to it. */
export function createCompressor(coding: Exclude<Coding, 'identity'>) {
  if (coding === 'gzip') return createGzip({ level: STREAM_GZIP_LEVEL });
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: STREAM_BROTLI_WINDOW_BITS,
    },
  });
}
