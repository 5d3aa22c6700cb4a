import { type Command, Option } from 'commander';
import { readPlanningStates } from '../../core/database/providers.js';
import { toCalendarDate } from '../../core/domain/dates.js';
import { renewBlends } from '../blend/reblend.js';
import type { Feed } from '../feeds/feed.js';
import { loadFeed, loadFeeds } from '../feeds/registry.js';
import { type FeedSource, openFeedSource } from '../ingest/feed-source.js';
import { groupCommit, type Store } from '../ingest/group-commit.js';
import { CredentialsMissing, type IngestResult, type IngestWindow, ingest } from '../ingest/ingest.js';
import { NOT_BEGUN, recentFrom } from '../ingest/windows.js';
import { keyArgument } from './arguments.js';
import { CommandFailed, failureLine } from './failure.js';
import { printTable } from './output.js';
import { openProgress } from './progress.js';
import type { Run, Session } from './session.js';
import { type OpenDatabase, useDatabase } from './use-database.js';
import { type WindowOptions, windowOf, withWindow } from './window-options.js';

/** The number of banks to read concurrently. */
const AT_ONCE = 8;

interface IngestOptions extends WindowOptions {
  all?: true;
}

const EXAMPLES = `
Prints a table: what each provider gave and what came of it. Providers for which a key is not configured are left
out by --all. Without --from, what is new since the last time is asked for, and the days that may have been corrected.

Examples:
  npm run --silent cli -- ingest ECB --from 2026-11-02 --to 2026-11-06
  npm run --silent cli -- ingest --all
  FEEDS_FROM=../shared/feeds npm run --silent cli -- ingest --all`;

export function addIngest(program: Command, run: Run): void {
  const command = program
    .command('ingest')
    .description('read one bank or all of them now, store their rates and blend them')
    .argument('[key]', "the provider's key", keyArgument)
    .addOption(new Option('--all', 'every provider'))
    .addHelpText('after', EXAMPLES);
  withWindow(command, 'what is new, or the days of the recording with FEEDS_FROM').action(
    (key: string | undefined, options: IngestOptions) => {
      if ((key === undefined) !== (options.all === true)) {
        command.error("error: give either a provider's key or --all");
      }
      return run((session) => ingestFeeds(session, key, options));
    },
  );
}

/** The result for one provider: its counts, or why there are none. */
interface Outcome {
  provider: string;
  result?: IngestResult | undefined;
  error?: string;
  failed: boolean;
}

async function ingestFeeds(session: Session, key: string | undefined, options: IngestOptions): Promise<void> {
  const feeds = key === undefined ? [...(await loadFeeds()).values()] : [await loadFeed(key)];
  const source = await openFeedSource(session.config, session.clock, session.stopping);
  const outcomes: Outcome[] = [];
  const progress = openProgress(session);
  try {
    await useDatabase(session, async (open) => {
      const store = groupCommit(open.database);
      const deps = { session, source, open, store, all: key === undefined };
      const tell = (outcome: Outcome) => {
        outcomes.push(outcome);
        progress.show('ingesting', outcomes.length, feeds.length);
      };
      // Fail before requesting from the banks what could not be stored.
      await renewBlends(open.database);
      const planned = await planEach(feeds, options, deps, tell);
      const waiting = planned.values();
      const worker = async () => {
        for (const { feed, window } of waiting) {
          if (session.stopping.aborted) return;
          tell(await ingestFeed(feed, window, deps));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    });
  } finally {
    progress.stop();
    await source.close();
    if (outcomes.length > 0) await printTable(session.stdout, TITLES, rowsOf(outcomes));
  }
  const failed = outcomes.filter((outcome) => outcome.failed).map(({ provider }) => provider);
  if (failed.length > 0) throw new CommandFailed(`failed: ${failed.sort().join(', ')}`);
}

interface Deps {
  session: Session;
  source: FeedSource;
  open: OpenDatabase;
  store: Store;
  /** Whether every provider is read. Providers without their key are then skipped. */
  all: boolean;
}

interface Planned {
  feed: Feed;
  window: IngestWindow;
}

/** Which days to request for each feed. Long histories come first, because blending is cheap while little is stored. */
async function planEach(
  feeds: readonly Feed[],
  options: WindowOptions,
  { session, source, open }: Deps,
  tell: (outcome: Outcome) => void,
): Promise<Planned[]> {
  const states = await readPlanningStates(open.database);
  const today = toCalendarDate(session.clock());
  const planned: Planned[] = [];
  for (const feed of feeds) {
    try {
      const newSince = recentFrom(states.get(feed.key) ?? NOT_BEGUN, today, feed.correctionDays);
      planned.push({ feed, window: windowOf(options, await source.open(feed), newSince) });
    } catch (error) {
      tell({ provider: feed.key, error: failureLine(error), failed: true });
    }
  }
  return planned.sort((one, other) => (one.window.from < other.window.from ? -1 : 1));
}

async function ingestFeed(feed: Feed, window: IngestWindow, deps: Deps): Promise<Outcome> {
  const { session, source, open, store, all } = deps;
  const { database, announcements } = open;
  const { log, stopping } = session;
  const provider = feed.key;
  try {
    const result = await ingest(feed, window, {
      database,
      announcements,
      source,
      store,
      log,
      stopping,
      reason: 'operator',
    });
    return { provider, result, failed: false };
  } catch (error) {
    if (stopping.aborted) return { provider, error: 'stopped', failed: true };
    log.debug({ err: error, provider }, 'ingest failed');
    return {
      provider,
      error: failureLine(error),
      failed: !(all && error instanceof CredentialsMissing),
    };
  }
}

const TITLES = ['PROVIDER', 'NEW', 'CORRECTED', 'UNCHANGED', 'DROPPED', 'OUTCOME'];

function rowsOf(outcomes: readonly Outcome[]): (string | number)[][] {
  return [...outcomes]
    .sort((one, other) => (one.provider < other.provider ? -1 : 1))
    .map(({ provider, result, error }) => [
      provider,
      result?.rowsNew ?? 0,
      result?.rowsCorrected ?? 0,
      result?.rowsUnchanged ?? 0,
      Object.values(result?.rowsDropped ?? {}).reduce((sum, count) => sum + count, 0),
      error ?? 'ok',
    ]);
}
