import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Encoding } from './negotiation.js';

// Levels that keep up with the network: a range is large and coded anew for every reader.
const GZIP_LEVEL = 3;
const BROTLI_QUALITY = 3;
const BROTLI_WINDOW_BITS = 18;

/**
 * Sends chunks as they are made: drawn only as fast as the client reads, and no further once it has left. An error
 * on the way cuts the connection, so that the client can tell. For HEAD nothing is drawn.
 */
export async function streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  encoding: Encoding,
): Promise<void> {
  if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const compressor = encoding === 'identity' ? undefined : coder(encoding);
  const sent = compressor ? pipeline(compressor, response) : finished(response);
  try {
    await Promise.all([sent, writeEach(chunks, compressor ?? response)]);
  } catch (error) {
    response.destroy();
    if (!isDeparture(error)) throw error;
  }
}

/**
 * Writes each chunk once the one before has been handed on, which leaves its memory free for the chunk after the next.
 * Others get a turn after every chunk: a reader that keeps up would otherwise have the whole process to itself.
 */
async function writeEach(chunks: Iterable<Buffer> | AsyncIterable<Buffer>, target: Writable): Promise<void> {
  for await (const chunk of chunks) {
    // A client that has left is told apart by the end of the response.
    if (target.destroyed) return;
    await new Promise<void>((resolve) => target.write(chunk, () => resolve()));
    await setImmediate();
  }
  target.end();
}

function coder(encoding: Exclude<Encoding, 'identity'>) {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL });
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
    },
  });
}

/** The client went away before the end, which is its right. */
function isDeparture(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
