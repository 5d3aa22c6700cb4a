/** A day with less than this share of the usual number of currencies is incomplete. */
const INCOMPLETE_SHARE = 0.5;

/** The number of days before the judged day that count. */
export const LOOKBACK_DAYS = 30;

/** With fewer earlier days, the usual number is unknown. */
const FEWEST_DAYS = 5;

/**
 * The usual number of currencies if a day with `currencies` is incomplete: the median of `before`, the numbers of currencies of
 * the thirty observation days before it (in any order). The day is incomplete if it has less than half of that. Undefined if it is
 * not incomplete, or if fewer than five days are known. The median prevents a longer weekly list from making ordinary days incomplete,
 * and incomplete days from making each other ordinary. The limit is half because currencies retire one by one, while a truncated
 * response loses most of them.
 */
export function usualOfIncompleteDay(currencies: number, before: readonly number[]): number | undefined {
  if (before.length < FEWEST_DAYS) return undefined;
  const sorted = [...before].sort((one, other) => one - other);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return currencies < usual * INCOMPLETE_SHARE ? usual : undefined;
}
