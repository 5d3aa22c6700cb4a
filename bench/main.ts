import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureCompression } from './compression.js';
import { measureBlendGrowth, measureGrowth } from './growth.js';
import { measureProcess } from './process.js';
import { measureRequests } from './requests.js';
import { measureStreams } from './streams.js';
import { currentCodes, type Effort, type Ground, lastDay, startLoad } from './support/context.js';
import { fillBlended, startDatabases } from './support/databases.js';
import { type Row, showTable } from './support/table.js';
import { measureWriting } from './writing.js';

const FULL: Effort = {
  years: 5,
  longYears: 25,
  growth: [1, 5, 25],
  rounds: 9,
  roundMs: 600,
  warmMs: 200,
  connections: 64,
};
const QUICK: Effort = { ...FULL, years: 1, longYears: 5, growth: [1, 2], rounds: 1 };
/** Only to see that all of it works: what it measures says nothing. */
const TINY: Effort = { ...QUICK, years: 0.1, longYears: 0.3, growth: [0.1], roundMs: 50, warmMs: 50 };

/** What can be measured alone. Requests are asked on what was written before. */
const PARTS = ['requests', 'streams', 'process', 'compression', 'growth'] as const;

type Part = (typeof PARTS)[number];

/**
 * Measures all there is and prints the table; with `--json FILE` writes it as JSON too. `--quick` and `--tiny` measure
 * less and shorter, `--years N` a raw history of that length, `--only PART` a part of it.
 */
async function bench(): Promise<number> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      years: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const effort = values.tiny ? TINY : values.quick ? QUICK : FULL;
  const years = Number(values.years ?? effort.years);
  if (!(years > 0)) throw new RangeError('--years: a positive number');
  const only = PARTS.find((part) => part === values.only);
  if (values.only !== undefined && !only) throw new RangeError(`--only: one of ${PARTS.join(', ')}`);
  const rows: Row[] = [];
  try {
    await measure({ ...effort, years }, only, rows);
  } finally {
    // What was measured before a failure is worth showing too.
    process.stdout.write(showTable(rows));
    if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, undefined, 2)}\n`);
  }
  return 0;
}

async function measure(effort: Effort, only: Part | undefined, rows: Row[]): Promise<void> {
  const started = performance.now();
  const say = (text: string) => {
    process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
  };
  const databases = await startDatabases();
  const { child, load } = startLoad(effort);
  const stop = async () => {
    await child.stop();
    await databases.close();
  };
  // Asked to end in the middle: nothing may stay behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  try {
    const note = (row: Row) => {
      rows.push(row);
      say(`${row.what}: ${row.measured}`);
    };
    const ground: Ground = { effort, databases, load, until: lastDay(), say, note };
    await measureAll(ground, only);
  } finally {
    await stop();
  }
}

async function measureAll(ground: Ground, only: Part | undefined): Promise<void> {
  const wants = (...parts: Part[]) => only === undefined || parts.includes(only);
  if (wants('requests')) {
    const history = await measureWriting(ground);
    await measureRequests(ground, history).finally(() => history.close());
  }
  if (wants('streams', 'process', 'compression')) {
    const { until, effort, databases } = ground;
    const long = await databases.create('long');
    try {
      await fillBlended(long, { until, years: effort.longYears, quotes: currentCodes() });
      if (wants('streams')) await measureStreams(ground, long);
      if (wants('process')) await measureProcess(ground, long);
      if (wants('compression')) await measureCompression(ground, long);
    } finally {
      await long.close();
    }
  }
  if (wants('growth')) {
    await measureGrowth(ground);
    await measureBlendGrowth(ground);
  }
}

process.exitCode = await bench();
