import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import { CHUNK_BYTES } from '../encoding/row-encoder.js';
import type { V1Interval } from '../v1/replies.js';

/** An interval as JSON, in chunks, between whose dates others may go first: all days are some megabytes. */
export async function* encodeInterval(
  { rates, ...head }: V1Interval,
  yieldNow: YieldNow,
): AsyncGenerator<Buffer, void, undefined> {
  let text = `${JSON.stringify(head).slice(0, -1)},"rates":{`;
  let separator = '';
  for (const [date, prices] of rates) {
    text += `${separator}"${date}":${JSON.stringify(prices)}`;
    separator = ',';
    if (text.length >= CHUNK_BYTES) {
      yield Buffer.from(text);
      text = '';
    }
    const turn = yieldNow();
    if (turn) await turn;
  }
  yield Buffer.from(`${text}}}`);
}
