import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { addDays } from '../../core/domain/dates.js';
import { memoryOf, type ProcessorTime, processorTimeOf } from './processes.js';
import { ask } from './requests.js';

// The other client, in a process of its own and from another address: what it sees does not depend on how busy the
// attacker is.

/** What to look at. Sent again where the API has a new process. */
export interface Watch {
  type: 'watch';
  url: string;
  /** A bare server that nobody attacks: what it suffers is the machine's doing. */
  bareUrl: string;
  /** The API's process. */
  pid: number;
  /** A day of the stored history, from which raw rows are asked for. */
  day: string;
}

/** What the other client saw since the last lap. */
export interface Lap {
  type: 'lapped';
  /** The API's memory in bytes: at the start, the most, and at the end. */
  memory: { before: number; most: number; after: number };
  /** Milliseconds of the slowest `/health/live`, which counts in full where it failed. */
  slowestLive: number;
  /** Answers from the response cache: how many a second in the middle one of the bursts, and how many failed. */
  hot: { perSecond: number; failed: number };
  /** What the API's main thread had of a processor, and what it missed because others had them. */
  processor: ProcessorTime;
  /** The slowest answer of the bare server, and its speed as above. */
  bare: { slowestMs: number; perSecond: number };
  /** Short responses that no cache has: how many milliseconds nineteen of twenty took at most. */
  cheapMs: number;
  /** Questions for raw rows; `typical` is the median of the milliseconds that their responses took. */
  raw: { answered: number; refused: number; failed: string[]; slowest: number; typical: number };
}

const ADDRESS = '127.0.0.2';
const MEMORY_EVERY_MS = 50;
const LIVE_EVERY_MS = 100;
const HOT_EVERY_MS = 400;
const CHEAP_EVERY_MS = 40;
const CHEAP_SHARE = 0.95;
const BURST = 320;
const CONNECTIONS = 32;
const LONG_BURST_MS = 1_000;
const RAW_EVERY_MS = 500;
const LIMIT_MS = 10_000;
const RAW_DAYS = 200;
const QUOTES = ['GBP', 'JPY', 'CHF', 'CNY', 'CAD', 'AUD'];

let watch: Watch | undefined;
let lap = emptyLap();
/** The API's processor time at the beginning of the lap. */
let startedWith: ProcessorTime = { ranMs: 0, waitedMs: 0 };
let bursts: { hot: number; bare: number }[] = [];
/** Milliseconds that responses took. */
let taken: { cheap: number[]; raw: number[] } = { cheap: [], raw: [] };
/** When the requests that have no response yet were sent: what is never answered must not go unseen. */
const waiting = { live: Number.NaN, raw: Number.NaN };
/** The burst of cached answers that has begun. */
const underWay = { since: Number.NaN, answered: 0 };
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const cheapAgent = new Agent({ keepAlive: true, maxSockets: 1 });
const bareAgent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function emptyLap(): Lap {
  return {
    type: 'lapped',
    memory: { before: 0, most: 0, after: 0 },
    slowestLive: 0,
    hot: { perSecond: 0, failed: 0 },
    processor: { ranMs: 0, waitedMs: 0 },
    bare: { slowestMs: 0, perSecond: 0 },
    cheapMs: 0,
    raw: { answered: 0, refused: 0, failed: [], slowest: 0, typical: 0 },
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
  const processor = await processorTimeOf(watch?.pid ?? 0);
  lap.processor = {
    ranMs: processor.ranMs - startedWith.ranMs,
    waitedMs: processor.waitedMs - startedWith.waitedMs,
  };
  startedWith = processor;
  const now = performance.now();
  if (now - waiting.live > lap.slowestLive) lap.slowestLive = now - waiting.live;
  if (now - waiting.raw > lap.raw.slowest) lap.raw.slowest = now - waiting.raw;
  const speeds = bursts.map(({ hot }) => hot);
  // A burst that lasts for longer than others may do so until the attack is over.
  if (now - underWay.since > LONG_BURST_MS) speeds.push(speedOf(underWay.answered, now - underWay.since));
  lap.hot.perSecond = middleOf(speeds);
  lap.bare.perSecond = middleOf(bursts.map(({ bare }) => bare));
  lap.cheapMs = quantileOf(taken.cheap, CHEAP_SHARE);
  lap.raw.typical = middleOf(taken.raw);
  process.send?.(lap);
  lap = emptyLap();
  bursts = [];
  taken = { cheap: [], raw: [] };
}

const middleOf = (values: readonly number[]) => quantileOf(values, 0.5);

function quantileOf(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? 0;
}

async function lookAtMemory({ pid }: Watch): Promise<void> {
  const memory = await memoryOf(pid);
  if (memory === undefined) return;
  lap.memory.before ||= memory;
  lap.memory.most = Math.max(lap.memory.most, memory);
  lap.memory.after = memory;
}

/** Over a new connection each time, as health checks come. */
async function lookAtLife({ url }: Watch): Promise<void> {
  const started = performance.now();
  waiting.live = started;
  const options = { from: ADDRESS, limitMs: LIMIT_MS };
  const isAlive = await ask(url, '/health/live', options).then(
    ({ status }) => status === 200,
    () => false,
  );
  waiting.live = Number.NaN;
  lap.slowestLive = Math.max(lap.slowestLive, isAlive ? performance.now() - started : LIMIT_MS);
}

async function lookAtBareServer({ bareUrl }: Watch): Promise<void> {
  const started = performance.now();
  await ask(bareUrl, '/', { from: ADDRESS, limitMs: LIMIT_MS }).catch(() => undefined);
  lap.bare.slowestMs = Math.max(lap.bare.slowestMs, performance.now() - started);
}

/** One after the other, so that both have the same share of the machine. */
async function burstOnBoth({ url, bareUrl }: Watch): Promise<void> {
  Object.assign(underWay, { since: performance.now(), answered: 0 });
  const hot = await burst(`${url}/v2/rates`, agent, () => underWay.answered++);
  underWay.since = Number.NaN;
  lap.hot.failed += hot.failed;
  const bare = await burst(bareUrl, bareAgent);
  bursts.push({ hot: hot.perSecond, bare: bare.perSecond });
}

async function burst(
  address: string,
  agent: Agent,
  onAnswer = () => {},
): Promise<{ perSecond: number; failed: number }> {
  const { origin, pathname } = new URL(address);
  const started = performance.now();
  let answered = 0;
  let failed = 0;
  const client = async () => {
    for (let count = 0; count < BURST / CONNECTIONS; count++) {
      const status = await ask(origin, pathname, { from: ADDRESS, agent, limitMs: LIMIT_MS }).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) {
        answered++;
        onAnswer();
      } else {
        failed++;
      }
      if (status === 0) return;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  return { perSecond: speedOf(answered, performance.now() - started), failed };
}

/** Answers a second. */
function speedOf(answered: number, ms: number): number {
  return (answered / ms) * 1_000;
}

const asked = { cheap: 0, raw: 0 };

/** Another window each time, so that no cache has it. One that fails counts in full. */
async function lookAtCheap({ url, day }: Watch): Promise<void> {
  const to = addDays(day, -(asked.cheap % RAW_DAYS));
  const from = addDays(to, -(Math.floor(asked.cheap++ / RAW_DAYS) % RAW_DAYS));
  const path = `/v2/rates?from=${from}&to=${to}&quotes=USD`;
  const started = performance.now();
  const options = { from: ADDRESS, agent: cheapAgent, limitMs: LIMIT_MS };
  const isAnswered = await ask(url, path, options).then(
    ({ status }) => status === 200,
    () => false,
  );
  taken.cheap.push(isAnswered ? performance.now() - started : LIMIT_MS);
}

async function lookAtRawRows({ url, day }: Watch): Promise<void> {
  // Another window each time, so that no cache has it.
  const quote = QUOTES[Math.floor(asked.raw / RAW_DAYS) % QUOTES.length];
  const from = addDays(day, -(asked.raw++ % RAW_DAYS) - 30);
  const path = `/v2/rates?from=${from}&to=${addDays(from, 13)}&expand=providers&quotes=USD,${quote}`;
  const started = performance.now();
  waiting.raw = started;
  try {
    const { status, body } = await ask(url, path, { from: ADDRESS, limitMs: LIMIT_MS });
    if (status === 200) {
      lap.raw.answered++;
      taken.raw.push(performance.now() - started);
    } else if (status === 503) lap.raw.refused++;
    else lap.raw.failed.push(`${path}: ${status} ${body.slice(0, 100)}`);
  } catch (error) {
    lap.raw.failed.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  waiting.raw = Number.NaN;
  lap.raw.slowest = Math.max(lap.raw.slowest, performance.now() - started);
}

async function repeat(work: (watch: Watch) => Promise<void>, everyMs: number): Promise<never> {
  for (;;) {
    if (watch) await work(watch);
    await delay(everyMs);
  }
}

void repeat(lookAtMemory, MEMORY_EVERY_MS);
void repeat(lookAtLife, LIVE_EVERY_MS);
void repeat(lookAtBareServer, LIVE_EVERY_MS);
void repeat(burstOnBoth, HOT_EVERY_MS);
void repeat(lookAtRawRows, RAW_EVERY_MS);
void repeat(lookAtCheap, CHEAP_EVERY_MS);
// What is sent before comes when nobody listens.
process.send?.({ type: 'started' });
