import { Decimal } from 'decimal.js';

/**
 * The exact middle of a buying and a selling price, of which doubles can give only a neighbour. Undefined where
 * one of them is missing or zero: with one side alone there is no middle.
 */
export function midpoint(buying: number | undefined, selling: number | undefined): number | undefined {
  return buying && selling ? new Decimal(buying).plus(selling).div(2).toNumber() : undefined;
}
