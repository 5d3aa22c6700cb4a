export const FEW_DIGITS = /^(0\.0*)?[1-9]\.?\d?(e-\d+)?$/;

/** Above this, the text of a number is ambiguous: 24 may have been printed as 24.0000, and 0.9 as 0.9000. */
export const COARSE_BELOW = 0.5;

/** Whether one unit of the last digit is more than 1 % of the rate. Coarse rates are served, but never blended. */
export function isCoarse(rate: number): boolean {
  return rate < COARSE_BELOW && FEW_DIGITS.test(String(rate));
}
