import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { HttpError } from '../http/errors.js';

/** What a process of the API asks the one that runs them, and what it is told. */
type Message = { type: 'metrics wanted'; id: number } | { type: 'metrics'; id: number; text?: string };

/** In each process from its start: the library answers for it when all are asked. */
const aggregator = new AggregatorRegistry();

/** For the process that runs the others: collects the series of all of them whenever one asks for it. */
export function answerForAll(): void {
  cluster.on('message', async (worker, message: Message) => {
    if (message.type !== 'metrics wanted') return;
    const { id } = message;
    // It has a time limit of its own; a process that ends meanwhile lets it fail.
    const text = await aggregator.clusterMetrics().catch(() => undefined);
    if (worker.isConnected()) worker.send({ type: 'metrics', id, ...(text === undefined ? {} : { text }) });
  });
}

/**
 * For one of several processes: gives the series of all of them as text, each added up or, where its `aggregator` says so,
 * the least or the greatest. Throws an HttpError 503 where one of them does not answer.
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
