import { lifetimes } from './currencies.js';
import { dayNumber } from './dates.js';

/**
 * How many units of a currency that has ended are one of `base`, which has replaced it: the law has fixed it for good, so
 * that what is owed in old money has a rate on every later day.
 */
interface FixedRate {
  readonly base: string;
  readonly rate: number;
  readonly regulation: string;
  readonly source: string;
}

/** By the currencies that have ended. */
export type FixedRates = Readonly<Record<string, FixedRate>>;

const byCode: ReadonlyMap<string, { end: number; fixed: FixedRate }> = new Map(
  [...lifetimes()].flatMap(([code, { until, replacedBy }]) => {
    if (until === undefined || replacedBy?.fixed === undefined) return [];
    const { code: base, ratio: rate, fixed } = replacedBy;
    const { regulation, source } = fixed;
    return [[code, { end: dayNumber(until), fixed: { base, rate, regulation, source } }] as const];
  }),
);

/** The fixed rates of those of some currencies that have ended by a day (a day number); undefined where none has. */
export function fixedRatesAmong(codes: readonly string[], day: number): FixedRates | undefined {
  const fixed = codes.flatMap((code) => {
    const known = byCode.get(code);
    return known && day >= known.end ? [[code, known.fixed] as const] : [];
  });
  return fixed.length === 0 ? undefined : Object.fromEntries(fixed);
}

/** A pair with the currencies that have replaced its own, by fixed rates, where there are any. */
export function successorsOf(
  { base, quote }: { base: string; quote: string },
  fixed: FixedRates = {},
): { base: string; quote: string } {
  return { base: fixed[base]?.base ?? base, quote: fixed[quote]?.base ?? quote };
}

/** The rate of a pair by fixed rates, given that of their successors, which is not rounded either. */
export function atFixedRates(
  { base, quote }: { base: string; quote: string },
  ofSuccessors: number,
  fixed: FixedRates,
): number {
  return (ofSuccessors * (fixed[quote]?.rate ?? 1)) / (fixed[base]?.rate ?? 1);
}
