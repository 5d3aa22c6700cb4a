import { roundForStorage } from '../../../core/domain/rounding.js';
import type { Row } from '../snapshot/row.js';

/**
 * Rounds a rate to a fixed number of decimals, or of significant digits if it is small, from the twelve digits of
 * `precision=full`. Pegs keep their own digits.
 */
export function figure({ rate, published }: Pick<Row, 'rate' | 'published'>, digits = 6): number {
  const full = roundForStorage(rate);
  if (published) return full;
  return Number(full >= 0.1 ? full.toFixed(digits) : full.toPrecision(digits));
}

/** Rates by code, in the order of the rows. */
export function figures(rows: readonly Row[], digits?: number): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.quote, figure(row, digits)]));
}
