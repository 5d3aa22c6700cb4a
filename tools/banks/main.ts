import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Piscina } from 'piscina';
import { createLogger } from '../../core/process/logger.js';
import { projectFolder } from '../../core/process/project-files.js';
import { readRecordings } from '../../worker/feeds/recordings.js';
import { loadFeed, loadFeeds } from '../../worker/feeds/registry.js';
import { UsageError } from '../options.js';
import { RECORDINGS_OPTION } from '../recordings/folder.js';
import type { Streams } from '../tool.js';
import type { BankResult, BankTask } from './bank-thread.js';
import { type Day, dayOf } from './day.js';
import { type ScenarioName, scenarios } from './scenarios.js';
import { dayTable, errorTable, scenarioTable, sourceTable } from './table.js';

const DOCS = join(projectFolder, 'docs', 'data', 'sources.md');
const HEAD = `# Requests to each source on a day

Made by \`npm run tool -- banks --day --docs\`. The columns are explained in [sources.md](../sources.md#what-a-day-takes).

`;
/** Sources in one thread: some wait while another is read. */
const AT_A_TIME = 4;

export const usage = `banks [--from FOLDER] [--scenario NAME] [--json FILE] [--day [--docs]] [KEY…]

Reads sources through the client for banks from a local server, which plays the banks from recordings, under their
own names and with its own certificates: as they were, and as banks can be on a first contact. Prints how readings
ended, a line a scenario; what the errors said; and the requests to each source. --json writes every reading. --day prints
the requests to each source on a day on which it publishes, and --docs writes them into docs/data/sources.md.

${Object.entries(scenarios)
  .map(([name, { does }]) => `  ${name.padEnd(18)} the bank ${does}\n`)
  .join('')}`;

/** Exit code 1 where a reading did not end as its scenario has to. */
export async function run(args: string[], { stdout, stderr }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      from: RECORDINGS_OPTION,
      scenario: { type: 'string' },
      json: { type: 'string' },
      day: { type: 'boolean', default: false },
      docs: { type: 'boolean', default: false },
    },
  });
  const names = wantedScenarios(values.scenario);
  const keys =
    positionals.length > 0 ? positionals.map((key) => key.toUpperCase()) : [...(await loadFeeds()).keys()];
  if (values.day) {
    const table = dayTable(await daysOf(keys, values.from));
    stdout.write(table);
    if (values.docs) await writeFile(DOCS, HEAD + table);
    return 0;
  }
  const results = await inThreads(keys.map((key) => ({ folder: values.from, key, names })));
  for (const line of results.flatMap(({ leftOut }) => leftOut)) stderr.write(`left out ${line}\n`);
  const cells = results.flatMap((result) => result.cells);
  const faults = cells.filter(({ fault }) => fault !== undefined);
  stdout.write([scenarioTable(cells), errorTable(cells), sourceTable(cells)].join('\n'));
  for (const { key, recording, scenario, fault } of faults) {
    stdout.write(`\n${key} ${recording}, ${scenario}: ${fault}`);
  }
  stdout.write(`\n${cells.length - faults.length} of ${cells.length} readings ended as required\n`);
  if (values.json !== undefined) await writeFile(values.json, JSON.stringify(cells, null, 1));
  return faults.length > 0 || cells.length === 0 ? 1 : 0;
}

/** A day of each source, by its newest recording, the one that is named after the source alone where there is one. */
async function daysOf(keys: readonly string[], folder: string): Promise<Day[]> {
  const log = createLogger({ LOG_LEVEL: 'fatal' }, 'banks', { to: 'stderr' });
  const days: Day[] = [];
  for (const key of keys) {
    const recordings = await readRecordings(folder, key);
    const [newest] = recordings.toSorted(
      (one, other) =>
        Number(other.name === key.toLowerCase()) - Number(one.name === key.toLowerCase()) ||
        other.recordedAt.getTime() - one.recordedAt.getTime(),
    );
    const day = newest && (await dayOf(await loadFeed(key), newest, log));
    if (day) days.push(day);
  }
  return days;
}

async function inThreads(tasks: readonly BankTask[]): Promise<BankResult[]> {
  const pool = new Piscina<BankTask, BankResult>({
    filename: fileURLToPath(new URL('./bank-thread.js', import.meta.url)),
    maxThreads: availableParallelism(),
    concurrentTasksPerWorker: AT_A_TIME,
  });
  try {
    return await Promise.all(tasks.map((task) => pool.run(task)));
  } finally {
    await pool.destroy();
  }
}

function wantedScenarios(name: string | undefined): ScenarioName[] {
  const names = Object.keys(scenarios) as ScenarioName[];
  if (name === undefined) return names;
  const wanted = names.filter((one) => one === name);
  if (wanted.length === 0) throw new UsageError(`--scenario: must be one of ${names.join(', ')}`);
  return wanted;
}
