/** Grams in a troy ounce, in which the codes XAU, XAG, XPT and XPD are counted. */
const GRAMS_PER_TROY_OUNCE = 31.1034768;

/** The price of a troy ounce where a gram costs this much; undefined where that is. Some sources round the ounce. */
export function perTroyOunce(
  perGram: number | undefined,
  gramsPerOunce = GRAMS_PER_TROY_OUNCE,
): number | undefined {
  return perGram === undefined ? undefined : perGram * gramsPerOunce;
}
