import type { Command } from 'commander';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import { addDays, type CalendarDate, later } from '../../core/domain/dates.js';
import { FEWEST_OF_ALL, UNREACHED } from '../../core/domain/internet-access.js';
import { type ProviderStatus, providerStatus } from '../../core/domain/provider-status.js';
import { providerOf } from '../../core/domain/providers.js';
import type { Feed } from '../feeds/feed.js';
import { readRates } from '../feeds/read.js';
import { loadFeed, loadFeeds } from '../feeds/registry.js';
import { CredentialsMissing, type FeedSource, readContextOf } from '../ingest/feed-source.js';
import { newestWindow } from '../ingest/windows.js';
import { keyArgument } from './arguments.js';
import { CommandFailed, failureLine, printTable, type Session } from './session.js';
import { useFeeds } from './use-feeds.js';

const AT_ONCE = 8;
const IS_UNREACHED = new RegExp(UNREACHED);

export const help = `
Requests the newest days of each source, and stores nothing. Prints a table of what each source gave, or why it failed.
Exit code 1 means that a source is failing or late, or that none can be reached; one whose key is not set counts as fine.`;

export function define(command: Command, session: Session): void {
  command
    .argument('[keys...]', "providers' keys (default: all)", (text: string, keys: readonly string[] = []) => [
      ...keys,
      keyArgument(text),
    ])
    .action(examineSources.bind(null, session));
}

async function examineSources(session: Session, keys: readonly string[]): Promise<void> {
  const { progress, stopping, stdout } = session;
  const feeds = keys.length > 0 ? await Promise.all(keys.map(loadFeed)) : [...(await loadFeeds()).values()];
  const source = await useFeeds(session);
  const turns = createSemaphore({ permits: AT_ONCE });
  let done = 0;
  const examineInTurn = (feed: Feed) =>
    turns.run(async () => {
      stopping.throwIfAborted();
      const finding = await examine(session, feed, source);
      progress.show('asking', ++done, feeds.length);
      return finding;
    });
  const findings = await Promise.all(feeds.map(examineInTurn));
  stopping.throwIfAborted();
  progress.stop();
  checkAccess(findings);
  const rows = findings.map(({ key, status, newest = '', rates = '', reason = '' }) => {
    return [key, status.replaceAll('_', ' '), newest, rates, reason];
  });
  await printTable(stdout, ['SOURCE', 'STATUS', 'NEWEST', 'RATES', 'REASON'], rows);
  const failed = findings.filter(({ status }) => status === 'failing' || status === 'late');
  if (failed.length > 0)
    throw new CommandFailed(`need attention: ${failed.map(({ key }) => key).join(', ')}`);
}

interface Finding {
  key: string;
  status: ProviderStatus;
  newest?: CalendarDate | undefined;
  /** The number of rates that would be stored. */
  rates?: number;
  /** Why it failed, or why a document of it can't be read. */
  reason?: string | undefined;
}

/** Throws a CommandFailed if no source could be reached, in place of one error for each. */
function checkAccess(findings: readonly Finding[]): void {
  const asked = findings.filter(({ status }) => status !== 'needs_key');
  if (asked.length < FEWEST_OF_ALL) return;
  if (asked.every(({ reason = '' }) => IS_UNREACHED.test(reason)))
    throw new CommandFailed(`no internet access: ${asked.length} sources could not be reached`);
}

async function examine({ clock, log }: Session, feed: Feed, source: FeedSource): Promise<Finding> {
  const { key } = feed;
  const provider = providerOf(key);
  try {
    const access = await source.open(feed);
    const context = readContextOf(access, log.child({ provider: key }));
    const window = access.recorded ?? newestWindow(feed, access.today);
    const { rows, unread } = await readRates(feed, window, context);
    const newest = rows.reduce<CalendarDate | undefined>((day = '', { date }) => later(day, date), undefined);
    const [odd] = unread;
    const reason = odd && `${unread.length} documents can't be read, such as of ${odd.from}: ${odd.reason}`;
    const state = { endDate: newest ?? addDays(window.from, -1), lastError: reason ?? null };
    const status = provider ? providerStatus(provider, state, clock()) : 'pending';
    return { key, status, newest, rates: rows.length, reason };
  } catch (error) {
    const status = error instanceof CredentialsMissing ? 'needs_key' : 'failing';
    return { key, status, reason: failureLine(error) };
  }
}
