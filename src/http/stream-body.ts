import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { createCompressor } from './compression.js';
import type { Exchange } from './exchange.js';
import type { ByteStream } from './reply.js';
import type { Coding } from './representation.js';

/**
 * Sends chunks as they are generated, as fast as the client reads, and stops when it disconnects. Throws an error of the
 * generator; the connection is then closed, by which the client can tell.
 */
export async function streamBody(
  { response, signal }: Exchange,
  chunks: ByteStream,
  coding: Coding,
): Promise<void> {
  try {
    // A pipelined response that waits for an earlier one must not take a chunk before its own socket is free.
    if (!response.socket) await once(response, 'socket', { signal });
    if (coding === 'identity') await pipeline(chunks, response, { signal });
    else await pipeline(chunks, createCompressor(coding), response, { signal });
  } catch (error) {
    if (!isDeparture(error)) throw error;
  } finally {
    await chunks.return();
  }
}

const DISCONNECT_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** The client disconnected before the end. This is not an error. */
function isDeparture(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && DISCONNECT_CODES.has(String(error.code)));
}
