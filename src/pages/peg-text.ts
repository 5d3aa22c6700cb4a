import { pegOf } from '../../core/domain/pegs.js';

/** The currency that another one is pegged to, and its rate, as the page says it to its script: "USD 3.6725". */
export function pegText(quote: string): string | undefined {
  const peg = pegOf(quote);
  return peg && `${peg.base} ${peg.rate}`;
}
