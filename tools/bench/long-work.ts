import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { addDays, daysBetween } from '../../core/domain/dates.js';
import { type Api, codesOf, requestText, startApi } from './support/api.js';
import type { Context } from './support/context.js';
import { download } from './support/download.js';
import { pick, randomNumbers } from './support/random.js';
import { showSpread, spreadOf } from './support/statistics.js';

const FILL_SHARE = 0.6;
const RECEIPTS = 20;
const WARM_UP_RECEIPTS = 100;
const RECEIPT_MS = 10;
const RETRY_MS = 1_000;
const LINES = 10_000;
const CONVERT_MS = 150;
const CONVERT_GROWTH_MB = 32;
const OTHERS_P99_MS = 50;
const BLEND_FACTOR = 2;
const BLEND_P99_MS = 100;
const MB = 1e6;

const CLI = fileURLToPath(new URL('../../worker/cli/main.js', import.meta.url));

/** Measures what takes long for one request, and other requests meanwhile and while rates are blended. */
export async function measureLongWork(context: Context, { url }: { url: string }): Promise<void> {
  const api = await startApi(url, context.databases.folder);
  try {
    const codes = await codesOf(api);
    await measureFill(context, api);
    await measureReceipts(context, api, codes);
    await measureConvert(context, api, codes);
    await measureUnderBlend(context, api, url);
  } finally {
    await api.stop();
  }
}

const startOf = ({ effort, until }: Context) => addDays(until, -Math.floor(365 * effort.years));

async function measureFill(context: Context, api: Api): Promise<void> {
  const { effort, progress, record, until } = context;
  progress('fill=forward, all currencies');
  const path = `/v2/rates?base=EUR&from=${startOf(context)}&to=${until}`;
  const shares: number[] = [];
  await download(api.url, path);
  for (let round = 0; round < effort.rounds; round++) {
    const plain = await download(api.url, path);
    const filled = await download(api.url, `${path}&fill=forward`);
    shares.push(filled.bytes / filled.ms / (plain.bytes / plain.ms));
  }
  const share = spreadOf(shares);
  record({
    what: `fill=forward, ${effort.years} years, all quotes`,
    measured: `${showSpread(share, 2)} x the bytes a second without it`,
    reach: `${FILL_SHARE} x`,
    ok: share.median >= FILL_SHARE,
  });
}

async function measureReceipts(context: Context, api: Api, codes: readonly string[]): Promise<void> {
  const { effort, progress, record } = context;
  progress('expand=receipt');
  const askFor = async (count: number, seed: number) => {
    const random = randomNumbers(seed);
    for (let asked = 0; asked < count; asked++) {
      const url = `${api.url}/v2/rate/${pick(codes, random)}/${pick(codes, random)}?expand=receipt`;
      let status = await statusOf(url);
      // Work of the measurements before may still be under way.
      for (let retries = 0; status === 503 && retries < 10; retries++) {
        await delay(RETRY_MS);
        status = await statusOf(url);
      }
      if (status !== 200) throw new Error(`${url}: status ${status}`);
    }
  };
  // The code that makes them is compiled as it runs, as for the other measurements.
  await askFor(WARM_UP_RECEIPTS, 1);
  const times: number[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    times.push((await processorMs(api, () => askFor(RECEIPTS, 7919 * (round + 1)))) / RECEIPTS);
  }
  const time = spreadOf(times);
  record({
    what: 'expand=receipt, a random pair',
    measured: `${showSpread(time, 1)} ms of processor time`,
    reach: `< ${RECEIPT_MS} ms`,
    ok: time.median < RECEIPT_MS,
  });
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

/** The processor time that the API takes meanwhile. */
async function processorMs(api: Api, work: () => Promise<void>): Promise<number> {
  const { cpuMs } = await api.usage();
  await work();
  return (await api.usage()).cpuMs - cpuMs;
}

async function measureConvert(context: Context, api: Api, codes: readonly string[]): Promise<void> {
  const { effort, load, progress, record } = context;
  progress('converting lines');
  const request = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: linesOf(context, codes) };
  const convert = async () => {
    const response = await fetch(`${api.url}/v2/convert`, request);
    await response.text();
    if (response.status !== 200) throw new Error(`POST /v2/convert: status ${response.status}`);
  };
  await convert();
  const before = (await api.usage()).rss;
  const times: number[] = [];
  for (let round = 0; round < effort.rounds; round++) times.push(await processorMs(api, convert));
  const grown = ((await api.usage()).rss - before) / MB;
  const time = spreadOf(times);
  let areOver = false;
  const others = load(api.url, [requestText('/v2/rates?base=EUR&quotes=USD')], {
    ms: 5 * effort.roundMs,
  }).finally(() => {
    areOver = true;
  });
  while (!areOver) await convert();
  const { p99 } = await others;
  record({
    what: `POST /v2/convert, ${LINES} lines of random days and pairs`,
    measured: `${showSpread(time, 0)} ms of processor time; memory grows by ${grown.toFixed(0)} MB; p99 of others ${p99.toFixed(0)} ms meanwhile`,
    reach: `< ${CONVERT_MS} ms; < ${CONVERT_GROWTH_MB} MB; p99 < ${OTHERS_P99_MS} ms`,
    ok: time.median < CONVERT_MS && grown < CONVERT_GROWTH_MB && p99 < OTHERS_P99_MS,
  });
}

function linesOf(context: Context, codes: readonly string[]): string {
  const random = randomNumbers(3);
  const start = startOf(context);
  const days = daysBetween(start, context.until);
  const lines = Array.from({ length: LINES }, (_, line) => {
    const date = addDays(start, Math.floor(random() * days));
    return `${(random() * 10_000).toFixed(2)},${pick(codes, random)},${pick(codes, random)},${date},${line}`;
  });
  return ['amount,base,quote,date,id', ...lines].join('\n');
}

/** Repeated requests while the whole history is blended by the command line. */
async function measureUnderBlend(context: Context, api: Api, databaseUrl: string): Promise<void> {
  const { effort, load, progress, record } = context;
  progress('requests while the whole history is blended');
  const hot = [requestText('/v2/rates?base=EUR')];
  const atRest = await load(api.url, hot, { ms: 5 * effort.roundMs });
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [CLI, 'blend', 'rebuild'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const tails: number[] = [];
  while (child.exitCode === null && child.signalCode === null) tails.push((await load(api.url, hot)).p99);
  await ended;
  if (child.exitCode !== 0) throw new Error(`blend rebuild ended with code ${child.exitCode}`);
  const tail = spreadOf(tails);
  record({
    what: 'hot requests while the whole history is blended',
    measured: `p99 ${showSpread(tail, 1)} ms, at rest ${atRest.p99.toFixed(1)} ms`,
    reach: `p99 at most ${BLEND_FACTOR} x, < ${BLEND_P99_MS} ms`,
    ok: tail.median <= BLEND_FACTOR * atRest.p99 && tail.greatest < BLEND_P99_MS,
  });
}
