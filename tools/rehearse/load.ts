import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A steady load of requests. */
export interface Load {
  /** Counts since the previous call. */
  lap(): LoadCounts;
  /** Sends no more, and waits for the requests in flight. */
  stop(): Promise<void>;
}

interface LoadCounts {
  sent: number;
  failed: number;
  /** Milliseconds of the slowest response. */
  slowest: number;
}

export interface LoadOptions {
  url: string;
  /** The paths, requested in rotation. */
  paths: readonly string[];
  perSecond: number;
  /** Called with the path and the reason of every failed request. */
  onFailure(what: string): void;
}

const LIMIT_MS = 10_000;

const NOTHING: LoadCounts = { sent: 0, failed: 0, slowest: 0 };

/** Starts the load. A request fails unless a complete response with status 200 and JSON arrives in time. */
export function startLoad({ url, paths, perSecond, onFailure }: LoadOptions): Load {
  const agent = new Agent({
    headersTimeout: LIMIT_MS,
    bodyTimeout: LIMIT_MS,
    connect: { timeout: LIMIT_MS },
  });
  let counts = { ...NOTHING };
  let stopped = false;
  const inFlight = new Set<Promise<void>>();

  async function send(path: string): Promise<void> {
    counts.sent++;
    const started = performance.now();
    try {
      const { statusCode, body } = await request(`${url}${path}`, { dispatcher: agent });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`status ${statusCode}: ${text.slice(0, 200)}`);
      JSON.parse(text);
    } catch (error) {
      counts.failed++;
      onFailure(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    counts.slowest = Math.max(counts.slowest, performance.now() - started);
  }

  // Sent on schedule, whether or not earlier ones have a response: a stall must not reduce the load.
  async function sendAll(): Promise<void> {
    const began = performance.now();
    for (let count = 0; !stopped; count++) {
      const sent = send(paths[count % paths.length] ?? '/');
      inFlight.add(sent);
      void sent.finally(() => inFlight.delete(sent));
      await delay(Math.max(0, began + ((count + 1) * 1000) / perSecond - performance.now()));
    }
  }

  const sending = sendAll();
  return {
    lap() {
      const lap = counts;
      counts = { ...NOTHING };
      return lap;
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      await sending;
      await Promise.all(inFlight);
      await agent.close();
    },
  };
}
