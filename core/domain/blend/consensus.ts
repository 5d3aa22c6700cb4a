import type { Contribution } from './dollar-pivot.js';

const MINIMUM_PROVIDERS = 4;
const DEVIATIONS = 10;
const SHARE_OF_MEDIAN = 0.05;

const NO_PROVIDERS: ReadonlySet<string> = new Set();

/**
 * The providers whose rates for one quote are outliers: further from the median than ten median absolute deviations
 * and than 5 % of the median. With fewer than four providers there are none.
 */
export function outliers(contributions: readonly Contribution[]): ReadonlySet<string> {
  if (countProviders(contributions) < MINIMUM_PROVIDERS) return NO_PROVIDERS;
  // One array for both medians: this runs for every quote of every day.
  const values = new Float64Array(contributions.length);
  let index = 0;
  for (const { rate } of contributions) values[index++] = rate;
  const median = upperMedian(values);
  index = 0;
  for (const { rate } of contributions) values[index++] = Math.abs(rate - median);
  const deviation = upperMedian(values);
  const limit = Math.max(DEVIATIONS * deviation, SHARE_OF_MEDIAN * median);
  let excluded: Set<string> | undefined;
  for (const { provider, rate } of contributions) {
    if (Math.abs(rate - median) > limit) excluded = (excluded ?? new Set()).add(provider);
  }
  return excluded ?? NO_PROVIDERS;
}

/** The median of the values, the upper of the two middle ones if their number is even. Sorts the array. */
export function upperMedian(values: Float64Array): number {
  return values.sort()[values.length >> 1] ?? Number.NaN;
}

/** Counts providers, given contributions sorted by provider. */
function countProviders(contributions: readonly Contribution[]): number {
  let count = 0;
  let last: string | undefined;
  for (const { provider } of contributions) {
    if (provider !== last) count++;
    last = provider;
  }
  return count;
}
