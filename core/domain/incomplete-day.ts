/** A day with less than this share of the usual number of currencies is incomplete. */
const INCOMPLETE_SHARE = 0.5;

export const LOOKBACK_DAYS = 30;

/** With fewer earlier days, the usual number is unknown. */
const FEWEST_DAYS = 5;

/**
 * The median of `before`, the currencies of the thirty observation days before in any order, if `currencies`
 * is under half of it. Undefined otherwise, or with under five days. The median resists longer weekly lists
 * and other incomplete days. The limit is half because currencies retire one by one, while a truncated
 * response loses most of them.
 */
export function usualOfIncompleteDay(currencies: number, before: readonly number[]): number | undefined {
  if (before.length < FEWEST_DAYS) return undefined;
  const sorted = [...before].sort((one, other) => one - other);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return currencies < usual * INCOMPLETE_SHARE ? usual : undefined;
}
