import { readPairs } from '../../core/database/bulk/read-series.js';
import type { Transaction } from '../../core/database/transactions.js';
import { type CarriedRows, seriesOf } from '../../core/domain/blend/carry-forward.js';
import type { Observation } from '../../core/domain/blend/evidence.js';
import type { DateRange } from '../../core/domain/periods.js';

/** Reads the rates of a window by day number, ascending. */
export async function readObservations(
  transaction: Transaction,
  window: DateRange,
  carried: CarriedRows,
): Promise<[day: number, observations: Observation[]][]> {
  const days = new Map<number, Observation[]>();
  await readPairs(transaction, window, ({ provider, base, quote, each }) => {
    const series = seriesOf(carried, provider, base, quote);
    each((day, rate) => {
      const observation = { series, rate };
      const observations = days.get(day);
      if (observations) observations.push(observation);
      else days.set(day, [observation]);
    });
  });
  return [...days].sort(([one], [other]) => one - other);
}
