import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import { textChunks } from '../../http/text-chunks.js';
import { CHUNK_BYTES } from '../encoding/row-encoder.js';
import type { V1Interval } from '../v1/replies.js';

/** An interval as JSON, in chunks, between whose dates others may go first: all days are some megabytes. */
export function encodeInterval(
  { rates, ...head }: V1Interval,
  yieldNow: YieldNow,
): AsyncGenerator<Buffer, void, undefined> {
  const opening = `${JSON.stringify(head).slice(0, -1)},"rates":{`;
  return textChunks(datesOf(rates), { opening, closing: '}}', length: CHUNK_BYTES, yieldNow });
}

function* datesOf(rates: V1Interval['rates']): Generator<string> {
  let separator = '';
  for (const [date, prices] of rates) {
    yield `${separator}"${date}":${JSON.stringify(prices)}`;
    separator = ',';
  }
}
