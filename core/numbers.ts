/** Rates keep twelve significant digits at rest: what a double holds safely after one division or product. */
const DIGITS_AT_REST = 12;

/** The nearest double with twelve significant decimal digits. */
export function atRest(rate: number): number {
  return Number(rate.toPrecision(DIGITS_AT_REST));
}

/** What a ratio of two doubles is sure of: beyond these digits it may lie on either side of a middle. */
const SURE_DIGITS = 15;

/**
 * A blended or derived rate as the API shows it: no decimals above 5000, two above 80, three above 20, four
 * above 1, and five significant digits from 1 down. A positive rate never becomes 0. What lies on the middle of two
 * decimals, such as a peg of 110.265, is rounded the same way whichever bit a division left off.
 */
export function presentRate(quotient: number): number {
  const rate = Number(quotient.toPrecision(SURE_DIGITS));
  if (rate > 5000) return Math.round(rate);
  if (rate > 80) return Number(rate.toFixed(2));
  if (rate > 20) return Number(rate.toFixed(3));
  if (rate > 1) return Number(rate.toFixed(4));
  return Number(rate.toPrecision(5));
}
