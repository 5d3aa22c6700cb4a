import { createSemaphore, type Semaphore } from '../../../core/concurrency/semaphore.js';

/** Sends a request to a host once it is that host's turn. */
export type Pace = <T>(host: string, pauseMs: number, send: () => Promise<T>) => Promise<T>;

/** Sends one request to a host at a time, each some milliseconds after the end of the previous one, across all sources. */
export function createPace(wait: (milliseconds: number) => Promise<void>): Pace {
  const hosts = new Map<string, { turns: Semaphore; endedAt: number }>();
  return (name, pauseMs, send) => {
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
