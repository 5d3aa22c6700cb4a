import { dayNumber, fromDayNumber } from '../../domain/dates.js';
import type { DateRange } from '../../domain/periods.js';
import { readDatedDoubles, readText } from '../binary-format.js';
import type { Transaction } from '../transactions.js';
import { blendedCondition } from './blended-rows.js';
import { copyOut } from './copy-out.js';

/** The rates of one pair of one provider. Only valid during the call. */
interface PairRates {
  provider: string;
  base: string;
  quote: string;
  /** In no particular order. */
  each(rate: (day: number, rate: number) => void): void;
}

/** The rates of each pair that may be blended, in one tuple, because COPY sends a message per tuple. */
export async function readPairs(
  transaction: Transaction,
  window: DateRange,
  take: (pair: PairRates) => void,
): Promise<void> {
  // COPY takes no parameters. A date made from a day number can't contain SQL.
  const [from, to] = [window.from, window.to].map((date) => fromDayNumber(dayNumber(date)));
  await copyOut(
    transaction,
    `select provider, base, quote, array_agg(date), array_agg(rate) from rates
     where date between '${from}' and '${to}' and ${blendedCondition()} group by provider, base, quote`,
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
