import type { RowSource } from './rows.js';

/** How sure a blended rate is: what is known of its sources, or that it is a peg. */
export type Quality =
  | {
      /** How many sources have contributed. */
      readonly sources: number;
      /** How many were left out as outliers. */
      readonly excluded: number;
      /** The highest less the lowest rate that counted, divided by the rate. */
      readonly spread: number;
      /** Days from the newest observation to the day that the row was requested for. */
      readonly age_days: number;
      /** How many were held back as suspect. */
      readonly suspects: number;
    }
  | { readonly peg: true };

const SPREAD_DIGITS = 4;

/** The quality of a rate from its sources; `age` in days. */
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
