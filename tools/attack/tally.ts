/** Counts each value, such as `416 x 200, 767 x 422`. */
export function tally(values: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>();
  for (const value of values.toSorted()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} x ${value}`).join(', ');
}
