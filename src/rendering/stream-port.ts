import type { MessagePort } from 'node:worker_threads';
import { sharedArray } from '../../core/columns/shared-memory.js';
import type { ErrorMessage } from '../../core/process/error-message.js';
import type { ByteStream } from '../http/reply.js';
import { asUnavailable, toError, toMessage } from './errors.js';

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

type ChunkMessage = { chunk: Uint8Array | undefined } | { error: ErrorMessage };

/** Sends a chunk for each message that requests one, until the port closes, which aborts the signal. */
export function sendStream(port: MessagePort, body: ByteStream, signal: AbortSignal): void {
  const slots = new ChunkSlots();
  async function sendNext(): Promise<void> {
    try {
      const { done, value } = await body.next();
      port.postMessage({ chunk: done ? undefined : slots.hold(value) } satisfies ChunkMessage);
    } catch (error) {
      port.postMessage({ error: toMessage(asUnavailable(error)) } satisfies ChunkMessage);
    }
  }
  // The next chunk may be requested already, but would be made in the memory of the one before.
  let sending = Promise.resolve();
  port.on('message', () => {
    sending = sending.then(sendNext);
  });
  port.once('close', () => slots.release());
  // An error of closing the stream has no recipient.
  const end = () => void body.return().catch(() => undefined);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
}

/** How many chunks are made while one is sent, so that sending waits only for a thread that is slower than the client. */
const CHUNKS_AHEAD = 2;

const SLOTS = CHUNKS_AHEAD + 1;
const SLOT_BYTES = 192 * 1024;
/** A shorter chunk may still be in the buffer of a writable stream when later ones are requested. */
const SHORTEST_IN_SLOT = 64 * 1024;
const MOST_SPARE = 32;
/** Slots of ended streams. Allocating memory for each chunk takes three times as long, mostly for its collection. */
const spare: Uint8Array[] = [];

/** Shared memory that the chunks of a stream use in turn: one is sent while others are made. */
class ChunkSlots {
  readonly #slots: Uint8Array[] = [];

  /** A long chunk reuses the slot of one that has been sent. */
  hold(chunk: Uint8Array): Uint8Array {
    if (chunk.length < SHORTEST_IN_SLOT) return Uint8Array.prototype.slice.call(chunk);
    const oldest = this.#slots.length < SLOTS ? spare.pop() : this.#slots.shift();
    const slot =
      oldest && oldest.length >= chunk.length
        ? oldest
        : sharedArray(Uint8Array, Math.max(SLOT_BYTES, chunk.length));
    this.#slots.push(slot);
    slot.set(chunk);
    return slot.subarray(0, chunk.length);
  }

  /** All chunks must have been sent. */
  release(): void {
    for (const slot of this.#slots)
      if (slot.length === SLOT_BYTES && spare.length < MOST_SPARE) spare.push(slot);
  }
}

/** The stream throws once the port is closed. The port must be closed when all chunks have been sent. */
export function streamFrom(port: MessagePort): (inTurn: InTurn) => ByteStream {
  let isOpen = true;
  const asked: { resolve: (message: ChunkMessage) => void; reject: (error: Error) => void }[] = [];
  port.on('message', (message: ChunkMessage) => asked.shift()?.resolve(message));
  port.once('close', () => {
    isOpen = false;
    for (const { reject } of asked) reject(threadEnded());
  });
  const ask = () =>
    new Promise<ChunkMessage>((resolve, reject) => {
      if (!isOpen) return reject(threadEnded());
      asked.push({ resolve, reject });
      port.postMessage('next');
    });
  return async function* chunks(inTurn) {
    const ahead = Array.from({ length: CHUNKS_AHEAD }, () => awaitedLater(inTurn(ask)));
    for (;;) {
      const message = (await ahead.shift()) as ChunkMessage;
      if ('error' in message) throw toError(message.error);
      if (message.chunk === undefined) return;
      ahead.push(awaitedLater(inTurn(ask)));
      yield message.chunk;
    }
  };
}

const threadEnded = () => new Error('the thread has ended');

/** Prevents an unhandled rejection of a promise that is awaited late, if ever. */
function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
