import { createCarriedRows, type RawRow, seriesOf } from '../../core/domain/blend/carry-forward.js';
import { createJudge } from '../../core/domain/blend/judge.js';
import { isHeld, type Suspect } from '../../core/domain/blend/suspect.js';
import { dayNumber } from '../../core/domain/dates.js';
import { groupBy } from './group-by.js';

/** The rows that would be held back from the blend. They may be in any order. */
export function findSuspects(rows: Iterable<RawRow>): Suspect[] {
  const carried = createCarriedRows();
  const judge = createJudge(carried);
  const days = [...groupBy(rows, ({ date }) => date)].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [date, published] of days) {
    judge.observeDay(
      dayNumber(date),
      published.map(({ provider, base, quote, rate }) => ({
        series: seriesOf(carried, provider, base, quote),
        rate,
      })),
    );
  }
  return judge.suspects.filter((suspect) => isHeld(suspect));
}
