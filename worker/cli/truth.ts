import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../core/process/config.js';
import { createLogger } from '../../core/process/logger.js';
import { projectFolder } from '../../core/process/project-files.js';
import { judge } from '../truth/judge.js';
import { linesOf, withTables } from '../truth/table.js';
import { readAllRecordedRates } from './recorded-rates.js';

const DOCS = join(projectFolder, 'docs', 'truth.md');

/**
 * `truth [--from FOLDER] [--json FILE] [--docs]`: compares every provider's recorded rates with those of the others and
 * prints a line for each provider and currency. `--json` writes all of it, `--docs` the tables into docs/truth.md.
 * Exit code 1 where a deviation above 2 % has no explanation.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string', default: join(projectFolder, '..', 'shared', 'feeds') },
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
  if (values.docs) await writeFile(DOCS, withTables(await readFile(DOCS, 'utf8'), verdict));
  return verdict.deviations.every(({ explanation }) => explanation) ? 0 : 1;
}

process.exitCode = await main();
