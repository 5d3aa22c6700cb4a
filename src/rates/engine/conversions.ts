import { converted } from '../../../core/domain/amount.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import type { Conversion } from '../convert/converted-lines.js';
import type { Line } from '../convert/lines.js';
import type { PickedDay } from '../snapshot/day-pick.js';
import type { PairRate } from '../snapshot/rows.js';
import type { LookUps } from './look-ups.js';
import { noRate } from './no-rate.js';

/** A line at the rate that is meant by its own day, or else by the day that is given. */
export function convertLine(
  line: Line,
  picked: PickedDay | undefined,
  { find }: Pick<LookUps, 'find'>,
): Conversion | { error: string } {
  const { base, quote } = line;
  const found = picked && find(base, quote, picked);
  return found ? conversionOf(line, picked.day, found) : { error: noRate({ base, quote }, picked) };
}

/** A line at a rate. `asked` is the day number that the rate was looked up for. */
export function conversionOf(
  { amount, base, quote, on }: Line,
  asked: number,
  { day, rate: found }: PairRate,
): Conversion {
  const rate = roundForStorage(found);
  const date = on?.date ?? fromDayNumber(asked);
  return {
    amount,
    base,
    quote,
    date,
    observed: day === asked ? date : fromDayNumber(day),
    rate,
    result: converted(amount, rate, quote),
  };
}
