import { Counter, Gauge, type Registry } from 'prom-client';
import { within } from '../../core/concurrency/within.js';
import { sharedFor } from './shared-for.js';

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
