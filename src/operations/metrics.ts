import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { within } from '../../core/concurrency/within.js';
import type { Cache } from '../cache/cache.js';
import type { UpstreamObserver } from '../relay/upstream.js';
import type { CountRequest } from './access-log.js';
import { sharedFor } from './shared-for.js';

export type Metrics = ReturnType<typeof openMetrics>;

const REQUEST_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const UPSTREAM_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);
const CIRCUIT_STATES = ['closed', 'half-open', 'open'] as const;

/** What is counted while the process runs. All other metrics are read for a scrape. */
export function openMetrics() {
  const registry = new Registry();
  const cached = 'Requests whose reply came from the response cache.';
  const registers = [registry];
  const hits = new Counter({ name: 'almanac_response_cache_hits_total', help: cached, registers });
  const shared = 'Reads of the shared cache, in Redis if configured.';
  const labelNames = ['result'];
  const reads = new Counter({ name: 'almanac_cache_reads_total', help: shared, labelNames, registers });
  return {
    registry,
    countRequest: requestCounter(registry),
    countCacheHit: () => hits.inc(),
    upstream: upstreamObserver(registry),
    watchCache: (cache: Cache): Cache => ({
      ...cache,
      async get(key) {
        const found = await cache.get(key);
        reads.inc({ result: found ? 'hit' : 'miss' });
        return found;
      },
    }),
  };
}

function requestCounter(registry: Registry): CountRequest {
  const seconds = new Histogram({
    name: 'almanac_http_request_duration_seconds',
    help: 'Time from the arrival of a request until its response was handed to the system, by route template.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_SECONDS,
    registers: [registry],
  });
  // A look-up by labels in prom-client takes longer than counting. The labels are limited.
  const series = new Map<string, ReturnType<typeof seconds.labels>>();
  return (method, route, status, duration) => {
    const known = METHODS.has(method) ? method : 'other';
    const key = `${known} ${status} ${route}`;
    const found = series.get(key) ?? seconds.labels(known, route, String(status));
    series.set(key, found);
    found.observe(duration);
  };
}

function upstreamObserver(registry: Registry): UpstreamObserver {
  const seconds = new Histogram({
    name: 'almanac_upstream_duration_seconds',
    help: 'Duration of a request to an upstream, retries included, by outcome.',
    labelNames: ['upstream', 'outcome'] as const,
    buckets: UPSTREAM_SECONDS,
    registers: [registry],
  });
  const circuits = new Map<string, string>();
  const metric = readMetrics(registry, async () => circuits);
  const inState = '1 for the state that the circuit breaker of an upstream is in.';
  const statesOf = ([upstream, current]: [string, string]) =>
    CIRCUIT_STATES.map((state): Sample => [{ upstream, state }, Number(state === current)]);
  metric('almanac_upstream_circuit', inState, (known) => [...known].flatMap(statesOf), 'upstream', 'state');
  return {
    circuit: (upstream, state) => void circuits.set(upstream, state),
    requested(upstream, outcome, milliseconds) {
      if (!circuits.has(upstream)) circuits.set(upstream, 'closed');
      seconds.observe({ upstream, outcome }, milliseconds / 1000);
    },
  };
}

/** The labels and the value of a series. Without a value, there is no such series. */
export type Sample = readonly [Record<string, string>, number | null | undefined];

const LIMIT_MS = 1_500;
/** Values are read at most this often, however many scrapers there are. */
const KEPT_MS = 5_000;

/**
 * Metrics that are read for a scrape, all by one reading. Each reading replaces the samples of the one before. There are none if
 * it fails or takes too long, as no values are better than old ones.
 */
export function readMetrics<Value>(registry: Registry, read: () => Promise<Value>) {
  const shared = sharedFor(KEPT_MS, read);
  // A failure is not logged here: the code that uses the server logs its connection errors.
  const known = () => within(LIMIT_MS, shared(), undefined).catch(() => undefined);
  const show = async (metric: Gauge | Counter, samplesOf: (value: Value) => readonly Sample[]) => {
    const value = await known();
    metric.reset();
    // Without labels, it would begin with a zero.
    metric.remove({});
    for (const [labels, number] of value === undefined ? [] : samplesOf(value)) {
      if (number === null || number === undefined) continue;
      if (metric instanceof Counter) metric.inc(labels, number);
      else metric.set(labels, number);
    }
  };
  /** A counter if the name ends as those do. */
  return (
    name: string,
    help: string,
    samplesOf: (value: Value) => readonly Sample[],
    ...labelNames: string[]
  ): void => {
    const collect = (): Promise<void> => show(metric, samplesOf);
    const options = { name, help, labelNames, registers: [registry], collect };
    const metric: Gauge | Counter = name.endsWith('_total') ? new Counter(options) : new Gauge(options);
  };
}
