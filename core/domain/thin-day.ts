/** Below this share of the usual number of currencies a day is thin. */
const THIN_SHARE = 0.5;

/** Days before the one that is judged. */
export const THIN_DAY_LOOKBACK = 30;

/** With fewer days before it nothing is known of what is usual. */
const FEWEST_DAYS = 5;

/**
 * How many currencies a provider usually gives, where a day that brought `currencies` is thin beside `before`: the
 * numbers of the thirty observation days before it, in any order. Undefined where the day is not thin, or fewer than
 * five days are known.
 *
 * Usual is the median, so that a weekly or monthly longer list does not make the ordinary days thin, nor a few thin
 * days each other ordinary. Thin is less than half of it: a source retires currencies one by one, and a holiday of
 * one market takes one away, while a cut response or a layout that is no longer read takes most of them. A provider
 * of one or two currencies has no thin day.
 */
export function usualOfThinDay(currencies: number, before: readonly number[]): number | undefined {
  if (before.length < FEWEST_DAYS) return undefined;
  const sorted = [...before].sort((one, other) => one - other);
  const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return currencies < usual * THIN_SHARE ? usual : undefined;
}
