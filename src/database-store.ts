import type { Logger } from 'pino';
import type { EventLoop } from '../core/concurrency/event-loop.js';
import { eachFigure } from '../core/database/bulk/published-figures.js';
import type { Database } from '../core/database/database.js';
import { newestSignedLog } from '../core/database/publications.js';
import { readRevisions } from '../core/database/revisions.js';
import { readSuspects } from '../core/database/suspects.js';
import { inOneView } from '../core/database/transactions.js';
import type { Clock } from '../core/domain/clock.js';
import type { Config } from '../core/process/config.js';
import type { Cache } from './cache/cache.js';
import type { RedisLink } from './http/redis-link.js';
import { randomPhrase } from './no/random-phrase.js';
import { createAdmin } from './operations/admin/create-admin.js';
import { openProbes } from './operations/probes.js';
import type { QueueAccess } from './operations/queue-access.js';
import { openActivity } from './pages/activity.js';
import { openPastSnapshots } from './rates/history/past-snapshots.js';
import { openVersions } from './rates/history/versions.js';
import { createReceipts } from './rates/receipts/receipts.js';
import type { SnapshotHolder } from './rates/snapshot/snapshot-holder.js';
import { openRawStore } from './rates/sources/raw-store.js';
import { tryRawRows } from './rates/sources/try-raw-rows.js';
import type { Store } from './store.js';

interface Dependencies {
  config: Config;
  clock: Clock;
  log: Logger;
  database: Database;
  cache: Cache;
  snapshot: SnapshotHolder;
  redis?: RedisLink | undefined;
  queues?: QueueAccess | undefined;
  eventLoop: EventLoop;
}

/** A database that says nothing for so long is taken for unreachable. */
const SILENCE_MS = 10_000;

/** All that there is: raw rows, past versions, what operators do. */
export function databaseStore(given: Dependencies): Store {
  const { config, database, snapshot, redis, queues, eventLoop } = given;
  const raw = openRawStore(database, eventLoop);
  // Without a Redis of their own, caches say nothing that is not said of the queues' Redis.
  const cacheRedis = config.REDIS_CACHE_URL === undefined ? undefined : given.cache.redis;
  const servers = { database, redis, cacheRedis, queues };
  return {
    raw,
    versions: openVersions(database),
    pastSnapshots: openPastSnapshots(raw, eventLoop),
    receipts: createReceipts({ raw, database }),
    readFigures: (selection, figure, pause) =>
      inOneView(database, (view) => eachFigure(view, selection, figure, pause), { silenceMs: SILENCE_MS }),
    readRevisions: (filter, limit) => readRevisions(database, filter, limit),
    readSuspects: (filter, limit) => readSuspects(database, filter, limit),
    activity: openActivity(database),
    drawPhrase: () => randomPhrase(database),
    findPublication: () => newestSignedLog(database),
    probes: openProbes({ ...servers, tryRawRows: () => tryRawRows(raw, snapshot, eventLoop) }),
    servers,
    admin: createAdmin(given),
  };
}
