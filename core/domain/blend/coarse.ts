/** The text of a number with one or two significant digits. */
export const FEW_DIGITS = /^(0\.0*)?[1-9]\.?\d?(e-\d+)?$/;

/**
 * Below this a figure with few digits is coarse. Above it the text of a number does not tell: 24 may have been printed as
 * 24.0000, and 0.9 as 0.9000, while hardly any source prints less than two decimals.
 */
export const COARSE_BELOW = 0.5;

/**
 * Whether a rate was printed with so few digits that a unit of the last one is more than 1 % of it, as 0.05 dalasi for a
 * naira: such a rate is stored and served for its provider, and never blended.
 */
export function isCoarse(rate: number): boolean {
  return rate < COARSE_BELOW && FEW_DIGITS.test(String(rate));
}
