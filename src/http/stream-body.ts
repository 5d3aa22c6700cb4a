import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { createCompressor } from './compression.js';
import type { Exchange } from './exchange.js';
import type { ByteStream } from './reply.js';
import type { Coding } from './representation.js';

/**
 * Sends chunks as they are made: read only as fast as the client reads, and no further once it has left. An error on
 * the way is thrown; the client can tell by the connection, which is then cut. Chunks share two buffers: the one after
 * the next is asked for only when a chunk has been written.
 */
export async function streamBody(exchange: Exchange, chunks: ByteStream, coding: Coding): Promise<void> {
  const { response, signal } = exchange;
  try {
    // A response that waits behind another on its connection must not hold any chunk meanwhile.
    if (!response.socket) await once(response, 'socket', { signal });
    if (coding === 'identity') {
      await writeChunks(response, chunks, signal);
      return;
    }
    const compressor = createCompressor(coding);
    await Promise.all([
      pipeline(compressor, response, { signal }),
      writeChunks(compressor, chunks, signal).catch((error: unknown) => {
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
  chunks: AsyncIterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  let previous: Promise<void> | undefined;
  for await (const chunk of chunks) {
    const written = write(target, chunk, signal);
    await previous;
    previous = written;
    // A reader that keeps up would otherwise have the event loop to itself.
    await setImmediate();
  }
  await previous;
  target.end();
}

/** Resolves when the chunk has been handed on. Node calls nobody back for a response that never got its socket. */
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

const DEPARTURES = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE']);

/** The client left before the end, which is its right. */
function isDeparture(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || ('code' in error && DEPARTURES.has(String(error.code)));
}
