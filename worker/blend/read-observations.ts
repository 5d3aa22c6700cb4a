import { readPairs } from '../../core/database/bulk/read-rates.js';
import type { Transaction } from '../../core/database/transactions.js';
import { type CarriedRows, observe, type Series, seriesOf } from '../../core/domain/blend/carry-forward.js';
import type { Observation } from '../../core/domain/blend/evidence.js';
import { type DateRange, dayNumber } from '../../core/domain/dates.js';

/** Reads the rates of a window by day number, ascending. */
export async function readObservations(
  transaction: Transaction,
  window: DateRange,
  carried: CarriedRows,
): Promise<[day: number, observations: Observation[]][]> {
  const days = new Map<number, Observation[]>();
  const span = { from: dayNumber(window.from), to: dayNumber(window.to) };
  await readPairs(transaction, span, ({ provider, base, quote, each }) => {
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

export type LeftOutRate = Pick<Series, 'provider' | 'base' | 'quote' | 'day' | 'rate'>;

/** Returns a function that observes the rates of a day, except those that the blend leaves out. */
export function createObserver(carried: CarriedRows, leftOut: readonly LeftOutRate[]) {
  // By series first, because few series have such rates, and there are millions of lookups.
  const figures = new Map<Series, Set<string>>();
  for (const { provider, base, quote, day, rate } of leftOut) {
    const series = seriesOf(carried, provider, base, quote);
    figures.set(series, (figures.get(series) ?? new Set()).add(`${day} ${rate}`));
  }
  return (day: number, observations: readonly Observation[]): void => {
    for (const { series, rate } of observations)
      if (!figures.get(series)?.has(`${day} ${rate}`)) observe(series, day, rate);
  };
}
