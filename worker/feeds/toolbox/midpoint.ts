import { Decimal } from 'decimal.js';

/** The exact midpoint of a buying and a selling price. Undefined if either is missing or zero. */
export function midpoint(buying: number | undefined, selling: number | undefined): number | undefined {
  return buying && selling ? new Decimal(buying).plus(selling).div(2).toNumber() : undefined;
}
