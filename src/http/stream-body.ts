import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { givePage } from '../rates/encoding/buffers.js';
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
  try {
    if (encoding === 'identity') {
      await pipeline(inTurns(chunks, response), response);
    } else {
      const target = coder(encoding);
      await pipeline(inTurns(chunks, target), target, response);
    }
  } catch (error) {
    if (!isDeparture(error)) throw error;
  }
}

/**
 * Lets others have a turn after every chunk: a reader that keeps up would otherwise have the whole process to itself.
 * The memory of a chunk is free again when all that was written has been handed on.
 */
async function* inTurns(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  target: Writable,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    await setImmediate();
    if (target.writableLength === 0) givePage(chunk);
  }
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
