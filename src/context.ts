import type { Logger } from 'pino';
import type { Database } from '../core/database/database.js';
import type { Clock } from '../core/domain/clock.js';
import type { Config } from '../core/process/config.js';
import type { CatalogueHolder } from './catalogue/holder.js';
import type { ApiDocument } from './http/api-document.js';
import type { HotAnswers } from './http/response-cache.js';
import type { Metrics } from './operations/metrics.js';
import type { QueueAccess } from './operations/queue-access.js';
import type { RedisLink } from './operations/redis-link.js';
import type { SnapshotHolder } from './rates/snapshot/snapshot-holder.js';
import type { UpstreamObserver } from './relay/upstream.js';
import type { Cache } from './shared-cache.js';

/** Everything a capability may need, built once at start and handed to each `…Routes(context)`. */
export interface AppContext {
  config: Config;
  clock: Clock;
  log: Logger;
  database: Database;
  /** Bytes that may be forgotten at any time: answers of relays, bodies that were dear to make. */
  cache: Cache;
  /** The blended rates, in memory. */
  snapshot: SnapshotHolder;
  /** Finished answers with rates, for who answers them in front of the application. */
  hot?: HotAnswers;
  /** What is known of currencies and providers, in memory. */
  catalogue: CatalogueHolder;
  /** Where each capability registers its paths. */
  document: ApiDocument;
  /** Told of every question to an upstream, for metrics. */
  upstreamObserver?: UpstreamObserver;
  /** What is counted; a registry without the process's own figures where none is given. */
  metrics?: Metrics;
  /** For limits that all processes count together; absent where there is no Redis. */
  redis?: RedisLink | undefined;
  /** The way to the jobs; absent in a process that has none. */
  queues?: QueueAccess;
}
