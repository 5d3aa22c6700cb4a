import { roundForDisplay } from '../../../core/domain/rounding.js';

/** As `/v2/rate`: the rate of a peg unchanged, others rounded. `peg` is that of the quote, such as "USD 3.6725". */
export function shownRate({ base, rate }: { base: string; rate: number }, peg: string | undefined): number {
  return peg === `${base} ${rate}` ? rate : roundForDisplay(rate);
}
