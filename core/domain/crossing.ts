/** A rate of one source: one unit of `base` costs `rate` units of `quote`. */
export interface PairRate<Code = string> {
  readonly base: Code;
  readonly quote: Code;
  readonly rate: number;
}

/**
 * What a pair makes of a currency, in units of it per unit of another: at once where it names both, else over its other
 * currency, which the same source gives as `crossedOver`, in units of that per unit of the same. NaN if it can't.
 */
export function unitsPer<Code>(
  { base, quote, rate }: PairRate<Code>,
  currency: Code,
  per: Code,
  crossedOver = Number.NaN,
): number {
  if (base !== currency && quote !== currency) return Number.NaN;
  const other = base === currency ? quote : base;
  if (other === per) return base === per ? rate : 1 / rate;
  return base === other ? crossedOver * rate : crossedOver / rate;
}

/** Both currencies of a pair as one source gives them per unit of a third one, or of one of the two. */
export interface Crossing<Leg> {
  per: string;
  /** Undefined for the currency that `per` is itself. */
  base: Leg | undefined;
  quote: Leg | undefined;
}

/**
 * The ways in which one source can give the rate of a pair: both currencies per unit of each of `pers`, in their order, as
 * far as `legOf` finds what gives a currency per unit of another. Per unit of the base it is the pair as published, per
 * unit of the quote its inverse.
 */
export function* crossingsOf<Leg>(
  { base, quote }: { base: string; quote: string },
  pers: Iterable<string>,
  legOf: (currency: string, per: string) => Leg | undefined,
): Generator<Crossing<Leg>> {
  const tried = new Set<string>();
  for (const per of pers) {
    if (tried.has(per)) continue;
    tried.add(per);
    const ofBase = base === per ? undefined : legOf(base, per);
    const ofQuote = quote === per ? undefined : legOf(quote, per);
    if ((base === per || ofBase) && (quote === per || ofQuote)) yield { per, base: ofBase, quote: ofQuote };
  }
}
