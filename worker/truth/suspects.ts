import { createCarriedRows, type RawRow, seriesOf } from '../../core/domain/blend/carry-forward.js';
import { createJudge, isLeftOut, type Suspect } from '../../core/domain/blend/judge.js';
import { dayNumber } from '../../core/domain/dates.js';
import { groupBy } from './group-by.js';

/** The rows that would be held back from the blend if they had come day by day. They may be in any order. */
export function findSuspects(rows: Iterable<RawRow>): Suspect[] {
  const carried = createCarriedRows();
  const judge = createJudge(carried, { isJudged: () => true });
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
  return judge.changed().filter(({ status }) => isLeftOut(status));
}
