import { type NamedSeries, SeriesBuilder } from '../../columns/columns.js';
import type { DayWindow } from '../../domain/dates.js';
import { datedRates, readText } from '../binary-format.js';
import { and, filterOfDays, rowConditions, sql } from '../sql.js';
import type { Transaction } from '../transactions.js';
import { copyOut } from './copy-out.js';

// A series is one tuple with all its days in an array, because COPY sends a message per tuple.

// There are about 180 currencies; if there are more, the builder grows once.
const CURRENCIES = 200;

/** The blends of each currency in units per dollar, of all days or those of a window (day numbers, both ends included). */
export async function readBlendedSeries(view: Transaction, window?: DayWindow): Promise<NamedSeries[]> {
  await allowLargeAggregates(view);
  // One array for all series, whose memory is returned to the system, unlike that of hundreds of small arrays.
  const spans: { quote: string; from: number; to: number }[] = [];
  let builder = new SeriesBuilder(0);
  await copyOut(
    view,
    sql`select quote, array_agg(date), array_agg(rate) from blended_days
        where true ${and(rowConditions(filterOfDays(window ?? {})))} group by quote`,
    (bytes, [quote, dates, rates]) => {
      const { length, each } = datedRates(bytes, { dates, rates });
      if (spans.length === 0) builder = new SeriesBuilder(CURRENCIES * length);
      const from = builder.length;
      each((day, rate) => builder.append(day, rate));
      spans.push({ quote: readText(bytes, quote), from, to: builder.length });
    },
  );
  const { days, rates } = builder.finish();
  return spans.map(({ quote, from, to }) => [
    quote,
    { days: days.subarray(from, to), rates: rates.subarray(from, to) },
  ]);
}

/** Raises `work_mem` until the transaction ends. Otherwise PostgreSQL spills aggregates of long histories to disk. */
export async function allowLargeAggregates(transaction: Transaction): Promise<void> {
  await transaction.execute(sql`set local work_mem = '256MB'`);
}
