import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Command, Option } from 'commander';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { addDays, type CalendarDate, later } from '../../core/domain/dates.js';
import { firstRatesFile } from '../../core/process/project-files.js';
import { loadFeeds } from '../feeds/registry.js';
import { HEADER } from '../import/csv.js';
import { positiveArgument } from './arguments.js';
import { CommandFailed, failureLine } from './failure.js';
import { openProgress } from './progress.js';
import { readRecordedRates } from './recorded-rates.js';
import type { Run } from './run.js';
import { type Session, say } from './session.js';

/** Providers that must have published on the last day. */
const MIN_PROVIDERS = 10;
/** Days kept of a source whose recordings are all older than the rest. */
const OLD_SOURCE_DAYS = 31;

interface MakeOptions {
  from: string;
  out: string;
  days: number;
}

const EXAMPLE = `
The file ends on the last day on which at least ${MIN_PROVIDERS} of the recorded providers published. Of a source that has
nothing within the days kept, its own last ${OLD_SOURCE_DAYS} days are kept instead.

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
  const recorded = await readAll(session, from);
  const end = lastRichDay(recorded);
  if (end === undefined) {
    throw new CommandFailed(`${from}: on no day do the recordings have rates of ${MIN_PROVIDERS} providers`);
  }
  const rows = keep(recorded, addDays(end, 1 - Math.round(days)), end).sort(inOrder);
  const lines = rows.map(({ provider, date, base, quote, rate }) =>
    [provider, date, base, quote, rate].join(),
  );
  const bytes = await promisify(gzip)([HEADER, ...lines, ''].join('\n'), { level: 9 });
  await writeFile(out, bytes);
  const providers = new Set(rows.map(({ provider }) => provider)).size;
  say(session, `${out}: ${rows.length} rows of ${providers} providers up to ${end}, ${bytes.length} bytes`);
}

async function readAll(session: Session, folder: string): Promise<RawRow[]> {
  const feeds = [...(await loadFeeds()).values()];
  const progress = openProgress(session);
  const rows: RawRow[] = [];
  const faults: string[] = [];
  // Some recorded responses replace those of other windows, about which feeds would log warnings.
  const quiet = session.log.child({}, { level: 'error' });
  for (const [done, feed] of feeds.entries()) {
    session.stopping.throwIfAborted();
    progress.show('reading', done, feeds.length);
    try {
      const read = await readRecordedRates(folder, feed, quiet);
      for (const row of read.rows) rows.push(row);
      faults.push(...read.faults.map(({ recording, error }) => `${recording}: ${failureLine(error)}`));
    } catch (error) {
      faults.push(`${feed.key}: ${failureLine(error)}`);
    }
  }
  progress.stop();
  for (const fault of faults) say(session, `left out ${fault}`);
  return rows;
}

/** The last day on which enough providers published. */
export function lastRichDay(rows: Iterable<Pick<RawRow, 'provider' | 'date'>>): CalendarDate | undefined {
  const providers = new Map<CalendarDate, Set<string>>();
  for (const { provider, date } of rows) {
    const known = providers.get(date);
    if (known) known.add(provider);
    else providers.set(date, new Set([provider]));
  }
  const rich = [...providers]
    .filter(([, published]) => published.size >= MIN_PROVIDERS)
    .map(([date]) => date);
  return rich.sort().at(-1);
}

/** The rows of the window; for a provider without any in it, those of its own last days before the end. */
export function keep(rows: readonly RawRow[], from: CalendarDate, end: CalendarDate): RawRow[] {
  const newest = new Map<string, CalendarDate>();
  for (const { provider, date } of rows) {
    if (date <= end) newest.set(provider, later(newest.get(provider) ?? date, date));
  }
  const firsts = new Map(
    [...newest].map(([provider, date]) => [
      provider,
      date >= from ? from : addDays(date, 1 - OLD_SOURCE_DAYS),
    ]),
  );
  return rows.filter(({ provider, date }) => date <= end && date >= (firsts.get(provider) ?? end));
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
