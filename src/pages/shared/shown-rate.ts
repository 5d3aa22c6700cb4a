import { roundForDisplay } from '../../../core/domain/rounding.js';

/**
 * A rate of twelve digits as `/v2/rate` shows it: that of a peg in its own digits, all others rounded. `peg` is that of the
 * quote, such as "USD 3.6725"; undefined where it has none.
 */
export function shownRate({ base, rate }: { base: string; rate: number }, peg: string | undefined): number {
  return peg === `${base} ${rate}` ? rate : roundForDisplay(rate);
}
