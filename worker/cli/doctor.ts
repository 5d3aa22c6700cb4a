import type { Command } from 'commander';
import { eachRate } from '../../core/database/bulk/read-rates.js';
import type { Database } from '../../core/database/database.js';
import { clusterVersion } from '../../core/database/embedded-postgres/cluster.js';
import { readPlanningStates } from '../../core/database/providers.js';
import { readSetAside, type SetAsideWindow } from '../../core/database/set-aside.js';
import { inOneView } from '../../core/database/transactions.js';
import { readServedRates } from '../../core/database/unreached-sources.js';
import { today } from '../../core/domain/clock.js';
import { dayNumber, fromDayNumber } from '../../core/domain/dates.js';
import { describeOutage, type ServedRates } from '../../core/domain/internet-access.js';
import { dataFolder } from '../../core/process/config.js';
import type { Feed } from '../feeds/feed.js';
import { pairAndDay } from '../feeds/reading.js';
import { loadFeed, loadFeeds } from '../feeds/registry.js';
import { type Examination, examine, outageIn, type StoredRates } from '../ingest/examine.js';
import { openFeedSource } from '../ingest/feed-source.js';
import { newestWindow } from '../ingest/windows.js';
import { keyArgument } from './arguments.js';
import { CommandFailed, failureLine } from './failure.js';
import { printLines, printTable } from './output.js';
import { type Run, type Session, say } from './session.js';
import { useDatabase } from './use-database.js';

/** Less patient than a worker, as somebody is waiting. Times in milliseconds. */
const LIMITS = { attempts: 2, firstByte: 60_000, total: 90_000, longestWait: 5_000 };

export const HELP = `
Prints a table of what each source gave, and below it the likely cause of each failure, and what to do.
Stores nothing. If the database can be reached, STORED is the newest day in it, DIFFERING counts rates of the same days and
pairs that differ, and windows set aside are listed last: days that could not be read, and are tried again daily for a week,
then weekly, or with "ingest KEY --from FROM --to TO". Exit code 1 means that a failure needs attention; a source whose key
is not set counts as fine.`;

export function define(command: Command, run: Run): void {
  command
    .argument('[keys...]', "providers' keys (default: all)", (text: string, keys: readonly string[] = []) => [
      ...keys,
      keyArgument(text),
    ])
    .option('--json', 'print JSON')
    .action((keys: readonly string[], options: { json?: true }) =>
      run((session) => examineSources(session, keys, options)),
    );
}

async function examineSources(
  session: Session,
  keys: readonly string[],
  { json }: { json?: true },
): Promise<void> {
  const { config, clock, log, progress, stopping, stdout } = session;
  const feeds = keys.length > 0 ? await Promise.all(keys.map(loadFeed)) : [...(await loadFeeds()).values()];
  const source = await openFeedSource(config, clock, stopping, LIMITS);
  try {
    const known = await readKnown(session, feeds);
    progress.show('asking', 0, feeds.length);
    const now = clock();
    const examinations = await examine(feeds, source, {
      now,
      log,
      stored: known?.rates,
      stopping,
      onExamined: (done) => progress.show('asking', done, feeds.length),
    });
    progress.stop();
    const outage = outageIn(examinations);
    const noAccess = outage && describeOutage({ ...outage, ...(known?.served ?? NOTHING_STORED) }, now);
    const report = {
      asked_at: now.toISOString(),
      has_way_out: outage === undefined,
      sources: examinations.map(sourceOf),
    };
    if (json) await printLines(stdout, [JSON.stringify(report, nullForUndefined, 2)]);
    else if (noAccess !== undefined)
      await printLines(stdout, [`${capitalized(noAccess)}.`, `  ${RESTORE_ACCESS}`]);
    else await print(session, examinations, known?.setAside ?? []);
    const failed = examinations.filter(({ needsHand }) => needsHand).map(({ provider }) => provider);
    if (noAccess !== undefined) throw new CommandFailed(json ? noAccess : '');
    if (failed.length > 0) throw new CommandFailed(`need attention: ${failed.join(', ')}`);
  } finally {
    await source.close();
  }
}

const NOTHING_STORED: ServedRates = { isShippedOnly: false, newest: null };

/**
 * What the database has of the sources: rates of the days that will be requested, and windows set aside. Undefined, with a
 * message, if there is no database to compare with.
 */
async function readKnown(session: Session, feeds: readonly Feed[]) {
  const { config, clock } = session;
  const without = (reason: string) => say(session, `not compared with stored rates: ${reason}`);
  if (config.FEEDS_FROM !== undefined) {
    without('FEEDS_FROM is set, so recordings are read instead of the sources');
    return undefined;
  }
  if (config.DATABASE_URL === undefined && (await clusterVersion(dataFolder(config))) === undefined) {
    without('DATABASE_URL is not set, and DATA_DIR holds no database');
    return undefined;
  }
  try {
    const keys = new Set(feeds.map(({ key }) => key));
    const read = async ({ database }: { database: Database }) => ({
      rates: await storedRates(database, feeds, today(clock)),
      setAside: (await readSetAside(database)).filter(({ provider }) => keys.has(provider)),
      served: await readServedRates(database),
    });
    return await useDatabase(session, read, { prepare: false });
  } catch (error) {
    if (session.stopping.aborted) throw error;
    without(failureLine(error));
    return undefined;
  }
}

async function storedRates(
  database: Database,
  feeds: readonly Feed[],
  day: string,
): Promise<ReadonlyMap<string, StoredRates>> {
  const states = await readPlanningStates(database);
  const stored = new Map<string, StoredRates>();
  await inOneView(database, async (view) => {
    for (const feed of feeds) {
      const rates = new Map<string, number>();
      const from = dayNumber(newestWindow(feed, day).from);
      await eachRate(view, { providers: [feed.key], from }, (at, rate, _, base, quote) =>
        rates.set(pairAndDay({ date: fromDayNumber(at), base, quote }), rate),
      );
      stored.set(feed.key, { newest: states.get(feed.key)?.endDate ?? null, rates });
    }
  });
  return stored;
}

function sourceOf({ provider, diagnosis, needsHand, stored, error: _, ...traffic }: Examination) {
  return {
    key: provider,
    finding: diagnosis?.cause ?? 'ok',
    needs_hand: needsHand,
    likely: diagnosis?.likely,
    remedy: diagnosis?.remedy,
    ...traffic,
    stored_newest: stored?.newest,
    differing: traffic.rows === undefined ? undefined : stored?.differing,
  };
}

function nullForUndefined(_: string, value: unknown): unknown {
  return value ?? null;
}

const TITLES = 'SOURCE FINDING HTTP MS REQUESTS BYTES NEWEST ROWS STORED DIFFERING'.split(' ');

function cellsOf(examination: Examination): (string | number)[] {
  const { key, finding, status, milliseconds, requests, bytes, newest, rows, ...source } =
    sourceOf(examination);
  const stored = examination.stored && (source.stored_newest ?? 'nothing');
  return [
    ...[key, finding.replaceAll('_', ' '), status],
    ...(requests > 0 ? [milliseconds, requests, bytes] : ['', '', '']),
    ...[newest, rows, stored, source.differing],
  ].map((cell) => cell ?? '');
}

async function print(
  { stdout }: Session,
  examinations: readonly Examination[],
  setAside: readonly SetAsideWindow[],
): Promise<void> {
  await printTable(stdout, TITLES, examinations.map(cellsOf));
  for (const { provider, diagnosis, needsHand } of examinations) {
    if (!diagnosis || !needsHand) continue;
    const { likely, remedy } = diagnosis;
    await printLines(stdout, ['', `${provider}: ${line(likely)}`, `  ${line(remedy)}`]);
  }
  if (setAside.length === 0) return;
  await printLines(stdout, ['']);
  await printTable(
    stdout,
    ['SET ASIDE', 'FROM', 'TO', 'SINCE', 'ATTEMPTS', 'REASON'],
    setAside.map(({ provider, from, to, since, attempts, reason }) => [
      ...[provider, from, to, since.toISOString(), attempts],
      line(reason),
    ]),
  );
}

const RESTORE_ACCESS =
  'Check its network, firewall and DNS. If only a proxy leads to the internet, set HTTPS_PROXY. A worker continues by itself.';

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Shortens text to one line, because messages quote responses. */
function line(text: string): string {
  const words = text.replaceAll(/\s+/g, ' ');
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

const LONGEST = 500;
