import type { Command } from 'commander';
import { addDays } from '../../core/domain/dates.js';
import { needsKeyError } from '../../core/domain/provider-status.js';
import { readRates } from '../feeds/read.js';
import { loadFeed } from '../feeds/registry.js';
import { byDateBaseQuote } from '../feeds/replay.js';
import { caseCounts } from '../feeds/tally.js';
import { validate } from '../feeds/validate.js';
import { openFeedSource } from '../ingest/feed-source.js';
import { keyArgument } from './arguments.js';
import { CommandFailed } from './failure.js';
import { printLines, rateLines } from './output.js';
import { type Run, type Session, say } from './session.js';
import { type WindowOptions, windowOf, withWindow } from './window-options.js';

const RECENT_DAYS = 14;

export function addFeedFetch(feed: Command, run: Run): void {
  const command = feed
    .command('fetch')
    .description('read a bank and print what would be stored, one JSON array a line; stores nothing')
    .argument('<key>', "the provider's key", keyArgument)
    .addHelpText(
      'after',
      '\nExample:\n  npm run --silent cli -- feed fetch ECB --from 2026-11-02 --to 2026-11-06',
    );
  withWindow(command, `${RECENT_DAYS} days back, or the days of the recording with FEEDS_FROM`).action(
    (key: string, options: WindowOptions) => run((session) => fetchFeed(session, key, options)),
  );
}

async function fetchFeed(session: Session, key: string, options: WindowOptions): Promise<void> {
  const { config, clock, log, stopping } = session;
  const feed = await loadFeed(key);
  const source = await openFeedSource(config, clock, stopping);
  try {
    const access = await source.open(feed);
    const { credentials, http, today, recorded } = access;
    if (credentials.status === 'missing') throw new CommandFailed(needsKeyError(credentials.names));
    const window = windowOf(options, access, addDays(today, 1 - RECENT_DAYS));
    const read = await readRates(feed, window, {
      http,
      today,
      credentials: credentials.values,
      log,
      recorded: recorded !== undefined,
    });
    const { rows, dropped } = validate(read.rows, { today, provider: feed.key });
    await printLines(session.stdout, rateLines(rows.sort(byDateBaseQuote)));
    for (const [reason, count] of Object.entries({ ...dropped, ...caseCounts(read.skipped) }))
      say(session, `dropped ${count}: ${reason}`);
    for (const { from, to, reason } of read.unread) say(session, `set aside ${from} to ${to}: ${reason}`);
    for (const reason of Object.keys(read.noData)) say(session, `no data: ${reason}`);
  } finally {
    await source.close();
  }
}
