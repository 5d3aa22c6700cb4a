/** How many cases each reason has. */
export type Counts = Record<string, number>;

export function count(counts: Counts, reason: string, cases = 1): void {
  counts[reason] = (counts[reason] ?? 0) + cases;
}
