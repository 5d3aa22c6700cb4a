import type { Command } from 'commander';
import { readPlanningState } from '../../core/database/providers.js';
import { today } from '../../core/domain/dates.js';
import { renewBlends } from '../blend/reblend.js';
import { loadFeed } from '../feeds/registry.js';
import { ingest } from '../ingest/ingest.js';
import { recentFrom } from '../ingest/windows.js';
import { keyArgument, type WindowOptions, windowOf, withWindow } from './arguments.js';
import { countsText, type Session, sayDone } from './session.js';
import { useDatabase } from './use-database.js';
import { useFeeds } from './use-feeds.js';

export const help = `
Without --from, it requests the days since the last ingest, and earlier days that the bank may have corrected.

Examples:
  npm run --silent cli -- ingest ECB --from 2026-11-02 --to 2026-11-06
  FEEDS_FROM=recordings npm run --silent cli -- ingest ECB`;

export function define(command: Command, session: Session): void {
  command.argument('<key>', "the provider's key", keyArgument);
  withWindow(command, 'what is new, or the days of the recording with FEEDS_FROM').action(
    ingestFeed.bind(null, session),
  );
}

async function ingestFeed(session: Session, key: string, options: WindowOptions): Promise<void> {
  const { clock, log, stopping } = session;
  const feed = await loadFeed(key);
  const source = await useFeeds(session);
  const open = await useDatabase(session);
  // Fail before requesting from the bank what could not be stored.
  await renewBlends(open.database);
  const state = await readPlanningState(open.database, key);
  const newSince = recentFrom(state, today(clock), feed.correctionDays);
  const window = windowOf(options, await source.open(feed), newSince);
  const result = await ingest(feed, window, { ...open, source, log, stopping, reason: 'operator' });
  if (result) sayDone(session, countsText(result, { ...result.rowsDropped, ...result.rowsSkipped }));
}
