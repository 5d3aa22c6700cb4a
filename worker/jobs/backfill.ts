import type { Database } from '../../core/database/database.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { providers } from '../../core/domain/providers.js';
import { enqueueBackfill } from '../../core/queues/enqueue.js';
import type { IngestQueue } from '../../core/queues/queues.js';
import type { Feed } from '../feeds/feed.js';
import { nextBackfill } from '../ingest/windows.js';

/** The day down to which the provider has been asked without a gap; null before its first answer. */
export async function readBackfilledTo(
  database: Pick<Database, 'pool'>,
  provider: string,
): Promise<CalendarDate | null> {
  const { rows } = await database.pool.query<{ day: string | null }>(
    'select backfilled_to::text as day from providers where key = $1',
    [provider],
  );
  return rows[0]?.day ?? null;
}

/**
 * Asks for the next step back of a provider's history, if there is one. What has been asked is written with the
 * rows it brought, so a backfill goes on from wherever it was cut off.
 */
export async function continueBackfill(
  feed: Pick<Feed, 'key' | 'backfillDays'>,
  deps: { database: Pick<Database, 'pool'>; queue: IngestQueue },
): Promise<void> {
  const provider = providers.find((one) => one.key === feed.key);
  const backfilledTo = await readBackfilledTo(deps.database, feed.key);
  const window = nextBackfill(backfilledTo, provider?.coverage_start ?? null, feed.backfillDays);
  if (window) await enqueueBackfill(deps.queue, feed.key, window);
}
