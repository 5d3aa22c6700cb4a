import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { addDays } from '../../core/domain/dates.js';
import { memoryOf, type ProcessorTime, processorTimeOf } from './processes.js';
import { ask } from './requests.js';

// The second client. It has its own process and address, so that its measurements do not depend on the load of the
// attacker.

/** What to measure. Sent again if the API has a new process. */
export interface Watch {
  type: 'watch';
  url: string;
  /** A bare server that is not attacked: its delays are those of the machine. */
  bareUrl: string;
  /** The API's process. */
  pid: number;
  /** A stored day, from which raw rows are requested. */
  day: string;
}

/** `hot` and `bareHot` are bursts of requests, of the API's response cache and the bare server. */
export type Kind = 'live' | 'bare' | 'hot' | 'bareHot' | 'cheap' | 'raw' | 'refused';

/** Measurements since the last lap. */
export interface Lap {
  type: 'lapped';
  /** The API's memory in bytes: the most, and at the end. */
  memory: { most: number; after: number };
  /** For how long the API's main thread ran, and waited for a processor. */
  processor: ProcessorTime;
  /** Milliseconds of each request. A failed one counts as ten seconds, an unfinished one as its time so far. */
  taken: Record<Kind, number[]>;
  /** The number of failed requests in bursts, and what raw rows failed with. */
  failed: { hot: number; raw: string[] };
}

const ADDRESS = '127.0.0.2';
const BURST = 320;
const CONNECTIONS = 32;
const LIMIT_MS = 10_000;
/** An unfinished request counts after this time. */
const UNFINISHED_MS = 500;
const RAW_DAYS = 200;
const QUOTES = ['GBP', 'JPY', 'CHF', 'CNY', 'CAD', 'AUD'];

let watch: Watch | undefined;
let lap = emptyLap();
/** The API's processor time at the beginning of the lap. */
let startedWith: ProcessorTime = { ranMs: 0, waitedMs: 0 };
const underWay = new Map<Kind, number>();
const asked = { cheap: 0, raw: 0 };
const agents = {
  hot: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
  bareHot: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
  cheap: new Agent({ keepAlive: true, maxSockets: 1 }),
};

function emptyLap(): Lap {
  return {
    type: 'lapped',
    memory: { most: 0, after: 0 },
    processor: { ranMs: 0, waitedMs: 0 },
    taken: { live: [], bare: [], hot: [], bareHot: [], cheap: [], raw: [], refused: [] },
    failed: { hot: 0, raw: [] },
  };
}

process.on('message', (message: Watch | { type: 'lap' }) => {
  if (message.type === 'watch') {
    watch = message;
    process.send?.({ type: 'watching' });
  } else {
    void endLap();
  }
});
process.on('disconnect', () => process.exit());

async function endLap(): Promise<void> {
  const now = await processorTimeOf(watch?.pid ?? 0);
  lap.processor = { ranMs: now.ranMs - startedWith.ranMs, waitedMs: now.waitedMs - startedWith.waitedMs };
  startedWith = now;
  for (const [kind, since] of underWay) {
    const ms = performance.now() - since;
    if (ms > UNFINISHED_MS) lap.taken[kind].push(ms);
  }
  process.send?.(lap);
  lap = emptyLap();
}

async function lookAtMemory({ pid }: Watch): Promise<void> {
  const memory = await memoryOf(pid);
  if (memory === undefined) return;
  lap.memory = { most: Math.max(lap.memory.most, memory), after: memory };
}

/** Records the time of the work under the kind that it returns; undefined if it failed. */
async function timed(kind: Kind, work: () => Promise<Kind | undefined>): Promise<void> {
  const started = performance.now();
  underWay.set(kind, started);
  const outcome = await work();
  underWay.delete(kind);
  lap.taken[outcome ?? kind].push(outcome === undefined ? LIMIT_MS : performance.now() - started);
}

/** Sends a request, over a new connection, as health checks do, unless there is an agent. */
function look(kind: Kind, url: string, path: string, agent: Agent | false = false): Promise<void> {
  return timed(kind, async () => {
    const received = await ask(url, path, { from: ADDRESS, limitMs: LIMIT_MS, agent }).catch(String);
    const status = typeof received === 'string' ? received : received.status;
    if (status === 200) return kind;
    if (kind === 'raw' && status === 503) return 'refused';
    if (kind === 'raw') lap.failed.raw.push(`${path}: ${status}`);
    return undefined;
  });
}

/** Runs both bursts in sequence, so that each has the same share of the machine. */
async function burstOnBoth({ url, bareUrl }: Watch): Promise<void> {
  await timed('hot', () => burst('hot', url));
  await timed('bareHot', () => burst('bareHot', bareUrl));
}

async function burst(kind: 'hot' | 'bareHot', url: string): Promise<Kind | undefined> {
  const options = { from: ADDRESS, agent: agents[kind], limitMs: LIMIT_MS };
  let failed = 0;
  const client = async () => {
    for (let count = 0; count < BURST / CONNECTIONS; count++) {
      const received = await ask(url, '/v2/rates', options).catch(() => undefined);
      if (received?.status !== 200) failed++;
      if (received === undefined) return;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  if (kind === 'hot') lap.failed.hot += failed;
  return failed === 0 ? kind : undefined;
}

/** Requests another window each time, which no cache has. */
function lookAtCheap({ url, day }: Watch): Promise<void> {
  const to = addDays(day, -(asked.cheap % RAW_DAYS));
  const from = addDays(to, -(Math.floor(asked.cheap++ / RAW_DAYS) % RAW_DAYS));
  return look('cheap', url, `/v2/rates?from=${from}&to=${to}&quotes=USD`, agents.cheap);
}

function lookAtRawRows({ url, day }: Watch): Promise<void> {
  const quote = QUOTES[Math.floor(asked.raw / RAW_DAYS) % QUOTES.length];
  const from = addDays(day, -(asked.raw++ % RAW_DAYS) - 30);
  const to = addDays(from, 13);
  return look('raw', url, `/v2/rates?from=${from}&to=${to}&expand=providers&quotes=USD,${quote}`);
}

async function repeat(work: (watch: Watch) => Promise<void>, everyMs: number): Promise<never> {
  for (;;) {
    if (watch) await work(watch);
    await delay(everyMs);
  }
}

void repeat(lookAtMemory, 50);
void repeat(({ url }) => look('live', url, '/health/live'), 100);
void repeat(({ bareUrl }) => look('bare', bareUrl, '/'), 100);
void repeat(burstOnBoth, 400);
void repeat(lookAtCheap, 40);
void repeat(lookAtRawRows, 500);
// Messages sent earlier would be lost, as there was no listener.
process.send?.({ type: 'started' });
