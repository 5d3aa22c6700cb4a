import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, it, vi } from 'vitest';
import { HttpError } from '../../../src/http/errors.js';
import { sendStream, streamFrom } from '../../../src/rendering/stream-port.js';

/** A stream of chunks as it comes through a port, and what became of its source. */
function passedOn(chunks: Iterable<Uint8Array | Error>) {
  const seen = { made: 0, isClosed: false };
  async function* make() {
    try {
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk;
        seen.made++;
        yield chunk;
      }
    } finally {
      seen.isClosed = true;
    }
  }
  const { port1, port2 } = new MessageChannel();
  const leaving = new AbortController();
  port2.once('close', () => leaving.abort());
  const from = streamFrom(port1);
  const body = make();
  const begin = async () => {
    // As `begin` in renderer.ts does.
    const first = await body.next();
    sendStream(port2, body, leaving.signal);
    return first.value;
  };
  const turn = vi.fn();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    turn();
    return work();
  };
  return { seen, port1, port2, begin, turn, read: () => from(inTurn) };
}

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);
const LONG = 150 * 1024;
/** The length, and the first and last byte. */
const shapeOf = (chunk: Uint8Array) => [chunk.length, chunk[0], chunk.at(-1)];

it('chunks come whole and in order, each in a turn, and only two ahead are made', async () => {
  const chunks = [bytes(1, 0), bytes(LONG, 1), bytes(5, 2), bytes(4 * LONG, 3), bytes(LONG, 4)];
  const { seen, begin, turn, read, port1 } = passedOn(chunks);
  await begin();
  const stream = read();
  expect(shapeOf((await stream.next()).value as Uint8Array)).toEqual([LONG, 1, 1]);
  await vi.waitFor(() => expect(seen.made).toBe(4));
  const rest: ReturnType<typeof shapeOf>[] = [];
  for await (const chunk of stream) rest.push(shapeOf(chunk));
  expect(rest).toEqual([
    [5, 2, 2],
    [4 * LONG, 3, 3],
    [LONG, 4, 4],
  ]);
  // What it was made in stays usable.
  expect(chunks.map((chunk) => chunk.length)).toEqual([1, LONG, 5, 4 * LONG, LONG]);
  expect(turn).toHaveBeenCalledTimes(6);
  port1.close();
});

it('long chunks come in shared memory, which is used again once they are sent', async () => {
  const memories = new Set<ArrayBufferLike>();
  for (let stream = 0; stream < 3; stream++) {
    const { begin, read, port1, port2 } = passedOn(Array.from({ length: 9 }, (_, at) => bytes(LONG, at)));
    await begin();
    let at = 1;
    for await (const chunk of read()) {
      // As it is while the chunk after it is made.
      await new Promise(setImmediate);
      expect(shapeOf(chunk)).toEqual([LONG, at, at++]);
      expect(chunk.buffer).toBeInstanceOf(SharedArrayBuffer);
      memories.add(chunk.buffer);
    }
    const closed = once(port2, 'close');
    port1.close();
    await closed;
  }
  // Each message names the same memory by an object of its own.
  const written = [...memories].map((memory) => new Uint8Array(memory));
  for (const [number, bytes] of written.entries()) bytes[0] = number;
  expect(new Set(written.map(([first]) => first)).size).toBe(3);
});

it('an error of the source is thrown, with its class', async () => {
  const { begin, read } = passedOn([bytes(1, 0), bytes(1, 1), new HttpError(503, 'not now')]);
  await begin();
  const stream = read();
  await stream.next();
  await expect(stream.next()).rejects.toBeInstanceOf(HttpError);
});

it('a client that leaves closes the source', async () => {
  const { seen, begin, read, port1 } = passedOn(Array.from({ length: 9 }, () => bytes(1, 0)));
  await begin();
  await read().next();
  port1.close();
  await vi.waitFor(() => expect(seen.isClosed).toBe(true));
  expect(seen.made).toBeLessThan(9);
});

it('the source is closed where the client has left before its first chunk was asked for', async () => {
  const { seen, begin, read, port1, port2 } = passedOn([bytes(1, 0), bytes(1, 1)]);
  const closed = once(port2, 'close');
  port1.close();
  await closed;
  await begin();
  await vi.waitFor(() => expect(seen.isClosed).toBe(true));
  await expect(read().next()).rejects.toThrow('the thread has ended');
});

it('a thread that ends is an error, whether or not it was asked', async () => {
  const { begin, read, port2 } = passedOn(Array.from({ length: 3 }, () => bytes(1, 0)));
  await begin();
  port2.removeAllListeners('message');
  const asked = read().next();
  port2.close();
  await expect(asked).rejects.toThrow('the thread has ended');
  await expect(read().next()).rejects.toThrow('the thread has ended');
});
