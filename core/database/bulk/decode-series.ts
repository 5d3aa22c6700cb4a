import { type NamedSeries, SeriesBuilder } from '../../columns/columns.js';
import { arrayLength, readDatedDoubles, readText } from '../binary-format.js';
import { readTuples } from './copy-out.js';

/** Rates with their day numbers. Only valid during the call. */
export interface DatedRates {
  length: number;
  /** Day numbers, in no particular order. */
  each(rate: (day: number, rate: number) => void): void;
}

// There are about 180; if there are more, the builder grows once.
const CURRENCIES = 200;

/** Reads what `copyBlendedSeries` copies. */
export async function decodeSeries(chunks: AsyncIterable<Buffer>): Promise<NamedSeries[]> {
  // One array for all series, whose memory is returned to the system, unlike that of hundreds of small arrays.
  const spans: { quote: string; from: number; to: number }[] = [];
  let builder = new SeriesBuilder(0);
  await readTuples(chunks, (bytes, [quote, dates, rates]) => {
    const { length, each } = datedRates(bytes, dates, rates);
    if (spans.length === 0) builder = new SeriesBuilder(CURRENCIES * length);
    const from = builder.length;
    each((day, rate) => builder.append(day, rate));
    spans.push({ quote: readText(bytes, quote), from, to: builder.length });
  });
  const { days, rates } = builder.finish();
  return spans.map(({ quote, from, to }) => [
    quote,
    { days: days.subarray(from, to), rates: rates.subarray(from, to) },
  ]);
}

export function datedRates(bytes: Buffer, dates: number, rates: number): DatedRates {
  return {
    length: arrayLength(bytes, dates),
    each: (rate) => readDatedDoubles(bytes, dates, rates, rate),
  };
}
