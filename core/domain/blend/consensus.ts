import type { Contribution } from './dollar-pivot.js';

const MINIMUM_PROVIDERS = 4;
const DEVIATIONS = 10;
const SHARE_OF_MEDIAN = 0.05;

const NO_PROVIDERS: ReadonlySet<string> = new Set();

/** `limit` is the largest allowed distance from the median. Undefined with under four providers. */
export function consensusOf(contributions: readonly Contribution[]) {
  if (countProviders(contributions) < MINIMUM_PROVIDERS) return undefined;
  // One array for both medians, as this runs for every quote of every day.
  const values = new Float64Array(contributions.length);
  let index = 0;
  for (const { rate } of contributions) values[index++] = rate;
  const median = upperMedian(values);
  index = 0;
  for (const { rate } of contributions) values[index++] = Math.abs(rate - median);
  const deviation = upperMedian(values);
  return { median, deviation, limit: Math.max(DEVIATIONS * deviation, SHARE_OF_MEDIAN * median) };
}

/** The providers whose rates for one quote are outliers. Empty with fewer than four providers. */
export function outliers(contributions: readonly Contribution[]): ReadonlySet<string> {
  const consensus = consensusOf(contributions);
  if (!consensus) return NO_PROVIDERS;
  const { median, limit } = consensus;
  let excluded: Set<string> | undefined;
  for (const { provider, rate } of contributions) {
    if (Math.abs(rate - median) > limit) excluded = (excluded ?? new Set()).add(provider);
  }
  return excluded ?? NO_PROVIDERS;
}

/** The upper of the two middle values if their number is even. Sorts the array in place. */
export function upperMedian(values: Float64Array): number {
  return values.sort()[values.length >> 1] ?? Number.NaN;
}

/** The contributions must be sorted by provider. */
function countProviders(contributions: readonly Contribution[]): number {
  let count = 0;
  let last: string | undefined;
  for (const { provider } of contributions) {
    if (provider !== last) count++;
    last = provider;
  }
  return count;
}

const FULL_WEIGHT_DAYS = 3;
const DECAY_PER_DAY = 0.5;

/** The weight of a rate that is `age` days older than the newest: 1 up to three days, then decaying exponentially. */
export function recencyWeight(age: number): number {
  return age <= FULL_WEIGHT_DAYS ? 1 : Math.exp(-DECAY_PER_DAY * (age - FULL_WEIGHT_DAYS));
}

/** The mean of the rates, weighted by age on the reference day. NaN if there are none. */
export function weightedMean(contributions: readonly Contribution[], reference: number): number {
  let sum = 0;
  let total = 0;
  for (const { day, rate } of contributions) {
    const weight = recencyWeight(reference - day);
    sum += weight * rate;
    total += weight;
  }
  return sum / total;
}
