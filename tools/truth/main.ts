import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../core/process/config.js';
import { createLogger } from '../../core/process/logger.js';
import { projectFolder } from '../../core/process/project-files.js';
import { RECORDINGS_OPTION } from '../recordings/folder.js';
import { readAllRecordedRates } from '../recordings/recorded-rates.js';
import { judge } from './judge.js';
import { linesOf, tablesOf } from './table.js';

const DOCS = join(projectFolder, 'docs', 'data', 'truth.md');

export const usage = `truth [--from FOLDER] [--json FILE] [--docs]

Compares every provider's recorded rates with the others' and prints a line for each provider and currency.
--json writes everything, --docs the tables into docs/data/truth.md.
`;

/** Exit code 1 where a deviation above 2 % has no explanation. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      from: RECORDINGS_OPTION,
      json: { type: 'string' },
      docs: { type: 'boolean', default: false },
    },
  });
  const log = createLogger({ LOG_LEVEL: readConfig(process.env).LOG_LEVEL }, 'truth', { to: 'stderr' });
  const { rows, faults } = await readAllRecordedRates(values.from, log);
  for (const fault of faults) process.stderr.write(`left out ${fault}\n`);
  const verdict = judge(rows);
  for (const line of linesOf(verdict)) process.stdout.write(`${line}\n`);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(verdict, null, 1));
  if (values.docs) await writeFile(DOCS, tablesOf(verdict));
  return verdict.deviations.every(({ explanation }) => explanation) ? 0 : 1;
}
