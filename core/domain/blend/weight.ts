import type { Contribution } from './dollar-pivot.js';

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
