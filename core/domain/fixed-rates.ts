import { lifetimes } from './currencies.js';
import { dayNumber } from './dates.js';

/** `rate` units of an ended currency are one of `base`, by law and permanently, so old debts have a rate. */
interface FixedRate {
  readonly base: string;
  readonly rate: number;
  readonly regulation: string;
  readonly source: string;
}

export type FixedRates = Readonly<Record<string, FixedRate>>;

const byCode: ReadonlyMap<string, { end: number; fixed: FixedRate }> = new Map(
  [...lifetimes()].flatMap(([code, { until, replacedBy }]) => {
    if (until === undefined || replacedBy?.fixed === undefined) return [];
    const { code: base, ratio: rate, fixed } = replacedBy;
    const { regulation, source } = fixed;
    return [[code, { end: dayNumber(until), fixed: { base, rate, regulation, source } }] as const];
  }),
);

/** `day` is a day number; undefined if none of the currencies has ended by then. */
export function fixedRatesAmong(codes: readonly string[], day: number): FixedRates | undefined {
  const fixed = codes.flatMap((code) => {
    const known = byCode.get(code);
    return known && day >= known.end ? [[code, known.fixed] as const] : [];
  });
  return fixed.length === 0 ? undefined : Object.fromEntries(fixed);
}

export function successorsOf({ base, quote }: { base: string; quote: string }, fixed: FixedRates = {}) {
  return { base: fixed[base]?.base ?? base, quote: fixed[quote]?.base ?? quote };
}

/** The rate of a pair at fixed rates, given the rate of the successors. Neither is rounded. */
export function atFixedRates(
  { base, quote }: { base: string; quote: string },
  ofSuccessors: number,
  fixed: FixedRates,
): number {
  return (ofSuccessors * (fixed[quote]?.rate ?? 1)) / (fixed[base]?.rate ?? 1);
}
