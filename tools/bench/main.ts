import { parseArgs } from 'node:util';
import { positive, UsageError } from '../options.js';
import { measureCompression } from './compression.js';
import { measureBlendGrowth, measureGrowth } from './growth.js';
import { measureOptions } from './options.js';
import { measurePages } from './pages.js';
import { measureProcess } from './process.js';
import { measurePublication } from './publication.js';
import { measureRequests } from './requests.js';
import { measureStreams } from './streams.js';
import { type Context, currentCodes, type Effort, lastDay, startLoad } from './support/context.js';
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
  different: 30_000,
};
const QUICK: Effort = { ...FULL, years: 1, longYears: 5, growth: [1, 2], rounds: 1 };
/** Checks that every measurement runs; its numbers mean nothing. */
const TINY: Effort = {
  ...QUICK,
  years: 0.03,
  longYears: 0.1,
  growth: [0.03],
  roundMs: 50,
  warmMs: 50,
  different: 1_000,
};

/**
 * Parts that can be measured alone. `requests`, `options`, `pages` and `publication` include the measurements of writing, which fill
 * their database.
 */
const PARTS = [
  'requests',
  'options',
  'pages',
  'publication',
  'streams',
  'process',
  'compression',
  'growth',
] as const;

type Part = (typeof PARTS)[number];

export const usage = `bench [--quick | --tiny] [--years N] [--only PART]

Measures everything and prints a table. --quick and --tiny measure less data for a shorter time, --years sets the
length of the raw history, --only measures one part: ${PARTS.join(', ')}.
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      years: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const effort = values.tiny ? TINY : values.quick ? QUICK : FULL;
  const years = positive('years', values.years ?? String(effort.years));
  const only = PARTS.find((part) => part === values.only);
  if (values.only !== undefined && !only) throw new UsageError(`--only: must be one of ${PARTS.join(', ')}`);
  const rows: Row[] = [];
  try {
    await measure({ ...effort, years }, only, rows);
  } finally {
    // After a failure, show what was measured before it.
    process.stdout.write(showTable(rows));
  }
  return 0;
}

async function measure(effort: Effort, only: Part | undefined, rows: Row[]): Promise<void> {
  const started = performance.now();
  const progress = (text: string) => {
    process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
  };
  const databases = await startDatabases();
  const { child, load } = startLoad(effort, progress);
  const stop = async () => {
    await child.stop();
    await databases.close();
  };
  // When interrupted, stop the child processes and the database too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  try {
    const record = (row: Row) => {
      rows.push(row);
      progress(`${row.what}: ${row.measured}`);
    };
    const context: Context = { effort, databases, load, until: lastDay(), progress, record };
    await measureAll(context, only);
  } finally {
    await stop();
  }
}

async function measureAll(context: Context, only: Part | undefined): Promise<void> {
  const wants = (...parts: Part[]) => only === undefined || parts.includes(only);
  if (wants('requests', 'options', 'pages', 'publication')) {
    const history = await measureWriting(context);
    try {
      if (wants('requests')) await measureRequests(context, history);
      if (wants('options')) await measureOptions(context, history);
      if (wants('pages')) await measurePages(context, history);
      if (wants('publication')) await measurePublication(context, history);
    } finally {
      await history.close();
    }
  }
  if (wants('streams', 'process', 'compression')) {
    const { until, effort, databases } = context;
    const long = await databases.create('long');
    try {
      await fillBlended(long, { until, years: effort.longYears, quotes: currentCodes() });
      if (wants('streams')) await measureStreams(context, long);
      if (wants('process')) await measureProcess(context, long);
      if (wants('compression')) await measureCompression(context, long);
    } finally {
      await long.close();
    }
  }
  if (wants('growth')) {
    await measureGrowth(context);
    await measureBlendGrowth(context);
  }
}
