import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { markdownTable } from '../attack/table.js';
import { UsageError } from '../options.js';
import { print, runTrial, type Trial } from '../programs/trial.js';
import { measureFirstStart } from './first-start.js';
import { measureLongHistory } from './long-history.js';
import { measurePublication } from './publication.js';
import { measureRequests } from './requests.js';
import { type Context, currentCodes, type Effort, lastDay, type Row, startLoad } from './support/context.js';
import { fillBlended, startDatabases } from './support/databases.js';
import { measureUnderBlend } from './under-blend.js';
import { measureWriting } from './writing.js';

const FULL: Effort = {
  years: 5,
  longYears: 25,
  rounds: 9,
  roundMs: 600,
  warmMs: 200,
  different: 30_000,
};
const QUICK: Effort = { ...FULL, years: 1, longYears: 5, rounds: 1 };
/** Checks that every measurement runs; its numbers mean nothing. */
const TINY: Effort = { ...QUICK, years: 0.03, longYears: 0.1, roundMs: 50, warmMs: 50, different: 1_000 };

/** Parts that can be measured alone. The first two include the measurements of writing, which fill their database. */
const PARTS = ['requests', 'publication', 'streams', 'start'] as const;
type Part = (typeof PARTS)[number];

export const usage = `bench [--quick | --tiny] [--only PART]

Measures everything and prints a table. --quick and --tiny measure less data for a shorter time, --only measures one part:
${PARTS.join(', ')}.
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  });
  const effort = values.tiny ? TINY : values.quick ? QUICK : FULL;
  const only = PARTS.find((part) => part === values.only);
  if (values.only !== undefined && !only) throw new UsageError(`--only: must be one of ${PARTS.join(', ')}`);
  const rows: Row[] = [];
  const code = await runTrial((trial) => measure(trial, effort, only, rows));
  // After a failure, show what was measured before it.
  const cells = rows.map(({ what, measured, reach, ok }) => [what, measured, reach, ok ? 'yes' : 'no']);
  process.stdout.write(markdownTable(['what', 'measured', 'to reach', 'ok'], cells));
  return code;
}

async function measure(trial: Trial, effort: Effort, only: Part | undefined, rows: Row[]): Promise<void> {
  const record = (row: Row) => {
    rows.push(row);
    print(`${row.what}: ${row.measured}`);
  };
  const databases = await startDatabases(trial);
  const load = startLoad(effort, trial);
  const context = { effort, databases, load, until: lastDay(), progress: print, record };
  // What is measured when it is interrupted fails as its programs are stopped.
  await Promise.race([measureParts(context, only), once(trial.signal, 'abort')]);
  trial.signal.throwIfAborted();
}

async function measureParts(context: Context, only: Part | undefined): Promise<void> {
  const { until, effort, databases } = context;
  const wants = (part: Part) => only === undefined || part === only;
  if (wants('requests') || wants('publication')) {
    const history = await measureWriting(context);
    if (wants('requests')) {
      await measureRequests(context, history);
      await measureUnderBlend(context, history);
    }
    if (wants('publication')) await measurePublication(context, history);
    await history.close();
  }
  if (wants('start')) await measureFirstStart(context);
  if (wants('streams')) {
    const long = await databases.create('long');
    await fillBlended(long, { until, years: effort.longYears, quotes: currentCodes() });
    await measureLongHistory(context, long);
    await long.close();
  }
}
