import { fromDayNumber } from '../../domain/dates.js';
import type { StoredPeriod } from '../../domain/periods.js';
import { arrayLength, readDatedDoubles, readText } from '../binary-format.js';
import { allowLargeAggregates, BLENDED_TABLES } from '../blended-rates.js';
import type { Transaction } from '../transactions.js';
import { copyOut } from './copy-out.js';

/** The blends of one currency: units per dollar by the first day of each period. */
export interface BlendedSeries {
  quote: string;
  length: number;
  /** Calls back with each day number and its rate, in no particular order. */
  each(rate: (day: number, rate: number) => void): void;
}

/**
 * Calls back with the blends of each currency for days, weeks or months: all of them, or those dated in a window of day
 * numbers, both ends included. Each series is only valid during the call.
 */
export async function eachBlendedSeries(
  view: Transaction,
  period: StoredPeriod,
  window: { from: number; to: number } | undefined,
  take: (series: BlendedSeries) => void,
): Promise<void> {
  const condition = window
    ? `where date between '${fromDayNumber(window.from)}' and '${fromDayNumber(window.to)}'`
    : '';
  await allowLargeAggregates(view);
  // One tuple per currency, with all its days in an array, because COPY sends a message per tuple.
  await copyOut(
    view,
    `select quote, array_agg(date), array_agg(rate) from ${BLENDED_TABLES[period]} ${condition} group by quote`,
    (bytes, [quote = 0, dates = 0, rates = 0]) => {
      take({
        quote: readText(bytes, quote),
        length: arrayLength(bytes, dates),
        each: (rate) => readDatedDoubles(bytes, dates, rates, rate),
      });
    },
  );
}
