/** Whether every property is tried as often as it says: in the long suite. */
const ALL = process.env.PROPERTY_RUNS === 'all';

/** fast-check's own number of runs for a property that names none. */
const USUAL_RUNS = 100;

/**
 * How often fast-check tries a property: `all` times with PROPERTY_RUNS=all, else about the square root of that. Each run
 * has other inputs, so that the many runs of `npm test` see as much as a long one.
 */
export function propertyRuns(all = USUAL_RUNS): { numRuns: number } {
  return { numRuns: ALL ? all : Math.ceil(Math.sqrt(all)) };
}
