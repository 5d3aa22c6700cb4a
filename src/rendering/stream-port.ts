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
  const slots = new ChunkSlots();
  port.once('close', () => slots.release());
  port.on('message', async () => {
    try {
      const { done, value } = await body.next();
      send({ chunk: done ? undefined : slots.hold(value) });
    } catch (error) {
      send({ error: toMessage(asUnavailable(error)) });
    }
  });
  // Nobody is left to be sent an error of closing it.
  const end = () => void body.return().catch(() => undefined);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
}

const SLOT_BYTES = 640 * 1024;
/** A shorter chunk may still wait in the buffer of a writable stream when the next one is requested. */
const SHORTEST_IN_SLOT = 128 * 1024;
const MOST_SPARE = 8;
/** Slots of streams that have ended. New ones for each stream would be garbage that V8 does not count. */
const spare: SharedArrayBuffer[] = [];

/** Two pieces of shared memory that the chunks of a stream alternate between: while one is sent, the next one is made. */
class ChunkSlots {
  #next: SharedArrayBuffer | undefined;
  #sending: SharedArrayBuffer | undefined;

  /** The chunk as a message contains it: a long one in a slot, whose chunk before the last one has been sent. */
  hold(chunk: Uint8Array): Uint8Array {
    if (chunk.length < SHORTEST_IN_SLOT) return Uint8Array.prototype.slice.call(chunk);
    let slot = this.#next ?? spare.pop() ?? new SharedArrayBuffer(SLOT_BYTES);
    if (slot.byteLength < chunk.length) slot = new SharedArrayBuffer(2 * chunk.length);
    this.#next = this.#sending;
    this.#sending = slot;
    const held = new Uint8Array(slot, 0, chunk.length);
    held.set(chunk);
    return held;
  }

  /** Gives the slots to other streams. All chunks must have been sent. */
  release(): void {
    for (const slot of [this.#next, this.#sending])
      if (slot?.byteLength === SLOT_BYTES && spare.length < MOST_SPARE) spare.push(slot);
  }
}

/**
 * Watches a port through which a stream may come, and gives what reads it. Each chunk is asked for in turn, while the one
 * before it is sent. The stream throws once the port is closed: nobody waits for it any more, or the thread has ended. The port
 * must be closed when all chunks have been sent.
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
    for (let next = inTurn(ask); ; ) {
      const message = await next;
      if ('error' in message) throw toError(message.error);
      if (message.chunk === undefined) return;
      next = inTurn(ask);
      // Awaited when the chunk has been sent, if it ever is.
      next.catch(() => undefined);
      yield message.chunk;
    }
  };
}
