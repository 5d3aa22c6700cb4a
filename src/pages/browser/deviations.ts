import { isCounted, quantileOf } from '../shared/figures.js';
import type { RateRow } from '../shared/rows.js';

export type DeviationOfSource = ReturnType<typeof deviationsOf>[number];

const ascending = (one: number, other: number) => one - other;

/** Sorted by distance from the blend. */
export function deviationsOf(rows: readonly RateRow[]) {
  const byKey = new Map<string, { shares: number[]; leftOut: number }>();
  for (const { date, rate, providers = [] } of rows) {
    for (const source of providers) {
      if (source.date !== date) continue;
      const known = byKey.get(source.key) ?? { shares: [], leftOut: 0 };
      byKey.set(source.key, known);
      known.shares.push(Math.abs(source.rate / rate - 1));
      if (!isCounted(source)) known.leftOut++;
    }
  }
  return [...byKey]
    .map(([key, { shares, leftOut }]) => ({
      key,
      /** The median distance from the blend, as a share of the blend. */
      deviation: quantileOf(shares.sort(ascending), 0.5),
      /** Rows with a rate of that day, not one carried from an earlier day. */
      count: shares.length,
      /** Rows in which the source was left out of the blend, or held back. */
      leftOut,
    }))
    .sort((one, other) => one.deviation - other.deviation);
}
