import type { CalendarDate } from '../dates.js';
import { pegs } from '../pegs.js';
import { applyPegs, type DollarRate } from './apply-pegs.js';
import { PIVOT } from './carry-forward.js';

/** Only blends with this date, with pegs applied, and the dollar at 1. Empty if no blend has this date. */
export function blendedDay(date: CalendarDate, blends: readonly DollarRate[]): DollarRate[] {
  const own = applyPegs(blends, pegs).filter((rate) => rate.date === date);
  return own.length === 0 ? own : [...own, { quote: PIVOT, date, rate: 1 }];
}
