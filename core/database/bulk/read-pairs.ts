import { dayNumber, fromDayNumber } from '../../domain/dates.js';
import type { DateRange } from '../../domain/periods.js';
import { readDatedDoubles, readText } from '../binary-format.js';
import type { BulkTransaction } from '../transactions.js';
import { copyOut } from './copy-out.js';

/** The rates of one pair of one provider. Only there during the call that hands it over. */
export interface PairRates {
  provider: string;
  base: string;
  quote: string;
  /** Calls back with each day number and its rate, in no particular order. */
  each(rate: (day: number, rate: number) => void): void;
}

/**
 * Calls back with the rates of a window, pair by pair. Each comes with all its days at once: COPY sends a message for
 * every row, and most of the time would go into those.
 */
export async function copyPairs(
  transaction: BulkTransaction,
  window: DateRange,
  take: (pair: PairRates) => void,
): Promise<void> {
  // COPY takes no parameters; a date that has been a number is nothing but a date.
  const [from, to] = [window.from, window.to].map((date) => fromDayNumber(dayNumber(date)));
  await copyOut(
    transaction,
    `select provider, base, quote, array_agg(date), array_agg(rate) from rates
     where date between '${from}' and '${to}' group by provider, base, quote`,
    (bytes, [provider = 0, base = 0, quote = 0, dates = 0, rates = 0]) => {
      take({
        provider: readText(bytes, provider),
        base: readText(bytes, base),
        quote: readText(bytes, quote),
        each: (rate) => readDatedDoubles(bytes, dates, rates, rate),
      });
    },
  );
}
