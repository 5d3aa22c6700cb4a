import type { RawRow } from '../../domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../domain/dates.js';
import type { DateRange, StoredPeriod } from '../../domain/periods.js';
import { arrayLength, readDatedDoubles, readText } from '../binary-format.js';
import { allowLargeAggregates, BLENDED_TABLES } from '../blended-rates.js';
import type { Transaction } from '../transactions.js';
import { blendedCondition } from './blended-rows.js';
import { copyOut } from './copy-out.js';

// A series is one tuple with all its days in an array, because COPY sends a message per tuple.

/** Rates with their day numbers. Only valid during the call. */
interface DatedRates {
  length: number;
  /** Day numbers, in no particular order. */
  each(rate: (day: number, rate: number) => void): void;
}

/**
 * The blends of each currency by day, week or month, in units per dollar by the first day of the period: all, or those in a
 * window of day numbers, both ends included.
 */
export async function eachBlendedSeries(
  view: Transaction,
  period: StoredPeriod,
  window: { from: number; to: number } | undefined,
  take: (series: DatedRates & { quote: string }) => void,
): Promise<void> {
  const condition = window ? `where ${datedIn(window)}` : '';
  await allowLargeAggregates(view);
  await copyOut(
    view,
    `select quote, array_agg(date), array_agg(rate) from ${BLENDED_TABLES[period]} ${condition} group by quote`,
    (bytes, [quote, dates, rates]) =>
      take({ quote: readText(bytes, quote), ...datedRates(bytes, dates, rates) }),
  );
}

type PairRates = DatedRates & Pick<RawRow, 'provider' | 'base' | 'quote'>;

/** Calls back with the rates of each pair that may be blended. */
export async function readPairs(
  transaction: Transaction,
  window: DateRange,
  take: (pair: PairRates) => void,
): Promise<void> {
  const dated = datedIn({ from: dayNumber(window.from), to: dayNumber(window.to) });
  await copyOut(
    transaction,
    `select provider, base, quote, array_agg(date), array_agg(rate) from rates
     where ${dated} and ${blendedCondition()} group by provider, base, quote`,
    (bytes, [provider, base, quote, dates, rates]) =>
      take({
        provider: readText(bytes, provider),
        base: readText(bytes, base),
        quote: readText(bytes, quote),
        ...datedRates(bytes, dates, rates),
      }),
  );
}

/** COPY takes no parameters. A date made from a day number can't contain SQL. */
function datedIn({ from, to }: { from: number; to: number }): string {
  return `date between '${fromDayNumber(from)}' and '${fromDayNumber(to)}'`;
}

function datedRates(bytes: Buffer, dates: number, rates: number): DatedRates {
  return {
    length: arrayLength(bytes, dates),
    each: (rate) => readDatedDoubles(bytes, dates, rates, rate),
  };
}
