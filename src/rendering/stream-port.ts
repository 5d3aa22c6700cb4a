import type { MessagePort } from 'node:worker_threads';
import type { ErrorMessage } from '../../core/process/error-message.js';
import type { ByteStream } from '../http/reply.js';
import type { InTurn } from './begin.js';
import { asUnavailable, toError, toMessage } from './errors.js';

/** A further chunk, the end, or why there is no other. */
type ChunkMessage = { chunk: Uint8Array | undefined } | { error: ErrorMessage };

/** Sends a chunk for each message that asks for one, until the port closes: then the signal aborts. */
export function sendStream(port: MessagePort, body: ByteStream, signal: AbortSignal): void {
  const send = (message: ChunkMessage) => port.postMessage(message);
  port.on('message', async () => {
    try {
      const { done, value } = await body.next();
      send({ chunk: done ? undefined : ownBytes(value) });
    } catch (error) {
      send({ error: toMessage(asUnavailable(error)) });
    }
  });
  // Nobody is left to be sent an error of closing it.
  const end = () => void body.return().catch(() => undefined);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
}

/** Bytes as a message contains them: those in shared memory are not copied, of others no more than these. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof SharedArrayBuffer ? bytes : Uint8Array.prototype.slice.call(bytes);
}

/**
 * Watches a port through which a stream may come, and gives what reads it. Each chunk is asked for in turn, while the one
 * before it is sent. The stream throws once the port is closed: nobody waits for it any more, or the thread has ended.
 */
export function streamFrom(port: MessagePort): (inTurn: InTurn) => ByteStream {
  let isOpen = true;
  let end = () => {};
  port.once('close', () => {
    isOpen = false;
    end();
  });
  const ask = () =>
    new Promise<ChunkMessage>((resolve, reject) => {
      end = () => reject(new Error('the thread has ended'));
      if (!isOpen) return end();
      port.once('message', resolve);
      port.postMessage('next');
    });
  return async function* chunks(inTurn) {
    try {
      for (let next = inTurn(ask); ; ) {
        const message = await next;
        if ('error' in message) throw toError(message.error);
        if (message.chunk === undefined) return;
        next = inTurn(ask);
        // Awaited when the chunk has been sent, if it ever is.
        next.catch(() => undefined);
        yield message.chunk;
      }
    } finally {
      port.close();
    }
  };
}
