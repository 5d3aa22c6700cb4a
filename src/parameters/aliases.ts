import * as z from 'zod';
import { readDataFile } from '../../core/process/project-files.js';

const words = z.record(z.string(), z.array(z.string()));

/** Words of other services and of everyday use, by what they mean here. A word may mean several things, tried in order. */
export const aliases = readDataFile(
  'aliases.json',
  z.strictObject({
    /** By our parameter, with the value to use if theirs has no meaning here. */
    parameters: words,
    /** What to do instead of using parameters without an equivalent, on the routes that have the parameter `on`. */
    advice: z.array(
      z.strictObject({ names: z.array(z.string()), on: z.string().optional(), advice: z.string() }),
    ),
    /** By code: names that those in the register do not identify. */
    currencies: words,
    cryptocurrencies: z.array(z.string()),
    /** By our path: the first segments of other paths, after a version. */
    paths: words,
  }),
);

/** In the order of the table. */
export function oursFor(word: string, table: z.output<typeof words>): string[] {
  return Object.keys(table).filter((ours) => table[ours]?.includes(word));
}
