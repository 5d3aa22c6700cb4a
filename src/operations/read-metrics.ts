import { Counter, Gauge, type Registry } from 'prom-client';
import { createSingleFlight } from '../../core/concurrency/single-flight.js';
import { within } from '../../core/concurrency/within.js';

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
  const known = atIntervals(read);
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

/** Undefined if it can't be read in time. Then the next call tries again. */
function atIntervals<Value>(read: () => Promise<Value>): () => Promise<Value | undefined> {
  const singleFlight = createSingleFlight<Value | undefined>();
  let last: { at: number; value: Value } | undefined;
  const readOnce = async () => {
    try {
      last = { value: await read(), at: performance.now() };
      return last.value;
    } catch {
      // Not logged here: the code that uses the server logs its connection errors.
      return undefined;
    }
  };
  return async () =>
    last && performance.now() - last.at < KEPT_MS
      ? last.value
      : within(LIMIT_MS, singleFlight('read', readOnce), undefined);
}
