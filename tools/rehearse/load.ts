import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A steady load of requests on all APIs. */
export interface Load {
  /** Counts since the previous call. */
  lap(): LoadCounts;
  total(): LoadCounts;
  /** Sends no more, and waits for the requests in flight. */
  stop(): Promise<void>;
}

interface LoadCounts {
  sent: number;
  failed: number;
  /** Responses 503 with `retry-after`, on paths that may send them while PostgreSQL is down. */
  unavailable: number;
  /** Milliseconds of the slowest response. */
  slowest: number;
}

export interface LoadRequest {
  path: string;
  /** Whether the API reads PostgreSQL for it once the data have changed. */
  readsDatabase: boolean;
}

export interface LoadOptions {
  urls: readonly string[];
  /** The paths, requested in rotation. */
  requests: readonly LoadRequest[];
  /** Requests a second to each API. */
  perSecond: number;
  /** Called with the URL and the reason of every failed request. */
  onFailure(what: string): void;
}

/** A request without a response by then has failed. */
const LIMIT_MS = 10_000;

const NOTHING: LoadCounts = { sent: 0, failed: 0, unavailable: 0, slowest: 0 };

/** Starts the load. A request fails unless a complete response with status 200 and JSON arrives in time. */
export function startLoad({ urls, requests, perSecond, onFailure }: LoadOptions): Load {
  const agent = new Agent({
    headersTimeout: LIMIT_MS,
    bodyTimeout: LIMIT_MS,
    connect: { timeout: LIMIT_MS },
  });
  const total = { ...NOTHING };
  let lap = { ...NOTHING };
  let stopped = false;
  const inFlight = new Set<Promise<void>>();

  async function send(url: string, { path, readsDatabase }: LoadRequest): Promise<void> {
    const counts = [total, lap];
    for (const count of counts) count.sent++;
    const started = performance.now();
    try {
      const { statusCode, headers, body } = await request(`${url}${path}`, { dispatcher: agent });
      const text = await body.text();
      if (statusCode === 503 && readsDatabase && headers['retry-after'] !== undefined) {
        for (const count of counts) count.unavailable++;
      } else if (statusCode !== 200) {
        throw new Error(`status ${statusCode}: ${text.slice(0, 200)}`);
      }
      JSON.parse(text);
    } catch (error) {
      for (const count of counts) count.failed++;
      onFailure(`${url}${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    const elapsed = performance.now() - started;
    for (const count of counts) count.slowest = Math.max(count.slowest, elapsed);
  }

  // Sent on schedule, whether or not earlier ones have a response: a stall must not reduce the load.
  async function lane(url: string, first: number): Promise<void> {
    const began = performance.now();
    for (let count = 0; !stopped; count++) {
      const next = requests[(first + count) % requests.length];
      if (!next) throw new Error('no requests given');
      const sent = send(url, next);
      inFlight.add(sent);
      void sent.finally(() => inFlight.delete(sent));
      await delay(Math.max(0, began + ((count + 1) * 1000) / perSecond - performance.now()));
    }
  }

  const lanes = urls.map((url, index) => lane(url, index * 3));
  return {
    lap() {
      const counts = lap;
      lap = { ...NOTHING };
      return counts;
    },
    total: () => ({ ...total }),
    async stop() {
      if (stopped) return;
      stopped = true;
      await Promise.all(lanes);
      await Promise.all(inFlight);
      await agent.close();
    },
  };
}
