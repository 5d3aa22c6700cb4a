import { type FeedSource, openFeedSource } from '../ingest/feed-source.js';
import type { Session } from './session.js';

/** Opens the banks, or a folder of recordings, until the command ends. */
export async function useFeeds({ config, clock, stopping, closings }: Session): Promise<FeedSource> {
  const source = await openFeedSource(config, clock, stopping);
  closings.push(() => source.close());
  return source;
}
