/** Counts by reason, with the first few cases as samples. */
export type Tally = Record<string, { count: number; samples: string[] }>;

const SAMPLES = 3;

/** Counts another case of a reason. Keeps the first few as samples. */
export function countCase(tally: Tally, reason: string, sample: () => string): void {
  tally[reason] ??= { count: 0, samples: [] };
  const { samples } = tally[reason];
  tally[reason].count++;
  if (samples.length < SAMPLES) samples.push(sample());
}

/** Adds the cases of one tally to another. */
export function addTally(sum: Tally, more: Tally): void {
  for (const [reason, { count, samples }] of Object.entries(more)) {
    sum[reason] ??= { count: 0, samples: [] };
    sum[reason].count += count;
    sum[reason].samples = [...sum[reason].samples, ...samples].slice(0, SAMPLES);
  }
}

/** The counts by reason, without samples. */
export function caseCounts(tally: Tally): Record<string, number> {
  return Object.fromEntries(Object.entries(tally).map(([reason, { count }]) => [reason, count]));
}
