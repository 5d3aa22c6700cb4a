import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';
import type { Clock } from '../core/domain/dates.js';
import type { Config } from '../core/process/config.js';
import { busRoutes } from './bus/bus-routes.js';
import type { Cache } from './cache/cache.js';
import type { CatalogueHolder } from './catalogue/holder.js';
import { currenciesRoutes, openCurrencies } from './currencies/routes.js';
import { discoveryRoutes } from './discovery/discovery-routes.js';
import { addressRoutes } from './geocoding/address-routes.js';
import { hangmanRoutes } from './hangman/hangman-routes.js';
import { type Admission, type AdmissionLimits, createAdmission } from './http/admission.js';
import { trustOf } from './http/client-address.js';
import { createDispatcher, type Handler, type MakeContent } from './http/dispatcher.js';
import { openExchanges } from './http/exchange.js';
import type { Mount } from './http/express-adapter.js';
import { openLimits, type RedisLink } from './http/limits.js';
import type { ErrorForms } from './http/reply.js';
import { createResponseCache, type ResponseCache } from './http/response-cache.js';
import type { Route } from './http/route.js';
import { Writer } from './http/writer.js';
import { mcpRoutes } from './mcp/route.js';
import { type DrawPhrase, noRoutes } from './no/no-routes.js';
import { type ApiDocument, createApiDocument } from './openapi/document.js';
import { createAccessLog } from './operations/access-log.js';
import type { Admin } from './operations/admin/create-admin.js';
import { consoleErrorForm, consoleRoutes } from './operations/console/console.js';
import { openFrame } from './operations/console/frame.js';
import { type Following, healthRoutes, openProbes, type Probes, type Servers } from './operations/health.js';
import { type Metrics, openMetrics } from './operations/metrics.js';
import { metricsRoutes } from './operations/metrics-route.js';
import type { ReadActivity } from './pages/activity.js';
import { openPages } from './pages/pages.js';
import { unknownPath } from './parameters/unknown-path.js';
import { openProviderList, providersRoutes } from './providers/routes.js';
import { type FindPublication, publicationRoutes } from './publication/routes.js';
import { clientKeys, dialectErrorForms, dialectRoutes } from './rates/dialects/dialects.js';
import { frankfurterErrorForm, frankfurterRoutes } from './rates/dialects/frankfurter.js';
import type { RefuseRequest } from './rates/engine/ask.js';
import { createRates } from './rates/rates.js';
import { ratesRoutes } from './rates/routes/rates-routes.js';
import { rulesRoute } from './rates/rules/routes.js';
import { sdmxErrorForm } from './rates/sdmx/errors.js';
import { sdmxRoutes } from './rates/sdmx/routes.js';
import type { Snapshot } from './rates/snapshot/snapshot.js';
import type { SnapshotHolder } from './rates/snapshot/snapshot-holder.js';
import { v1ErrorForm } from './rates/v1/replies.js';
import type { UpstreamObserver } from './relay/upstream.js';
import type { DatabaseContext } from './rendering/database-context.js';
import type { RenderThreads } from './rendering/render-threads.js';
import { openRenderer } from './rendering/renderer.js';
import { openTurns } from './rendering/turns.js';
import { revisionsRoutes } from './revisions/routes.js';
import { suspectsRoutes } from './suspects/routes.js';
import { translateRoutes } from './translate/translate-routes.js';
import { weatherRoutes } from './weather/weather-routes.js';

export interface AppDependencies {
  config: Config;
  clock: Clock;
  log: Logger;
  /** For relayed responses. It may lose entries at any time. */
  cache: Cache;
  snapshot: SnapshotHolder;
  catalogue: CatalogueHolder;
  responseCache?: ResponseCache;
  /** By default a registry without metrics of the process. */
  metrics?: Metrics;
  redis?: RedisLink | undefined;
  /** For tests. */
  admissionLimits?: Partial<AdmissionLimits>;
  /** Whether load balancers should stop sending requests, as the process is about to close. */
  isDraining?: () => boolean;
}

export interface App {
  handler: Handler;
  /** Absent unless operators have a port of their own. */
  operators: Handler | undefined;
}

export function openService(given: AppDependencies, store: Store): App {
  const metrics = openMetrics();
  collectDefaultMetrics({ register: metrics.registry });
  return createApp({ ...given, metrics }, store);
}

/** A page may wait for rates that a thread makes, while others are made. */
const PAGES_AT_ONCE = 4;

export function createApp(given: AppDependencies, store: Store): App {
  const { metrics = openMetrics(), responseCache = createResponseCache(), config, clock, log } = given;
  const { admin, threads } = store;
  const cache = metrics.watchCache(given.cache);
  const admission = createAdmission(given.admissionLimits);
  const makeContent = openRenderer({ admission, threads, makerContext: { ...store, clock } });
  const probes = openProbes(store.servers);
  const { routes, notFound, operatorRoutes, pageErrorForms } = routesOf({
    ...{ ...given, ...store, metrics, cache, makeContent, probes },
    upstreamObserver: metrics.upstream,
  });
  const errorForms: ErrorForms = new Map([
    ...dialectErrorForms,
    ['sdmx', sdmxErrorForm],
    ['v1', v1ErrorForm],
    ['frankfurter', frankfurterErrorForm],
    ...pageErrorForms,
  ]);
  const writer = new Writer(log, errorForms, clock);
  const limits = openLimits(config, given.redis);
  const openExchange = openExchanges({
    trust: trustOf(config.TRUST_PROXY),
    onEnd: createAccessLog(log, metrics.countRequest),
  });
  const serve = (served: readonly Route[], mounts: readonly Mount[], admission: Admission): Handler =>
    createDispatcher({
      ...{ openExchange, limits, admission, responseCache, clock, makeContent, writer, clientKeys },
      ...{ routes: served, mounts, unknownPath, notFound },
      snapshot: given.snapshot,
      onCacheHit: metrics.countCacheHit,
    });
  const hasOwnPort = config.ADMIN_PORT !== undefined;
  const mounts = admin?.mounts ?? [];
  return {
    handler: serve(routes, hasOwnPort ? [] : mounts, admission),
    // Requests of clients must not lock operators out.
    operators: hasOwnPort ? serve(operatorRoutes, mounts, createAdmission()) : undefined,
  };
}

interface Composed extends AppDependencies, Store {
  metrics: Metrics;
  upstreamObserver: UpstreamObserver;
  makeContent: MakeContent;
  probes: Probes;
}

function routesOf(dependencies: Composed) {
  const { config, clock, admin, servers } = dependencies;
  const rates = createRates(dependencies);
  const listProviders = openProviderList(dependencies);
  let document: ApiDocument | undefined;
  const describeApi = () => {
    document ??= createApiDocument(routes);
    return document;
  };
  const currencies = openCurrencies(dependencies);
  const takeTurn = openTurns(PAGES_AT_ONCE);
  const pages = openPages({ ...dependencies, rates, currencies, listProviders, takeTurn, describeApi });
  const health = healthRoutes(dependencies);
  const { readSources, reading } = pages;
  const frame = openFrame(config, clock);
  const operations = metricsRoutes({ ...dependencies, ...servers });
  if (admin) {
    const shown = { ...dependencies, ...admin.operators, config, readSources, reading };
    operations.push(...consoleRoutes(shown, frame, admin.routes));
  }
  const routesOfRates = ratesRoutes({ ...dependencies, rates });
  const listed = [...currenciesRoutes(dependencies), ...providersRoutes({ ...dependencies, listProviders })];
  const routes: readonly Route[] = [
    ...health,
    ...routesOfRates,
    rulesRoute(),
    ...sdmxRoutes({ ...dependencies, rates }),
    ...listed,
    ...dialectRoutes({ rates, clock }),
    ...suspectsRoutes(rates),
    ...revisionsRoutes(),
    ...publicationRoutes(dependencies),
    ...weatherRoutes(dependencies),
    ...busRoutes(dependencies),
    ...addressRoutes(dependencies),
    ...translateRoutes(dependencies),
    ...hangmanRoutes(),
    ...noRoutes(dependencies),
    ...frankfurterRoutes([...routesOfRates, ...listed], clock),
    ...mcpRoutes(dependencies, [...routesOfRates, ...listed]),
    ...discoveryRoutes({ describeApi, home: pages.home }),
    ...pages.routes,
    ...(config.ADMIN_PORT === undefined ? operations : []),
  ];
  return {
    routes,
    operatorRoutes: [...health, ...operations, ...pages.assets],
    notFound: pages.notFound,
    pageErrorForms: [...pages.errorForms, ['admin', consoleErrorForm(frame)] as const],
  };
}

export type Program = Pick<AppDependencies, 'config' | 'clock' | 'log'> & { isDraining: () => boolean };

export interface Service extends App {
  close(): Promise<void>;
}

export interface Served {
  service: Service;
  snapshot: { current(): Pick<Snapshot, 'days' | 'loadedFrom'> | undefined; ready(): Promise<void> };
  /** Resolves when rates are available, or must wait. Rejects if they will never be available. */
  ready: Promise<unknown>;
  /** Rejects if the program can't work as configured. */
  startupCheck: Promise<unknown>;
  /** Called once nothing is served any more. */
  close(): Promise<void>;
}

/** Reading data that a publication lacks throws an HttpError 501. */
export interface Store extends DatabaseContext {
  /** Absent if all contents are made in place. */
  threads?: RenderThreads | undefined;
  refuseRequest?: RefuseRequest;
  activity: ReadActivity;
  drawPhrase: DrawPhrase;
  findPublication: FindPublication;
  /** Absent without a publication. */
  following?: () => Following;
  servers: Servers;
  /** Absent without a database. */
  admin?: Admin;
}
