import { pegOf } from '../../core/domain/pegs.js';

/** A text for the script: "USD 3.6725". */
export function pegText(quote: string): string | undefined {
  const peg = pegOf(quote);
  return peg && `${peg.base} ${peg.rate}`;
}
