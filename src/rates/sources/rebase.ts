import { type Crossing, crossingsOf, type PairRate, unitsPer } from '../../../core/domain/crossing.js';
import type { Row } from '../snapshot/row.js';

/** Converts a provider's rows of a day to units per `base`, sorted by quote, without the base itself. */
// Uses the pair, which is then `published`; else its inverse; else a cross over the pivot if possible, or over the
// first common currency by code.
export function rebaseDay(rows: readonly PairRate[], base: string, pivot: string | null): Row[] {
  const pairs = pairsByCurrency(rows);
  const withBase = pairs.get(base);
  if (!withBase) return [];
  const legOf = (currency: string, per: string) => pairs.get(per)?.get(currency);
  const others = [...withBase.keys()].sort();
  // Generated on demand: nearly always the first or the pivot is enough.
  function* pers(quote: string) {
    yield base;
    yield quote;
    if (pivot !== null) yield pivot;
    yield* others;
  }
  return [...pairs.keys()].sort().flatMap((quote) => {
    if (quote === base) return [];
    const [best] = crossingsOf({ base, quote }, pers(quote), legOf);
    return best ? rateOf(best, base, quote) : [];
  });
}

function rateOf({ per, ...legs }: Crossing<PairRate>, base: string, quote: string): Row {
  const units = (leg: PairRate | undefined, currency: string) => (leg ? unitsPer(leg, currency, per) : 1);
  return {
    quote,
    rate: units(legs.quote, quote) / units(legs.base, base),
    published: legs.quote?.base === base,
  };
}

/** By currency and another, the pair that gives the other per unit of it: as published, or its inverse. */
function pairsByCurrency(rows: readonly PairRate[]): Map<string, Map<string, PairRate>> {
  const pairs = new Map<string, Map<string, PairRate>>();
  const set = (per: string, currency: string, row: PairRate) => {
    const known = pairs.get(per);
    if (known) known.set(currency, row);
    else pairs.set(per, new Map([[currency, row]]));
  };
  for (const row of rows) set(row.quote, row.base, row);
  for (const row of rows) set(row.base, row.quote, row);
  return pairs;
}
