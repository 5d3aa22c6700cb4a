import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** A steady stream of requests to all APIs at once. */
export interface Load {
  /** What happened since the last time this was asked. */
  lap(): LoadCounts;
  total(): LoadCounts;
  /** Waits for the requests under way. */
  stop(): Promise<void>;
}

export interface LoadCounts {
  sent: number;
  failed: number;
  /** Answered 503 with a time to try again, by a path that may be while PostgreSQL is away. */
  putOff: number;
  /** Milliseconds of the slowest answer. */
  slowest: number;
}

export interface Question {
  path: string;
  /** Whether it needs rows that an API reads from PostgreSQL after they have changed. */
  readsStore: boolean;
}

export interface LoadOptions {
  urls: readonly string[];
  /** What is asked for, in turns. */
  questions: readonly Question[];
  /** Requests a second to each API. */
  perSecond: number;
  /** Told of each that failed, and why. */
  onFailure(what: string): void;
}

/** An answer that is not there by then counts as failed. */
const LIMIT_MS = 10_000;

const NOTHING: LoadCounts = { sent: 0, failed: 0, putOff: 0, slowest: 0 };

/** Starts to ask. A request fails where it isn't answered whole, in time, with 200 and JSON. */
export function startLoad({ urls, questions, perSecond, onFailure }: LoadOptions): Load {
  const agent = new Agent({
    headersTimeout: LIMIT_MS,
    bodyTimeout: LIMIT_MS,
    connect: { timeout: LIMIT_MS },
  });
  const total = { ...NOTHING };
  let lap = { ...NOTHING };
  let stopped = false;
  const underWay = new Set<Promise<void>>();

  async function ask(url: string, { path, readsStore }: Question): Promise<void> {
    const counts = [total, lap];
    for (const count of counts) count.sent++;
    const started = performance.now();
    try {
      const { statusCode, headers, body } = await request(`${url}${path}`, { dispatcher: agent });
      const text = await body.text();
      if (statusCode === 503 && readsStore && headers['retry-after'] !== undefined) {
        for (const count of counts) count.putOff++;
      } else if (statusCode !== 200) {
        throw new Error(`answered ${statusCode}: ${text.slice(0, 200)}`);
      }
      JSON.parse(text);
    } catch (error) {
      for (const count of counts) count.failed++;
      onFailure(`${url}${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    const elapsed = performance.now() - started;
    for (const count of counts) count.slowest = Math.max(count.slowest, elapsed);
  }

  // Asked at their time, whether those before are answered or not: a stall must not make fewer of them.
  async function lane(url: string, first: number): Promise<void> {
    const began = performance.now();
    for (let turn = 0; !stopped; turn++) {
      const question = questions[(first + turn) % questions.length];
      if (!question) throw new Error('there is nothing to ask');
      const asked = ask(url, question);
      underWay.add(asked);
      void asked.finally(() => underWay.delete(asked));
      await delay(Math.max(0, began + ((turn + 1) * 1000) / perSecond - performance.now()));
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
      await Promise.all(underWay);
      await agent.close();
    },
  };
}
