import { needsKeyError } from '../../core/domain/provider-status.js';
import type { Feed } from '../feeds/feed.js';
import type { ReadContext } from '../feeds/read.js';
import { type FeedAccess, openFeedSource } from '../ingest/feed-source.js';
import { CommandFailed } from './failure.js';
import type { Session } from './session.js';

/**
 * Opens the source of the feed's responses, and closes it after the work. Throws CommandFailed if a required key is not set.
 */
export async function useFeed(
  { config, clock, log, stopping }: Session,
  feed: Feed,
  work: (context: ReadContext, access: FeedAccess) => Promise<void>,
): Promise<void> {
  const source = await openFeedSource(config, clock, stopping);
  try {
    const access = await source.open(feed);
    const { credentials, http, today, recorded } = access;
    if (credentials.status === 'missing') throw new CommandFailed(needsKeyError(credentials.names));
    const context = { http, today, credentials: credentials.values, log, recorded: recorded !== undefined };
    await work(context, access);
  } finally {
    await source.close();
  }
}
