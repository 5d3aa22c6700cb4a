import { converted } from '../../../core/domain/amount.js';
import { minorUnitsAmong } from '../../../core/domain/currencies.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import type { PickedDay } from '../../../core/domain/day-pick.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { type LookUps, lookUpRate } from '../engine/look-ups.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Conversion, Converted } from './converted-lines.js';
import type { Line } from './lines.js';

/** Converts a line at the rate of a picked day, by default the newest. */
export function convertLine(line: Line, picked: PickedDay | undefined, lookUps: LookUps): Converted {
  const result = lookUpRate(lookUps, line, picked);
  return 'missing' in result
    ? { error: result.missing }
    : conversionOf(line, result.picked.day, result.found);
}

/** Converts a line at a rate. `asked` is the day number for which the rate was looked up. */
export function conversionOf(
  { amount, base, quote, on }: Line,
  asked: number,
  { day, rate: found, fixed }: PairRate,
): Conversion {
  const rate = roundForStorage(found);
  const date = on?.date ?? fromDayNumber(asked);
  const units = minorUnitsAmong([base, quote]);
  return {
    amount,
    base,
    quote,
    date,
    observed: day === asked ? date : fromDayNumber(day),
    rate,
    result: converted(amount, rate, quote),
    ...(units && { minor_units: units }),
    ...(fixed && { fixed }),
  };
}
