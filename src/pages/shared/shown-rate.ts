import { roundForDisplay } from '../../../core/domain/rounding.js';

/**
 * Returns a rate of twelve digits as `/v2/rate` shows it: the rate of a peg unchanged, all others rounded. `peg` is the peg
 * of the quote, such as "USD 3.6725", if it has one.
 */
export function shownRate({ base, rate }: { base: string; rate: number }, peg: string | undefined): number {
  return peg === `${base} ${rate}` ? rate : roundForDisplay(rate);
}
