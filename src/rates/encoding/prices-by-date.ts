import { textChunks } from '../../formats/text-chunks.js';
import { CHUNK_BYTES } from './row-encoder.js';

export type Prices = Readonly<Record<string, number>>;

export type DatedPrices = readonly [date: string, prices: Prices];

/** Encodes prices by date in chunks, as all days are some megabytes. They are in order, and read on demand. */
// The members of `start` stand before them, and those of `end` after them: both may depend on a date, if there is any.
export function encodePricesByDate(
  rates: Iterable<DatedPrices> | AsyncIterable<DatedPrices>,
  start: (first: string | undefined) => object,
  end: (last: string | undefined) => object = () => ({}),
): AsyncGenerator<Buffer, void, undefined> {
  const membersOf = (object: object) => JSON.stringify(object).slice(1, -1);
  const opening = (first: string | undefined) => `{${membersOf(start(first))},"rates":{`;
  async function* pieces() {
    let last: string | undefined;
    for await (const [date, prices] of rates) {
      yield `${last === undefined ? opening(date) : ','}"${date}":${JSON.stringify(prices)}`;
      last = date;
    }
    if (last === undefined) yield opening(last);
    const members = membersOf(end(last));
    yield members === '' ? '}}' : `},${members}}`;
  }
  return textChunks(pieces(), CHUNK_BYTES);
}
