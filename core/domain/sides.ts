import type { RawRow } from './blend/carry-forward.js';

/**
 * The prices of a source that publishes both sides of a rate: units of `quote` at which it buys and sells one unit of `base`.
 * The rate is their midpoint, the source's own middle rate, or its selling price.
 */
export interface Sides {
  buy?: number;
  sell?: number;
}

export type Side = keyof Sides;

/** For each side the one of the inverse pair that is the same trade. */
export const OPPOSITE = { buy: 'sell', sell: 'buy' } as const satisfies Record<Side, Side>;

type Pair = Pick<RawRow, 'base' | 'quote'>;

/** The side of a row that gives a side of a pair: undefined without a side, and for a row of another pair. */
export function sideOfRow(side: Side | undefined, pair: Pair, row: Pair): Side | undefined {
  if (!side) return undefined;
  if (row.base === pair.base && row.quote === pair.quote) return side;
  return row.base === pair.quote && row.quote === pair.base ? OPPOSITE[side] : undefined;
}

/** A rate with the sides that its source publishes. */
export interface SidedRow extends RawRow, Sides {}

/** The rate and those of its sides that exist, each changed in the same way. */
export function changePrices(
  { rate, buy, sell }: { rate: number; buy?: number | null | undefined; sell?: number | null | undefined },
  change: (price: number) => number,
): Sides & { rate: number } {
  return { rate: change(rate), ...(buy && { buy: change(buy) }), ...(sell && { sell: change(sell) }) };
}
