import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Command, Option } from 'commander';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { addDays } from '../../core/domain/dates.js';
import { firstRatesFile } from '../../core/process/project-files.js';
import {
  lastRichDay,
  MIN_CURRENCIES,
  MIN_PROVIDERS,
  OLD_PAIR_DAYS,
  selectBootstrapRows,
} from '../import/bootstrap-rows.js';
import { HEADER } from '../import/csv.js';
import { isTrusted } from '../truth/explanations.js';
import { groupBy } from '../truth/group-by.js';
import { objectionsTo } from '../truth/objections.js';
import { positiveArgument } from './arguments.js';
import { CommandFailed } from './failure.js';
import { openProgress } from './progress.js';
import { readAllRecordedRates } from './recorded-rates.js';
import type { Run } from './run.js';
import { type Session, say } from './session.js';

interface MakeOptions {
  from: string;
  out: string;
  days: number;
}

const EXAMPLE = `
The file ends on the last day on which at least ${MIN_PROVIDERS} of the recorded providers published, and ${MIN_CURRENCIES} currencies are
current. Of a pair that has
nothing within the days kept, its own last ${OLD_PAIR_DAYS} days are kept instead. The dollar, the euro and the fifteen
most traded currencies are kept from the first recorded day on. Rates that \`npm run truth\` can't explain or explains as
wrong, and suspect ones, are left out, and listed.

Example:
  npm run --silent cli -- bootstrap make --from ../shared/feeds`;

export function addBootstrapMake(bootstrap: Command, run: Run): void {
  bootstrap
    .command('make')
    .description('make the file of rates that fills an empty database, from a folder of recordings')
    .requiredOption('--from <folder>', 'recordings: <key>/recorded/*.index.json and their bodies')
    .option('--out <file>', 'the file to write', firstRatesFile)
    .addOption(
      new Option('--days <n>', 'days of history to keep').argParser(positiveArgument).default(DAYS_KEPT),
    )
    .addHelpText('after', EXAMPLE)
    .action((options: MakeOptions) => run((session) => make(session, options)));
}

/** A year and what a blend of its first day looks back to. */
const DAYS_KEPT = 380;

async function make(session: Session, { from, out, days }: MakeOptions): Promise<void> {
  const recorded = leaveOutWrong(session, await readAll(session, from));
  const end = lastRichDay(recorded);
  if (end === undefined) {
    throw new CommandFailed(
      `${from}: on no day do the recordings have rates of ${MIN_PROVIDERS} providers and ${MIN_CURRENCIES} currencies`,
    );
  }
  const rows = selectBootstrapRows(recorded, addDays(end, 1 - Math.round(days)), end, hasHistory).sort(
    inOrder,
  );
  const lines = rows.map(({ provider, date, base, quote, rate }) =>
    [provider, date, base, quote, rate].join(),
  );
  const bytes = await promisify(gzip)([HEADER, ...lines, ''].join('\n'), { level: 9 });
  await writeFile(out, bytes);
  const providers = new Set(rows.map(({ provider }) => provider)).size;
  say(session, `${out}: ${rows.length} rows of ${providers} providers up to ${end}, ${bytes.length} bytes`);
}

async function readAll(session: Session, folder: string): Promise<RawRow[]> {
  const progress = openProgress(session);
  const { rows, faults } = await readAllRecordedRates(folder, session.log, (done, total) => {
    session.stopping.throwIfAborted();
    progress.show('reading', done, total);
  });
  progress.stop();
  for (const fault of faults) say(session, `left out ${fault}`);
  return rows;
}

/** The rows that may ship. Says which ones may not, and why. */
function leaveOutWrong(session: Session, rows: readonly RawRow[]): RawRow[] {
  const objections = objectionsTo(rows);
  for (const [why, some] of groupBy(objections, ([{ provider }, objection]) => `${provider}: ${objection}`)) {
    const dates = some.map(([{ date }]) => date).sort();
    say(session, `left out ${why}: ${some.length} rows of ${dates[0]} to ${dates.at(-1)}`);
  }
  return rows.filter((row) => !objections.has(row));
}

/** A source with wrong figures all over its archive has no history here: nobody confirms its older ones. */
function hasHistory({ provider, date, base, quote }: RawRow): boolean {
  return isTrusted({ provider, quote: base, date }) && isTrusted({ provider, quote, date });
}

/** Orders the days of each pair together: similar rates next to each other compress best. */
function inOrder(one: RawRow, other: RawRow): number {
  return (
    compare(one.provider, other.provider) ||
    compare(one.base, other.base) ||
    compare(one.quote, other.quote) ||
    compare(one.date, other.date)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
