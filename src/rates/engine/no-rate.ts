import { fromDayNumber } from '../../../core/domain/dates.js';
import { daysToPick, type PickedDay } from '../snapshot/day-pick.js';

/** Says that a pair has no rate; on which days, where they are not those up to the day that was asked for. */
export function noRate(
  { base, quote }: { base: string; quote: string | undefined },
  picked?: PickedDay,
): string {
  const pair = `no rate for ${base}/${quote}`;
  if (picked?.pick !== 'next') return pair;
  const { from, to } = daysToPick(picked);
  return `${pair} from ${fromDayNumber(from)} to ${fromDayNumber(to)}`;
}
