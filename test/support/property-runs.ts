/**
 * How often fast-check tries a property that takes long: the first number with PROPERTY_RUNS=all, the second without.
 * Each run has other inputs, so that the many runs of `npm test` see as much as a long one.
 */
export function propertyRuns(all: number, few: number): { numRuns: number } {
  return { numRuns: process.env.PROPERTY_RUNS === 'all' ? all : few };
}
