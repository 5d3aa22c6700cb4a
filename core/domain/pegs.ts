import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataFile } from '../process/project-files.js';

const code = z.string().regex(/^[A-Z]{3}$/);

const peg = z.strictObject({
  quote: code,
  base: code,
  rate: z.number().positive(),
  since: z.iso.date(),
  authority: z.string(),
  source: z.url(),
});

/** A currency that its authority keeps at `rate` units for one unit of `base`, from the day `since` on. */
export type Peg = z.infer<typeof peg>;

/** Every peg in force, sorted by the pegged currency. */
export const pegs: readonly Peg[] = z
  .array(peg)
  .parse(JSON.parse(readFileSync(dataFile('pegs.json'), 'utf8')))
  .sort((one, other) => (one.quote < other.quote ? -1 : 1));

const byQuote = new Map(pegs.map((peg) => [peg.quote, peg]));
const anchors = new Set(pegs.map(({ base }) => base));

/** The peg of a currency, undefined if it has none. */
export function pegOf(quote: string): Peg | undefined {
  return byQuote.get(quote);
}

/** Whether a currency is pegged to this one. */
export function isAnchor(code: string): boolean {
  return anchors.has(code);
}
