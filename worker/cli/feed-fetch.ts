import type { Command } from 'commander';
import { addDays } from '../../core/domain/dates.js';
import { readValid } from '../feeds/read-valid.js';
import { loadFeed } from '../feeds/registry.js';
import { byDateBaseQuote } from '../feeds/replay.js';
import { caseCounts } from '../feeds/tally.js';
import { keyArgument } from './arguments.js';
import { printLines, rateLines } from './output.js';
import { type Run, type Session, say } from './session.js';
import { useFeed } from './use-feed.js';
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
  const feed = await loadFeed(key);
  await useFeed(session, feed, async (context, access) => {
    const window = windowOf(options, access, addDays(context.today, 1 - RECENT_DAYS));
    const { rows, dropped, skipped, unread, noData } = await readValid(feed, window, context);
    await printLines(session.stdout, rateLines(rows.sort(byDateBaseQuote)));
    for (const [reason, count] of Object.entries({ ...dropped, ...caseCounts(skipped) }))
      say(session, `dropped ${count}: ${reason}`);
    for (const { from, to, reason } of unread) say(session, `set aside ${from} to ${to}: ${reason}`);
    for (const reason of Object.keys(noData)) say(session, `no data: ${reason}`);
  });
}
