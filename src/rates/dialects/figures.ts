import { roundForStorage } from '../../../core/domain/rounding.js';
import type { Row } from '../snapshot/row.js';

/** Rounds the twelve digits of `precision=full` to decimals, or significant digits below 0.1. Pegs keep their own. */
export function figure({ rate, published }: Pick<Row, 'rate' | 'published'>, digits = 6): number {
  const full = roundForStorage(rate);
  if (published) return full;
  return Number(full >= 0.1 ? full.toFixed(digits) : full.toPrecision(digits));
}

export function figures(rows: readonly Row[], digits?: number): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.quote, figure(row, digits)]));
}
