import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { projectFolder } from '../../core/process/project-files.js';
import { loadFeeds } from '../../worker/feeds/registry.js';
import { RECORDINGS_OPTION } from '../recordings/folder.js';
import { type Cell, isDefect } from './matrix.js';
import { tableOf } from './table.js';

const DOCS = join(projectFolder, 'docs', 'data', 'damages.md');
const HEAD = `# Damaged recordings

Made by \`npm run tool -- feeds-damage --docs\`. The letters are explained in [feeds.md](../feeds.md#damages).

`;

export const usage = `feeds-damage [--from FOLDER] [--json FILE] [--docs] [KEY…]

Reads feeds from damaged recordings and prints the outcome of each damage, a line a feed. --json writes every cell,
--docs the table into docs/data/damages.md.
`;

/** Exit code 1 where a wrong or lost rate goes unnoticed. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      from: RECORDINGS_OPTION,
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
    },
  });
  const keys =
    positionals.length > 0 ? positionals.map((key) => key.toUpperCase()) : [...(await loadFeeds()).keys()];
  const cells = await inThreads(keys, values.from);
  for (const cell of cells.filter(isDefect)) process.stdout.write(`${lineOf(cell)}\n`);
  const table = tableOf(cells);
  process.stdout.write(table);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(cells, null, 1));
  if (values.docs) await writeFile(DOCS, HEAD + table);
  return cells.some(isDefect) ? 1 : 0;
}

function lineOf({ key, recording, place, damage, detail, outcome, what }: Cell): string {
  return `${key} ${recording}, ${damage} ${detail} (${place}): ${outcome}, ${what}`;
}

/** The cells of all feeds, in the order of the keys. Threads take one feed after another. */
async function inThreads(keys: readonly string[], from: string): Promise<Cell[]> {
  const cells = new Map<string, Cell[]>();
  const waiting = [...keys];
  const threads = Array.from({ length: Math.min(keys.length, availableParallelism()) }, () => {
    const thread = new Worker(new URL('./damage-thread.js', import.meta.url), {
      workerData: { from },
    });
    return new Promise<void>((resolve, reject) => {
      const next = () => {
        const key = waiting.shift();
        if (key !== undefined) thread.postMessage(key);
        else thread.terminate().then(() => resolve(), reject);
      };
      thread.on('message', ({ key, found }: { key: string; found: Cell[] }) => {
        cells.set(key, found);
        next();
      });
      thread.on('error', reject);
      next();
    });
  });
  await Promise.all(threads);
  return keys.flatMap((key) => cells.get(key) ?? []);
}
