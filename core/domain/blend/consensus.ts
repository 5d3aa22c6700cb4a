import type { Contribution } from './dollar-pivot.js';

const MINIMUM_PROVIDERS = 4;
const DEVIATIONS = 10;
const SHARE_OF_MEDIAN = 0.05;

const NOBODY: ReadonlySet<string> = new Set();

/**
 * The providers that stand too far from what the others say about one quote: further from the median than ten
 * median absolute deviations and than 5 % of the median. Fewer than four providers exclude nobody.
 */
export function outliers(contributions: readonly Contribution[]): ReadonlySet<string> {
  if (countProviders(contributions) < MINIMUM_PROVIDERS) return NOBODY;
  // One array for both medians: this runs for every quote of every day.
  const values = new Float64Array(contributions.length);
  let place = 0;
  for (const { rate } of contributions) values[place++] = rate;
  const median = upperMedian(values);
  place = 0;
  for (const { rate } of contributions) values[place++] = Math.abs(rate - median);
  const deviation = upperMedian(values);
  const limit = Math.max(DEVIATIONS * deviation, SHARE_OF_MEDIAN * median);
  let excluded: Set<string> | undefined;
  for (const { provider, rate } of contributions) {
    if (Math.abs(rate - median) > limit) excluded = (excluded ?? new Set()).add(provider);
  }
  return excluded ?? NOBODY;
}

/** The middle of the sorted values, the upper of the two middle ones where their number is even. Sorts in place. */
export function upperMedian(values: Float64Array): number {
  return values.sort()[values.length >> 1] ?? Number.NaN;
}

/** Contributions of one provider stand side by side. */
function countProviders(contributions: readonly Contribution[]): number {
  let count = 0;
  let last: string | undefined;
  for (const { provider } of contributions) {
    if (provider !== last) count++;
    last = provider;
  }
  return count;
}
