import { setTimeout as delay } from 'node:timers/promises';
import { addDays } from '../../core/domain/dates.js';
import { type Api, type Server, startApi, startBaseline } from './support/api.js';
import type { Sending } from './support/baseline.js';
import type { Context } from './support/context.js';
import { download } from './support/download.js';
import { showSpread, spreadOf } from './support/statistics.js';

const FIRST_BYTE_MS = 20;
const HTTP_SHARE = 0.3;
const AT_ONCE = 8;
const GROWTH_MIB = 64;
const SLOW_GROWTH_MIB = 8;
const MIB = 1024 ** 2;
/** Rounds of load for which the slow reader reads. */
const SLOW_ROUNDS = 10;

/** Measures long streamed responses on a long history. */
export async function measureStreams(context: Context, database: { url: string }): Promise<void> {
  const { databases, effort, progress, until } = context;
  const pathOf = (years: number) =>
    `/v2/rates?base=EUR&from=${addDays(until, -Math.round(365.25 * years))}&to=${until}`;
  const long = pathOf(effort.longYears);
  const api = await startApi(database.url, databases.folder);
  const bare = await startBaseline('http');
  try {
    for (const years of new Set([Math.min(5, effort.longYears), effort.longYears])) {
      progress(`streaming ${years} years`);
      await measureThroughput(context, { api, bare, what: `${years} years`, path: pathOf(years) });
    }
    progress('streaming to many readers at once, and to a slow one');
    await measureMemory(context, api, {
      what: `memory with ${AT_ONCE} readers of ${effort.longYears} years at once`,
      most: GROWTH_MIB,
      work: () => Promise.all(Array.from({ length: AT_ONCE }, () => download(api.url, long))),
    });
    await measureMemory(context, api, {
      what: 'memory with a slow reader',
      most: SLOW_GROWTH_MIB,
      work: () => download(api.url, long, { pauseMs: 50, limitMs: SLOW_ROUNDS * effort.roundMs }),
    });
  } finally {
    await bare.stop();
    await api.stop();
  }
}

async function measureThroughput(
  { effort, record }: Context,
  { api, bare, what, path }: { api: Api; bare: Server; what: string; path: string },
): Promise<void> {
  const response = await fetch(api.url + path, { headers: { 'accept-encoding': 'identity' } });
  const sending: Sending = {
    type: 'send',
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    bodies: [new Uint8Array(await response.arrayBuffer())],
    streamed: true,
  };
  await bare.request(sending, 'sending');
  await download(bare.url, path);
  const rounds: { firstByteMs: number; share: number; speed: number; size: number }[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const { firstByteMs, bytes, ms } = await download(api.url, path);
    const sent = await download(bare.url, path);
    const [size, speed] = [bytes / MIB, bytes / MIB / (ms / 1000)];
    rounds.push({ firstByteMs, share: bytes / ms / (sent.bytes / sent.ms), speed, size });
  }
  const firstByte = spreadOf(rounds.map(({ firstByteMs }) => firstByteMs));
  const share = spreadOf(rounds.map((round) => round.share));
  record({
    what: `${what}, all quotes, one request (${rounds[0]?.size.toFixed(1)} MiB)`,
    measured: `first byte ${showSpread(firstByte, 1)} ms; ${showSpread(share, 2)} x node:http; ${spreadOf(rounds.map(({ speed }) => speed)).median.toFixed(0)} MiB/s`,
    reach: `first byte < ${FIRST_BYTE_MS} ms; ${HTTP_SHARE} x node:http`,
    ok: firstByte.median < FIRST_BYTE_MS && share.median >= HTTP_SHARE,
  });
}

/** Measures by how much the API's memory grows meanwhile. */
async function measureMemory(
  { record }: Context,
  api: Api,
  { what, most, work }: { what: string; most: number; work(): Promise<unknown> },
): Promise<void> {
  const before = (await api.usage()).rss;
  let [rss, over] = [before, false];
  const done = work().finally(() => {
    over = true;
  });
  while (!over) {
    rss = Math.max(rss, (await api.usage()).rss);
    await delay(20);
  }
  await done;
  const grown = (rss - before) / MIB;
  record({
    what,
    measured: `grows by ${grown.toFixed(0)} MiB`,
    reach: `< ${most} MiB`,
    ok: grown < most,
  });
}
