import { setTimeout as delay } from 'node:timers/promises';
import { addDays } from '../../core/domain/dates.js';
import type { Server } from '../programs/programs.js';
import { pick, seededRandom } from '../random.js';
import { sample } from './race.js';
import { type Api, requestText, startApi, startBaseline, usageOf } from './support/api.js';
import type { Sending } from './support/baseline.js';
import { type Context, currentCodes } from './support/context.js';
import { download } from './support/download.js';
import { showSpread, spreadOf } from './support/statistics.js';

/** The render thread takes some 50 of it. */
const MEMORY_MB = 345;
const READY_MS = 3_000;
const FIRST_BYTE_MS = 20;
const HTTP_SHARE = 0.3;
const AT_ONCE = 8;
const GROWTH_MIB = 64;
const MIB = 1024 ** 2;

/** Measures start time and memory of an API process on a long history, and long streamed responses. */
export async function measureLongHistory(context: Context, { url }: { url: string }): Promise<void> {
  const { databases, effort, progress, until } = context;
  const from = addDays(until, -Math.round(365.25 * effort.longYears));
  const long = `/v2/rates?base=EUR&from=${from}&to=${until}`;
  const api = await startApi(url, databases.folder);
  const bare = await startBaseline('http');
  try {
    await measureProcess(context, api, long);
    progress(`streaming ${effort.longYears} years`);
    await measureThroughput(context, { api, bare, path: long });
    progress('streaming to many readers at once');
    await measureGrowth(context, api, long);
  } finally {
    await bare.stop();
    await api.stop();
  }
}

async function measureProcess({ effort, load, record }: Context, api: Api, long: string): Promise<void> {
  record({
    what: `start of an API process on ${effort.longYears} years until ready`,
    measured: `${(api.readyMs / 1000).toFixed(1)} s`,
    reach: `< ${READY_MS / 1000} s`,
    ok: api.readyMs < READY_MS,
  });
  const codes = currentCodes();
  const random = seededRandom('5');
  const megabytes = async () => (await usageOf(api)).rss / 1e6;
  const atFirst = await megabytes();
  const latest = Array.from({ length: effort.different }, () => {
    const [base, ...quotes] = Array.from({ length: 3 }, () => pick(codes, random));
    return requestText(`/v2/rates?base=${base}&quotes=${quotes.join(',')}`);
  });
  await load(api.url, latest, { ms: 5 * effort.roundMs });
  await download(api.url, long);
  const afterLoad = await megabytes();
  record({
    what: `memory of an API process, ${effort.longYears} years x ${codes.length} currencies`,
    measured: `${atFirst.toFixed(0)} MB when ready, ${afterLoad.toFixed(0)} MB after load`,
    reach: `< ${MEMORY_MB} MB`,
    ok: Math.max(atFirst, afterLoad) < MEMORY_MB,
  });
}

async function measureThroughput(
  { effort, record }: Context,
  { api, bare, path }: { api: Api; bare: Server; path: string },
): Promise<void> {
  const sending = await sample([api.url + path]);
  await bare.request({ ...sending, streamed: true } satisfies Sending, 'sending');
  await download(bare.url, path);
  const [firstBytes, shares, speeds]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < effort.rounds; round++) {
    const own = await download(api.url, path);
    const sent = await download(bare.url, path);
    firstBytes.push(own.firstByteMs);
    shares.push(own.bytes / own.ms / (sent.bytes / sent.ms));
    speeds.push(own.bytes / MIB / (own.ms / 1000));
  }
  const [firstByte, share] = [spreadOf(firstBytes), spreadOf(shares)];
  record({
    what: `${effort.longYears} years, all quotes, one request (${((sending.bodies[0]?.length ?? 0) / MIB).toFixed(1)} MiB)`,
    measured: `first byte ${showSpread(firstByte, 1)} ms; ${showSpread(share, 2)} x node:http; ${spreadOf(speeds).median.toFixed(0)} MiB/s`,
    reach: `first byte < ${FIRST_BYTE_MS} ms; ${HTTP_SHARE} x node:http`,
    ok: firstByte.median < FIRST_BYTE_MS && share.median >= HTTP_SHARE,
  });
}

async function measureGrowth({ effort, record }: Context, api: Api, path: string): Promise<void> {
  const before = (await usageOf(api)).rss;
  let [rss, isOver] = [before, false];
  const readers = Array.from({ length: AT_ONCE }, () => download(api.url, path));
  const done = Promise.all(readers).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    rss = Math.max(rss, (await usageOf(api)).rss);
    await delay(20);
  }
  await done;
  const grown = (rss - before) / MIB;
  record({
    what: `memory with ${AT_ONCE} readers of ${effort.longYears} years at once`,
    measured: `grows by ${grown.toFixed(0)} MiB`,
    reach: `< ${GROWTH_MIB} MiB`,
    ok: grown < GROWTH_MIB,
  });
}
