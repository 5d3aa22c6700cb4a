import { Decimal } from 'decimal.js';

/** The exact middle of a buying and a selling price, of which doubles can give only a neighbour. */
export function midpoint(buying: number, selling: number): number {
  return new Decimal(buying).plus(selling).div(2).toNumber();
}
