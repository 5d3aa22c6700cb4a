import type { Command } from 'commander';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import { readPlanningStates } from '../../core/database/providers.js';
import { today } from '../../core/domain/clock.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { renewBlends } from '../blend/reblend.js';
import type { Feed } from '../feeds/feed.js';
import type { ReadRequest } from '../feeds/read.js';
import { loadFeed, loadFeeds } from '../feeds/registry.js';
import { CredentialsMissing, openFeedSource } from '../ingest/feed-source.js';
import { type IngestDeps, type IngestResult, ingest } from '../ingest/ingest.js';
import { storeAlone } from '../ingest/store.js';
import { NOT_BEGUN, recentFrom } from '../ingest/windows.js';
import { keyArgument } from './arguments.js';
import { CommandFailed, failureLine } from './failure.js';
import { printTable } from './output.js';
import type { Run, Session } from './session.js';
import { useDatabase } from './use-database.js';
import { type WindowOptions, windowOf, withWindow } from './window-options.js';

const AT_ONCE = 8;

interface IngestOptions extends WindowOptions {
  all?: true;
}

export const HELP = `
Prints a table of the results. --all skips providers whose key is not configured. Without --from, it requests the days since the
last ingest, and earlier days that the bank may have corrected.

Examples:
  npm run --silent cli -- ingest ECB --from 2026-11-02 --to 2026-11-06
  npm run --silent cli -- ingest --all
  FEEDS_FROM=recordings npm run --silent cli -- ingest ECB`;

export function define(command: Command, run: Run): void {
  command.argument('[key]', "the provider's key", keyArgument).option('--all', 'every provider');
  withWindow(command, 'what is new, or the days of the recording with FEEDS_FROM').action(
    (key: string | undefined, options: IngestOptions) => {
      if ((key === undefined) !== (options.all === true)) {
        command.error("error: give either a provider's key or --all");
      }
      return run((session) => ingestFeeds(session, key, options));
    },
  );
}

/** What came of one provider, as a line of the table. */
type Outcome = ReturnType<typeof outcomeOf>;

async function ingestFeeds(session: Session, key: string | undefined, options: IngestOptions): Promise<void> {
  const feeds = key === undefined ? [...(await loadFeeds()).values()] : [await loadFeed(key)];
  const source = await openFeedSource(session.config, session.clock, session.stopping);
  const outcomes: Outcome[] = [];
  const note = (outcome: Outcome) => {
    outcomes.push(outcome);
    session.progress.show('ingesting', outcomes.length, feeds.length);
  };
  try {
    await useDatabase(session, async (open) => {
      // Fail before requesting from the banks what could not be stored.
      await renewBlends(open.database);
      const { clock, log, stopping } = session;
      const store = storeAlone(open.database);
      const deps = { ...open, source, store, log, stopping, reason: 'operator' } as const;
      const turns = createSemaphore({ permits: AT_ONCE });
      const readInTurn = ({ feed, window }: Planned) =>
        turns.run(async () => {
          if (!stopping.aborted) note(await ingestFeed(feed, window, deps, key === undefined));
        });
      const planned = await planEach(feeds, options, { ...deps, today: today(clock) }, note);
      await Promise.all(planned.map(readInTurn));
    });
  } finally {
    session.progress.stop();
    await source.close();
    outcomes.sort((one, other) => (one.provider < other.provider ? -1 : 1));
    if (outcomes.length > 0)
      await printTable(
        session.stdout,
        ['PROVIDER', 'NEW', 'CORRECTED', 'UNCHANGED', 'DROPPED', 'OUTCOME'],
        outcomes.map(({ provider, cells }) => [provider, ...cells]),
      );
  }
  const failed = outcomes.filter((outcome) => outcome.failed).map(({ provider }) => provider);
  if (failed.length > 0) throw new CommandFailed(`failed: ${failed.join(', ')}`);
}

interface Planned {
  feed: Feed;
  window: ReadRequest;
}

/** Long histories come first, because blending is cheap while little is stored. */
async function planEach(
  feeds: readonly Feed[],
  options: WindowOptions,
  { database, source, today }: Pick<IngestDeps, 'database' | 'source'> & { today: CalendarDate },
  note: (outcome: Outcome) => void,
): Promise<Planned[]> {
  const states = await readPlanningStates(database);
  const planned: Planned[] = [];
  for (const feed of feeds) {
    try {
      const newSince = recentFrom(states.get(feed.key) ?? NOT_BEGUN, today, feed.correctionDays);
      planned.push({ feed, window: windowOf(options, await source.open(feed), newSince) });
    } catch (error) {
      note(outcomeOf(feed.key, failureLine(error), true));
    }
  }
  return planned.sort((one, other) => (one.window.from < other.window.from ? -1 : 1));
}

/** If every provider is read, those without their key are skipped. */
async function ingestFeed(feed: Feed, window: ReadRequest, deps: IngestDeps, all: boolean): Promise<Outcome> {
  const { key: provider } = feed;
  try {
    return outcomeOf(provider, 'ok', false, await ingest(feed, window, deps));
  } catch (error) {
    if (deps.stopping?.aborted) return outcomeOf(provider, 'stopped', true);
    deps.log.debug({ err: error, provider }, 'ingest failed');
    return outcomeOf(provider, failureLine(error), !(all && error instanceof CredentialsMissing));
  }
}

function outcomeOf(provider: string, outcome: string, failed: boolean, result?: IngestResult) {
  const {
    rowsNew = 0,
    rowsCorrected = 0,
    rowsUnchanged = 0,
    rowsDropped = {},
    rowsSkipped = {},
  } = result ?? {};
  const lost = [...Object.values(rowsDropped), ...Object.values(rowsSkipped)];
  const dropped = lost.reduce((sum, count) => sum + count, 0);
  return { provider, cells: [rowsNew, rowsCorrected, rowsUnchanged, dropped, outcome], failed };
}
