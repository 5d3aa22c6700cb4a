import type { Quality, RowSource } from './row.js';

const SPREAD_DIGITS = 4;

/** Computes the quality of a rate from its sources; `age` is in days. */
export function qualityOf(rate: number, sources: readonly RowSource[], age: number): Quality {
  const known = sources.filter(({ suspect }) => !suspect);
  const counted = known.filter(({ excluded }) => !excluded).map((source) => source.rate);
  const spread = counted.length === 0 ? 0 : (Math.max(...counted) - Math.min(...counted)) / rate;
  return {
    sources: known.length,
    excluded: known.length - counted.length,
    spread: Number(spread.toPrecision(SPREAD_DIGITS)),
    age_days: age,
    suspects: sources.length - known.length,
  };
}
