import { textChunks } from '../../formats/text-chunks.js';
import { CHUNK_BYTES } from './row-encoder.js';

export type Prices = Readonly<Record<string, number>>;

export type DatedPrices = readonly [date: string, prices: Prices];

/** Encodes prices by date in chunks, as all days are some megabytes. The members of `end`, called last, follow. */
export function encodePricesByDate(
  { rates, ...head }: { rates: Iterable<DatedPrices> | AsyncIterable<DatedPrices> },
  end: () => object = () => ({}),
): AsyncGenerator<Buffer, void, undefined> {
  const membersOf = (object: object) => JSON.stringify(object).slice(1, -1);
  async function* pieces() {
    yield `{${membersOf(head)},"rates":{`;
    let separator = '';
    for await (const [date, prices] of rates) {
      yield `${separator}"${date}":${JSON.stringify(prices)}`;
      separator = ',';
    }
    const members = membersOf(end());
    yield members === '' ? '}}' : `},${members}}`;
  }
  return textChunks(pieces(), CHUNK_BYTES);
}
