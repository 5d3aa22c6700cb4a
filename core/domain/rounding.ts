/** Rates keep twelve significant digits at rest: what a double holds safely after one division or product. */
const DIGITS_AT_REST = 12;

/** The nearest double with twelve significant decimal digits. */
export function roundForStorage(rate: number): number {
  return Number(rate.toPrecision(DIGITS_AT_REST));
}

/**
 * A blended or derived rate as the API shows it: no decimals above 5000, two above 80, three above 20, four
 * above 1, and five significant digits from 1 down. A positive rate never becomes 0.
 */
export function roundForDisplay(rate: number): number {
  if (rate > 5000) return Math.round(rate);
  if (rate > 80) return Number(rate.toFixed(2));
  if (rate > 20) return Number(rate.toFixed(3));
  if (rate > 1) return Number(rate.toFixed(4));
  return Number(rate.toPrecision(5));
}
