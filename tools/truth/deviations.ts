import { type CalendarDate, fromDayNumber } from '../../core/domain/dates.js';
import type { DollarRates } from './dollar-rates.js';

/** A rate that is further than this from what the others say deviates. */
const FAR = 0.02;
/** Banks take their rates at other hours, and print them under other dates: a rate of a near day is no wrong one. */
const NEARBY_DAYS = [-3, -2, -1, 1, 2, 3];

/** A rate that is more than 2 % from what others say, on its own day and on the three days before and after it. */
export interface Deviation {
  provider: string;
  quote: string;
  date: CalendarDate;
  /** Relative: 0.05 is 5 % more units per dollar than the others say. */
  deviation: number;
}

/** The rates of all providers that deviate from those of the others. */
export function deviationsIn({ published, ofOthers }: DollarRates): Deviation[] {
  return published.flatMap((one) => {
    const deviationAfter = (days: number) => one.rate / (ofOthers(one, days) ?? Number.NaN) - 1;
    const isNear = (days: number) => Math.abs(deviationAfter(days)) <= FAR;
    const deviation = deviationAfter(0);
    // Not a number where nobody else has a rate.
    if (!(Math.abs(deviation) > FAR) || NEARBY_DAYS.some(isNear)) return [];
    const { provider, quote, day } = one;
    return [{ provider, quote, date: fromDayNumber(day), deviation }];
  });
}
