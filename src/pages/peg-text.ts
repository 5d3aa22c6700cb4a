import { pegOf } from '../../core/domain/pegs.js';

/** The base and rate of a currency's peg as a text, which pages pass to their script: "USD 3.6725". */
export function pegText(quote: string): string | undefined {
  const peg = pegOf(quote);
  return peg && `${peg.base} ${peg.rate}`;
}
