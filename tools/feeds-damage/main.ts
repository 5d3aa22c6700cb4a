import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { parseRecordings } from '../recordings/folder.js';
import type { Streams } from '../tool.js';
import { groupBy } from '../truth/group-by.js';
import { type Case, isDefect } from './damage-feed.js';

export const usage = `feeds-damage [--from FOLDER] [KEY…]

Reads feeds from damaged recordings and prints how often each outcome occurred, a line a feed, after its defects.
`;

/** Exit code 1 where a wrong or lost rate goes unnoticed. */
export async function run(args: string[], { stdout }: Streams): Promise<number> {
  const { from, keys } = await parseRecordings(args);
  const threads = new Piscina<{ key: string; from: string }, Case[]>({
    filename: fileURLToPath(new URL('./damage-thread.js', import.meta.url)),
    maxThreads: availableParallelism(),
  });
  try {
    const all = await Promise.all(
      keys.map(async (key) => {
        const cases = await threads.run({ key, from });
        for (const defect of cases.filter(isDefect)) stdout.write(`${key} ${lineOf(defect)}\n`);
        stdout.write(`${key} ${totals(cases)}\n`);
        return cases;
      }),
    );
    stdout.write(`all ${totals(all.flat())}\n`);
    return all.flat().some(isDefect) ? 1 : 0;
  } finally {
    await threads.destroy();
  }
}

function lineOf({ recording, place, damage, detail, outcome, what }: Case): string {
  return `${recording}, ${damage} ${detail} (${place}): ${outcome}, ${what}`;
}

function totals(cases: readonly Case[]): string {
  const counts = [...groupBy(cases, ({ outcome }) => outcome)].map(
    ([outcome, of]) => `${of.length} ${outcome}`,
  );
  return `${cases.length} damages: ${counts.sort().join(', ')}`;
}
