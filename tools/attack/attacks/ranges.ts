import { addDays } from '../../../core/domain/dates.js';
import type { AttackContext } from '../attack.js';

export const YEAR = 365;

/** A day of the history, as many days before its last one. */
export function day({ environment }: AttackContext, before: number): string {
  return addDays(environment.lastDay, -before);
}

/** The days before the last one of the history, shifted by some so that no two ranges are the same. */
export function range(context: AttackContext, days: number, shift: number): string {
  return `from=${day(context, days + shift)}&to=${day(context, shift)}`;
}
