import type { YieldNow } from '../../core/concurrency/event-loop.js';

interface ChunkOptions {
  /** What stands before and after the pieces. */
  opening?: string;
  closing?: string;
  /** A chunk is sent once it has so many characters. */
  length: number;
  yieldNow: YieldNow;
}

/** A long text in chunks, made of pieces between which others may go first. */
export async function* textChunks(
  pieces: Iterable<string> | AsyncIterable<string>,
  { opening = '', closing = '', length, yieldNow }: ChunkOptions,
): AsyncGenerator<Buffer, void, undefined> {
  let text = opening;
  for await (const piece of pieces) {
    text += piece;
    if (text.length >= length) {
      yield Buffer.from(text);
      text = '';
    }
    const turn = yieldNow();
    if (turn) await turn;
  }
  yield Buffer.from(text + closing);
}
