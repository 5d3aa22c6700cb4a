import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../core/database/database.js';
import { addDays } from '../../core/domain/dates.js';
import { type Api, startApi } from './support/api.js';
import type { Sending } from './support/baseline.js';
import { type Child, startChild } from './support/children.js';
import type { Context } from './support/context.js';
import { download } from './support/download.js';
import { showSpread, spreadOf } from './support/statistics.js';

const FIRST_BYTE_MS = 20;
const HTTP_SHARE = 0.3;
const AT_ONCE = 8;
const GROWTH_MIB = 64;
const MIB = 1024 ** 2;
/** Rounds of load for which the slow reader reads. */
const SLOW_ROUNDS = 10;
const AFTERWARDS_MS = 500;
/** Processor time of an idle process in half a second, with some margin. */
const IDLE_MS = 25;

/** Measures long streamed responses on a long history. */
export async function measureStreams(context: Context, database: Database & { url: string }): Promise<void> {
  const { databases, effort, progress, until } = context;
  const years = (count: number) =>
    `/v2/rates?base=EUR&from=${addDays(until, -Math.round(365.25 * count))}&to=${until}`;
  const api = await startApi(database.url, databases.folder);
  const baseline = startChild(new URL('./support/baseline.js', import.meta.url), {
    env: { BASELINE: 'http' },
  });
  try {
    const { url } = await baseline.request<{ url: string }>(undefined, 'listening');
    for (const count of new Set([Math.min(5, effort.longYears), effort.longYears])) {
      progress(`streaming ${count} years`);
      await measureThroughput(context, {
        api,
        baseline,
        url,
        what: `${count} years, all quotes`,
        path: years(count),
      });
    }
    progress('streaming to many readers at once, to a slow one, and to one that disconnects');
    await measureMemory(context, api, years(effort.longYears));
    await measureDeparture(context, api, years(effort.longYears));
  } finally {
    await baseline.stop();
    await api.stop();
  }
}

interface Streaming {
  api: Api;
  baseline: Child;
  url: string;
  what: string;
  path: string;
}

async function measureThroughput({ effort, record }: Context, streaming: Streaming): Promise<void> {
  const { api, baseline, url, what, path } = streaming;
  const response = await fetch(api.url + path, { headers: { 'accept-encoding': 'identity' } });
  const sending: Sending = {
    type: 'send',
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    bodies: [new Uint8Array(await response.arrayBuffer())],
    streamed: true,
  };
  await baseline.request(sending, 'sending');
  const firstBytes: number[] = [];
  const shares: number[] = [];
  const speeds: number[] = [];
  let bytes = 0;
  await download(url, path);
  for (let round = 0; round < effort.rounds; round++) {
    const almanac = await download(api.url, path);
    const bare = await download(url, path);
    firstBytes.push(almanac.firstByteMs);
    shares.push(almanac.bytes / almanac.ms / (bare.bytes / bare.ms));
    speeds.push(almanac.bytes / MIB / (almanac.ms / 1000));
    bytes = almanac.bytes;
  }
  const firstByte = spreadOf(firstBytes);
  const share = spreadOf(shares);
  record({
    what: `${what}, one request (${(bytes / MIB).toFixed(1)} MiB)`,
    measured: `first byte ${showSpread(firstByte, 1)} ms; ${showSpread(share, 2)} x node:http; ${spreadOf(speeds).median.toFixed(0)} MiB/s`,
    reach: `first byte < ${FIRST_BYTE_MS} ms; ${HTTP_SHARE} x node:http`,
    ok: firstByte.median < FIRST_BYTE_MS && share.median >= HTTP_SHARE,
  });
}

async function measureMemory({ effort, record }: Context, api: Api, path: string): Promise<void> {
  const grown = async (work: Promise<unknown>) => {
    const before = (await api.usage()).rss;
    let most = before;
    let over = false;
    const done = work.finally(() => {
      over = true;
    });
    while (!over) {
      most = Math.max(most, (await api.usage()).rss);
      await delay(20);
    }
    await done;
    return (most - before) / MIB;
  };
  const many = await grown(Promise.all(Array.from({ length: AT_ONCE }, () => download(api.url, path))));
  record({
    what: `memory with ${AT_ONCE} readers of ${effort.longYears} years at once`,
    measured: `grows by ${many.toFixed(0)} MiB`,
    reach: `< ${GROWTH_MIB} MiB`,
    ok: many < GROWTH_MIB,
  });
  const slow = await grown(download(api.url, path, { pauseMs: 50, limitMs: SLOW_ROUNDS * effort.roundMs }));
  record({
    what: 'memory with a slow reader',
    measured: `grows by ${slow.toFixed(0)} MiB`,
    reach: '< 8 MiB',
    ok: slow < 8,
  });
}

/** After a client has disconnected, the process must be idle: its processor time shows whether it goes on working. */
async function measureDeparture({ effort, record }: Context, api: Api, path: string): Promise<void> {
  const cpu = async () => (await api.usage()).cpuMs;
  const before = await cpu();
  await download(api.url, path);
  const whole = (await cpu()) - before;
  const used: number[] = [];
  for (let round = 0; round < Math.min(3, effort.rounds); round++) {
    await download(api.url, path, { leaves: true });
    const left = await cpu();
    await delay(AFTERWARDS_MS);
    used.push((await cpu()) - left);
  }
  const after = spreadOf(used);
  record({
    what: 'a client that leaves in mid-stream',
    measured: `${showSpread(after, 0)} ms of processor time in the half second after, of ${whole.toFixed(0)} ms for the whole response`,
    reach: `< ${IDLE_MS} ms`,
    ok: after.median < IDLE_MS,
  });
}
