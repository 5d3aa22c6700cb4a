import * as z from 'zod';
import { within } from '../../core/concurrency/within.js';
import type { Database } from '../../core/database/database.js';
import { ping } from '../../core/database/statistics.js';
import type { Clock } from '../../core/domain/dates.js';
import { describeOutage, outageAt, type UnreachedSources } from '../../core/domain/internet-access.js';
import { type Refusal, refusalOf } from '../../core/process/connection-errors.js';
import type { RedisConnection } from '../../core/queues/redis.js';
import { uncachedJson } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import { exampleOf, jsonResponse } from '../openapi/responses.js';
import type { QueueAccess } from './queue-access.js';
import { sharedFor } from './shared-for.js';

const reach = z.enum(['up', 'down', 'full', 'refuses_writes', 'unused'] satisfies Reachability[]);
const followed = z
  .object({
    version: z.int().nullable().meta({ description: 'The data version in use; null before the first' }),
    expires: z.iso.datetime().nullable().meta({ description: 'When its signature expires' }),
    fault: z.string().nullable().meta({
      description:
        'Why no newer publication can be read, or that this one has expired; null if there is no fault',
    }),
  })
  .meta({ description: 'Only if the rates come from a publication' });
const live = z.object({ status: z.literal('up') });
const ready = z.object({
  status: z.enum(['ready', 'degraded', 'loading', 'down', 'draining']).meta({
    description:
      "degraded: rates are served from memory, but a server is unavailable or the publication can't be followed; loading: the first rates are being loaded; down: there are no rates, and the database is unreachable or the publication can't be followed; draining: the process is about to stop",
  }),
  snapshot: z.enum(['up', 'stale', 'down']).meta({
    description: 'stale: the rates come from the local copy of an earlier start',
  }),
  database: reach,
  raw_rows: reach.meta({
    description: "down: rates of single providers, and the sources of a blend, can't be read at present",
  }),
  redis: reach.meta({
    description:
      'down: unreachable; full: out of memory; refuses_writes: a replica, or unable to save; unused: not configured',
  }),
  queue: reach.meta({ description: 'As for redis. Jobs can be added only while it is up' }),
  publication: followed.optional(),
  outage: z.string().optional().meta({
    description:
      'Only if no source can be read because there is no internet access. It does not affect the status',
  }),
});

export type Following = z.output<typeof followed>;

interface HealthDependencies {
  snapshot: { current(): unknown; isStale(): boolean };
  catalogue: { current(): { unreached: UnreachedSources | null } | undefined };
  clock: Clock;
  probes: Probes;
  isDraining?: () => boolean;
  following?: (() => Following) | undefined;
}

export function healthRoutes(dependencies: HealthDependencies): Route[] {
  const notServed = 'Rates are not served yet, or the process is about to stop';
  return [
    defineRoute({
      path: '/health/live',
      isEssential: true,
      description: {
        summary: 'Liveness: the process responds',
        tags: ['Health and metrics'],
        responses: { 200: jsonResponse('The process responds', live) },
      },
      handle: () => uncachedJson({ status: 'up' }),
    }),
    defineRoute({
      path: '/health/ready',
      isEssential: true,
      description: {
        summary: 'Readiness: rates are served',
        tags: ['Health and metrics'],
        responses: {
          200: jsonResponse('Rates are served', ready),
          503: jsonResponse(notServed, ready, { ...exampleOf(ready), status: 'down', database: 'down' }),
        },
      },
      async handle() {
        const body = await readiness(dependencies);
        return uncachedJson(body, body.status === 'ready' || body.status === 'degraded' ? 200 : 503);
      },
    }),
  ];
}

async function readiness(dependencies: HealthDependencies): Promise<z.infer<typeof ready>> {
  const { snapshot, catalogue, probes, isDraining, following, clock } = dependencies;
  const isLoaded = snapshot.current() !== undefined && catalogue.current() !== undefined;
  const [database, raw_rows, redis, queue] = await Promise.all([
    probes.database(),
    probes.rawRows(),
    probes.redis(),
    probes.queue(),
  ]);
  const servers = { database, raw_rows, redis, queue };
  const isStale = snapshot.isStale();
  const isUsable = (state: Reachability) => state === 'up' || state === 'unused';
  const publication = following?.();
  const now = clock();
  const outage = outageAt(catalogue.current()?.unreached ?? null, now);
  const hasFault = (publication?.fault ?? null) !== null;
  const isDegraded = isStale || hasFault || !Object.values(servers).every(isUsable);
  const isReachable = database === 'up' || (database === 'unused' && !hasFault);
  const loaded = isDegraded ? 'degraded' : 'ready';
  const unloaded = isReachable ? 'loading' : 'down';
  return {
    status: isDraining?.() ? 'draining' : isLoaded ? loaded : unloaded,
    snapshot: isLoaded ? (isStale ? 'stale' : 'up') : 'down',
    ...servers,
    ...(publication && { publication }),
    ...(outage && { outage: describeOutage(outage, now) }),
  };
}

/** Whether a server responds and accepts writes. `unused`: this process is configured without it. */
export type Reachability = 'up' | 'down' | Refusal | 'unused';

export type Probes = ReturnType<typeof openProbes>;

/** A server is absent in a process without it. */
export interface Servers {
  database?: Database | undefined;
  redis?: RedisConnection | undefined;
  queues?: QueueAccess | undefined;
  /** Throws if rates of single providers can't be read. */
  tryRawRows?: () => Promise<void>;
}

const LIMIT_MS = 1_000;
const SHARED_MS = 1_000;
const WRITTEN_SECONDS = 10;

/** Each probe settles within a second. Calls within a second share one. */
export function openProbes({ database, redis, queues, tryRawRows }: Servers) {
  return {
    database: database ? probe(() => ping(database, LIMIT_MS)) : unused,
    rawRows: tryRawRows ? probe(tryRawRows) : unused,
    redis: redis ? probe(() => tryWrite(redis)) : unused,
    queue: queues ? probe(async () => (await queues.get()).tryWrite()) : unused,
  };
}

/** Throws if Redis is full, a replica, or unable to store. It still responds in these cases. */
async function tryWrite({ client, watch }: RedisConnection): Promise<void> {
  try {
    await client.set('tried', '1', 'EX', WRITTEN_SECONDS);
    watch.recovered();
  } catch (error) {
    watch.failed(error);
    throw error;
  }
}

const unused = async (): Promise<Reachability> => 'unused';

function probe(request: () => Promise<unknown>): () => Promise<Reachability> {
  const outcome = () =>
    request().then(
      (): Reachability => 'up',
      // The error is not logged here: the code that uses the server logs it.
      (error): Reachability => refusalOf(error) ?? 'down',
    );
  return sharedFor(SHARED_MS, () => within(LIMIT_MS, outcome(), 'down'));
}
