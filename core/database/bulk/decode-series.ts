import { type NamedSeries, SeriesBuilder } from '../../columns/columns.js';
import { datedRates, readText } from '../binary-format.js';
import { readTuples } from './copy-out.js';

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
