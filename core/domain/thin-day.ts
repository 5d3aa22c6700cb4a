/** Below this share of the usual number of currencies a day is thin. */
const THIN_SHARE = 0.5;

/** Days before the one that is judged. */
export const THIN_DAY_LOOKBACK = 30;

/** With fewer days before it nothing is known of what is usual. */
const FEWEST_DAYS = 5;

/**
 * The median of `before`, the numbers of currencies of the thirty observation days before one (in any order), where a day
 * that brought `currencies` has less than half of it; undefined where it is not so thin, or fewer than five days are known.
 * The median, so that a weekly longer list does not make ordinary days thin, nor thin days each other ordinary; half, as
 * currencies retire one by one, while a cut response takes most of them.
 */
export function usualOfThinDay(currencies: number, before: readonly number[]): number | undefined {
  if (before.length < FEWEST_DAYS) return undefined;
  const sorted = [...before].sort((one, other) => one - other);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return currencies < usual * THIN_SHARE ? usual : undefined;
}
