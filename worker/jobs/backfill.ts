import type { Database } from '../../core/database/database.js';
import { readBackfilledTo } from '../../core/database/providers.js';
import { providerOf } from '../../core/domain/providers.js';
import { enqueuePast } from '../../core/queues/enqueue.js';
import type { IngestQueue } from '../../core/queues/queues.js';
import type { Feed } from '../feeds/feed.js';
import { nextBackfill } from '../ingest/windows.js';

/** Adds a job for the next step of a backfill, if there is one. Progress is stored with the rows, so it can resume. */
export async function continueBackfill(
  feed: Pick<Feed, 'key' | 'backfillDays' | 'backfillUntilEmpty'>,
  deps: { database: Database; queue: IngestQueue },
): Promise<void> {
  const backfilledTo = await readBackfilledTo(deps.database, feed.key);
  const window = nextBackfill(
    backfilledTo,
    providerOf(feed.key)?.coverage_start ?? null,
    feed.backfillDays,
    feed.backfillUntilEmpty,
  );
  if (window) await enqueuePast(deps.queue, { provider: feed.key, ...window, reason: 'backfill' });
}
