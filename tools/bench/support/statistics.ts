/** Median, least and greatest of several measurements. */
export interface Spread {
  median: number;
  least: number;
  greatest: number;
}

/** Throws a RangeError if there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError('nothing was measured');
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return {
    median: ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2,
    least: sorted[0] ?? 0,
    greatest: sorted.at(-1) ?? 0,
  };
}

/** Formats as `3.1 (2.9-3.4)`, or as `3.1` if all values are the same. */
export function showSpread({ median, least, greatest }: Spread, digits: number): string {
  const shown = median.toFixed(digits);
  return least === greatest ? shown : `${shown} (${least.toFixed(digits)}-${greatest.toFixed(digits)})`;
}

/** The value that a share of the values does not exceed; 0 if there are none. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
}
