import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { HttpError } from '../http/errors.js';

/** A request of a process of the API to the primary process, and its response. */
type Message = { type: 'metrics wanted'; id: number } | { type: 'metrics'; id: number; text?: string };

/** Created in each process at its start: by it the library responds when the primary collects series. */
const aggregator = new AggregatorRegistry();

/** For the primary process: collects the series of all processes whenever one asks for them. */
export function answerForAll(): void {
  cluster.on('message', async (worker, message: Message) => {
    if (message.type !== 'metrics wanted') return;
    const { id } = message;
    // It has its own time limit, and fails if a process ends meanwhile.
    const text = await aggregator.clusterMetrics().catch(() => undefined);
    if (worker.isConnected()) worker.send({ type: 'metrics', id, ...(text === undefined ? {} : { text }) });
  });
}

/**
 * For one of several processes: gives the series of all of them as text, added up or as the `aggregator` of each says.
 * Throws an HttpError 503 if one of them does not respond.
 */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries(registry);
  const waiting = new Map<number, (text: string | undefined) => void>();
  let last = 0;
  process.on('message', (message: Message) => {
    if (message.type !== 'metrics') return;
    waiting.get(message.id)?.(message.text);
    waiting.delete(message.id);
  });
  return async () => {
    const id = ++last;
    const text = await new Promise<string | undefined>((resolve) => {
      waiting.set(id, resolve);
      process.send?.({ type: 'metrics wanted', id } satisfies Message);
    });
    if (text !== undefined) return text;
    throw new HttpError(503, 'a process does not answer', { headers: { 'retry-after': '5' } });
  };
}
