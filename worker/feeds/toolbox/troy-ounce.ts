/** Grams in a troy ounce, the unit of the codes XAU, XAG, XPT and XPD. */
const GRAMS_PER_TROY_OUNCE = 31.1034768;

/** The price of a troy ounce, given the price of a gram; undefined if that is. Some sources round the ounce. */
export function perTroyOunce(
  perGram: number | undefined,
  gramsPerOunce = GRAMS_PER_TROY_OUNCE,
): number | undefined {
  return perGram === undefined ? undefined : perGram * gramsPerOunce;
}
