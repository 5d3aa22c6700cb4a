/** A rate of one source: one unit of `base` costs `rate` units of `quote`. */
export interface PairRate<Code = string> {
  readonly base: Code;
  readonly quote: Code;
  readonly rate: number;
}

/**
 * The price of one unit of `per` in a currency, from a pair of that currency. If the pair's other currency is
 * not `per`, `crossedOver` converts it: units of it per unit of `per`, from the same source. NaN if that is
 * not possible.
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

/** Both currencies of a pair as one source prices them per unit of a third currency, or of one of the two. */
export interface Crossing<Leg> {
  per: string;
  base: Leg | undefined;
  quote: Leg | undefined;
}

/**
 * The ways in which one source can give the rate of a pair: both currencies per unit of each of `pers`, in
 * their order, where `legOf` finds a leg for both. Per unit of the base it is the pair as published, per unit
 * of the quote its inverse.
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
