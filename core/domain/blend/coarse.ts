/** A number with one or two significant digits, as text. */
export const FEW_DIGITS = /^(0\.0*)?[1-9]\.?\d?(e-\d+)?$/;

/**
 * Below this, a rate with few digits is coarse. Above it the text of a number is ambiguous: 24 may have been printed as
 * 24.0000, and 0.9 as 0.9000, while hardly any source prints fewer than two decimals.
 */
export const COARSE_BELOW = 0.5;

/**
 * Whether a rate was printed with so few digits that one unit of the last digit is more than 1 % of it, such as 0.05 dalasi
 * for a naira. Coarse rates are stored and served for their provider, and never blended.
 */
export function isCoarse(rate: number): boolean {
  return rate < COARSE_BELOW && FEW_DIGITS.test(String(rate));
}
