import type { Logger } from 'pino';
import type { Database } from '../core/database/database.js';
import type { Clock } from '../core/domain/clock.js';
import type { Config } from '../core/process/config.js';
import { addressRoutes } from './address/index.js';
import { busRoutes } from './bus/index.js';
import type { CatalogueHolder } from './catalogue/holder.js';
import { currenciesRoutes } from './currencies/index.js';
import { discoveryRoutes } from './discovery/index.js';
import { hangmanRoutes } from './hangman/index.js';
import { createDispatcher, type Handler } from './http/dispatcher.js';
import { createRequestLog, openExchanges } from './http/exchange.js';
import { createExpressAdapter } from './http/express-adapter.js';
import { openLimits } from './http/limits.js';
import type { RedisLink } from './http/redis-link.js';
import { createResponseCache, type ResponseCache } from './http/response-cache.js';
import type { Route } from './http/route.js';
import { createWriter } from './http/writer.js';
import { createAdmin } from './operations/admin/index.js';
import { healthRoutes } from './operations/health.js';
import { type Metrics, openMetrics } from './operations/metrics.js';
import { metricsRoutes } from './operations/metrics-route.js';
import { openProbes } from './operations/probes.js';
import type { QueueAccess } from './operations/queue-access.js';
import { providersRoutes } from './providers/index.js';
import { ratesRoutes } from './rates/routes/index.js';
import type { SnapshotHolder } from './rates/snapshot/snapshot-holder.js';
import { refusalRoutes } from './refusal/index.js';
import type { UpstreamObserver } from './relay/upstream.js';
import type { Cache } from './shared-cache.js';
import { suspectsRoutes } from './suspects/index.js';
import { translateRoutes } from './translate/index.js';
import { weatherRoutes } from './weather/index.js';

/** The dependencies of all capabilities. Each capability declares which of them it needs. */
export interface AppDependencies {
  config: Config;
  clock: Clock;
  log: Logger;
  database: Database;
  /**
   * The shared cache, for relayed responses and for bodies that need reads of the database. It may lose entries at any
   * time.
   */
  cache: Cache;
  /** The blended rates, in memory. */
  snapshot: SnapshotHolder;
  /** Currencies and providers, in memory. */
  catalogue: CatalogueHolder;
  responseCache?: ResponseCache;
  /** Told of every request to an upstream, in place of the metrics. */
  upstreamObserver?: UpstreamObserver;
  /** By default a registry without metrics of the process. */
  metrics?: Metrics;
  /** For limits counted by all processes together; absent without Redis. */
  redis?: RedisLink | undefined;
  /** Access to the job queues; absent in a process without them. */
  queues?: QueueAccess | undefined;
}

/** Composes the API: the routes of all capabilities, one dispatcher, one writer. */
export function createApp(given: AppDependencies): Handler {
  const { metrics = openMetrics(), responseCache = createResponseCache(), config, clock, log } = given;
  const probes = openProbes(given);
  const dependencies = {
    ...given,
    metrics,
    probes,
    cache: metrics.watchCache(given.cache),
    upstreamObserver: given.upstreamObserver ?? metrics.upstream,
  };
  const admin = createAdmin(dependencies);
  const routes: readonly Route[] = [
    ...healthRoutes(dependencies),
    ...metricsRoutes(dependencies),
    ...ratesRoutes(dependencies),
    ...currenciesRoutes(dependencies),
    ...providersRoutes(dependencies),
    ...suspectsRoutes(dependencies),
    ...weatherRoutes(dependencies),
    ...busRoutes(dependencies),
    ...addressRoutes(dependencies),
    ...translateRoutes(dependencies),
    ...hangmanRoutes(),
    ...refusalRoutes(dependencies),
    ...discoveryRoutes(() => routes),
    ...admin.routes,
  ];
  const writer = createWriter(log);
  return createDispatcher({
    routes,
    openExchange: openExchanges(createRequestLog(log, metrics.countRequest)),
    limits: openLimits(config, given.redis),
    responseCache,
    snapshot: given.snapshot,
    clock,
    writer,
    onCacheHit: metrics.countCacheHit,
    fallback: createExpressAdapter({
      routes,
      mounts: admin.mounts,
      trustProxy: config.TRUST_PROXY,
      writer,
    }),
  });
}
