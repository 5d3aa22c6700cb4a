import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createCompressor } from './compression.js';
import type { Exchange } from './exchange.js';
import type { ByteStream } from './reply.js';
import type { Coding } from './representation.js';

/**
 * Sends chunks as they are generated, as fast as the client reads, and stops when it disconnects. It is the turn of the
 * first one. Throws an error of the generator; the connection is then closed, by which the client can tell. Chunks share
 * two buffers, so chunk N + 2 is requested only when chunk N has been written.
 */
export async function streamBody(exchange: Exchange, chunks: ByteStream, coding: Coding): Promise<void> {
  const { response, signal } = exchange;
  try {
    // A pipelined response that waits for an earlier one must not take a chunk before its own socket is free.
    if (!response.socket) await once(response, 'socket', { signal });
    if (coding === 'identity') {
      await writeChunks(response, chunks, exchange);
      return;
    }
    const compressor = createCompressor(coding);
    await Promise.all([
      pipeline(compressor, response, { signal }),
      writeChunks(compressor, chunks, exchange).catch((error: unknown) => {
        compressor.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }),
    ]);
  } catch (error) {
    if (!isDeparture(error)) throw error;
  } finally {
    await chunks.return();
  }
}

async function writeChunks(
  target: Writable,
  chunks: ByteStream,
  { signal, yieldNow }: Exchange,
): Promise<void> {
  let previous: Promise<void> | undefined;
  for (;;) {
    const { done, value: chunk } = await chunks.next();
    if (done) break;
    const written = write(target, chunk, signal);
    await previous;
    previous = written;
    // A chunk takes some milliseconds: otherwise many streams, or fast readers, would keep the event loop busy.
    await yieldNow('long step');
  }
  await previous;
  target.end();
}

/** Resolves when the chunk has been written. Node does not call back for a response that never got its socket. */
function write(target: Writable, chunk: Buffer, signal: AbortSignal): Promise<void> {
  const written = new Promise<void>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    target.write(chunk, (error) => {
      signal.removeEventListener('abort', abort);
      if (error) reject(error);
      else resolve();
    });
  });
  // Awaited one chunk later.
  written.catch(() => undefined);
  return written;
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
