import { createSemaphore, type Semaphore } from '../../../core/concurrency/semaphore.js';

/** Sends one request to a host at a time, each some milliseconds after the end of the previous one, across all sources. */
export function createPace(wait: (milliseconds: number) => Promise<void>) {
  const hosts = new Map<string, { turns: Semaphore; endedAt: number }>();
  return <T>(name: string, pauseMs: number, send: () => Promise<T>): Promise<T> => {
    const host = hosts.get(name) ?? {
      turns: createSemaphore({ permits: 1 }),
      endedAt: Number.NEGATIVE_INFINITY,
    };
    hosts.set(name, host);
    return host.turns.run(async () => {
      const left = host.endedAt + pauseMs - performance.now();
      if (left > 0) await wait(left);
      try {
        return await send();
      } finally {
        host.endedAt = performance.now();
      }
    });
  };
}
