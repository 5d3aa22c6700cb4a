import type { RawRow } from './blend/carry-forward.js';
import { roundForStorage } from './rounding.js';

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

/** Rounds the rate and both sides for storage, in place, as there may be millions of rows. Returns the row. */
export function roundSides<Row extends Sides & { rate: number }>(row: Row): Row {
  row.rate = roundForStorage(row.rate);
  if (row.buy !== undefined) row.buy = roundForStorage(row.buy);
  if (row.sell !== undefined) row.sell = roundForStorage(row.sell);
  return row;
}
