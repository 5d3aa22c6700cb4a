import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { versionsFrom } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { inOneView } from '../../core/database/transactions.js';
import { addDays, daysBetween } from '../../core/domain/dates.js';
import { type Api, requestText, startApi } from './support/api.js';
import type { Context } from './support/context.js';
import { download } from './support/download.js';
import type { LoadResult } from './support/load.js';
import { pick, randomNumbers } from './support/random.js';
import { showSpread, spreadOf } from './support/statistics.js';

const FILL_SHARE = 0.6;
const STATS_SHARE = 0.3;
const AS_OF_SHARE = 0.2;
const RECEIPTS = 20;
const WARM_UP_RECEIPTS = 100;
const RECEIPT_MS = 10;
const RETRY_MS = 1_000;
const LINES = 10_000;
const CONVERT_MS = 150;
const CONVERT_GROWTH_MB = 32;
const OTHERS_P99_MS = 50;
const INGEST_FACTOR = 2;
const INGEST_P99_MS = 100;
const MB = 1e6;

/** What the measurements of options are made of. */
interface Options extends Context {
  api: Api;
  codes: readonly string[];
  /** The first day of the history. */
  start: string;
}

/** Measures what options cost beside the same request without them, conversions, and requests while rates are blended. */
export async function measureOptions(context: Context, database: Database & { url: string }): Promise<void> {
  const { databases, effort, until } = context;
  const api = await startApi(database.url, databases.folder);
  try {
    const latest = (await (await fetch(`${api.url}/v2/rates?base=USD`)).json()) as { quote: string }[];
    const codes = latest.map(({ quote }) => quote);
    const options = { ...context, api, codes, start: addDays(until, -Math.floor(365 * effort.years)) };
    await measureFill(options);
    await measureStats(options);
    await measureAsOf(options, database);
    await measureReceipts(options);
    await measureConvert(options);
    await measureUnderBlend(options, database);
  } finally {
    await api.stop();
  }
}

async function measureFill(options: Options): Promise<void> {
  const { api, codes, effort, progress, record, start, until } = options;
  await compare(options, {
    what: 'fill=forward, a random pair over a random year',
    path: (random) => {
      const from = addDays(start, Math.floor(random() * (daysBetween(start, until) + 1)));
      return `/v2/rates?base=${pick(codes, random)}&quotes=${pick(codes, random)}&from=${from}&to=${addDays(from, 365)}`;
    },
    option: '&fill=forward',
    share: FILL_SHARE,
  });
  progress('fill=forward, all currencies');
  const path = `/v2/rates?base=EUR&from=${start}&to=${until}`;
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

async function measureStats(options: Options): Promise<void> {
  const { codes, start, until } = options;
  await compare(options, {
    what: `expand=stats, a month series of a random pair`,
    path: (random) =>
      `/v2/rates?base=${pick(codes, random)}&quotes=${pick(codes, random)}&group=month&from=${start}&to=${addDays(until, -Math.floor(random() * Math.min(60, daysBetween(start, until))))}`,
    option: '&expand=stats',
    share: STATS_SHARE,
  });
}

/** What was known at the version before the newest one. */
async function measureAsOf(options: Options, database: Database): Promise<void> {
  const { codes, until } = options;
  const versions = await inOneView(database, (view) => versionsFrom(view, 0n));
  const known = new Date(versions.at(-2)?.createdAt ?? versions[0]?.createdAt ?? 0).toISOString();
  const option = `&as_of=${known}`;
  const latest = (random: () => number) =>
    `/v2/rates?base=${pick(codes, random)}&quotes=${pick(codes, random)},${pick(codes, random)}`;
  const year = (random: () => number) =>
    `/v2/rates?base=${pick(codes, random)}&quotes=${pick(codes, random)}&from=${addDays(until, -365)}&to=${until}`;
  await compare(options, { what: 'as_of, latest', path: latest, option, share: AS_OF_SHARE });
  await compare(options, { what: "as_of, a random pair's year", path: year, option, share: AS_OF_SHARE });
}

async function measureReceipts(options: Options): Promise<void> {
  const { api, codes, effort, progress, record } = options;
  progress('expand=receipt');
  const times: number[] = [];
  const askFor = async (count: number, seed: number) => {
    const random = randomNumbers(seed);
    for (let asked = 0; asked < count; asked++) {
      const pair = `${pick(codes, random)}/${pick(codes, random)}`;
      const url = `${api.url}/v2/rate/${pair}?expand=receipt`;
      let status = await statusOf(url);
      // Work of the measurements before may still be under way.
      for (let retries = 0; status === 503 && retries < 10; retries++) {
        await delay(RETRY_MS);
        status = await statusOf(url);
      }
      if (status !== 200) throw new Error(`a receipt of ${pair}: status ${status}`);
    }
  };
  // The code that makes them is compiled as it runs, as for the other measurements.
  await askFor(WARM_UP_RECEIPTS, 1);
  for (let round = 0; round < effort.rounds; round++) {
    const { cpuMs } = await api.usage();
    await askFor(RECEIPTS, 7919 * (round + 1));
    times.push(((await api.usage()).cpuMs - cpuMs) / RECEIPTS);
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

interface Comparison {
  what: string;
  path(random: () => number): string;
  /** What is added to the path. */
  option: string;
  /** Least rate as a ratio to that without the option. */
  share: number;
}

async function compare(options: Options, { what, path, option, share }: Comparison): Promise<void> {
  const { effort, progress, record } = options;
  progress(what);
  const shares: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const random = randomNumbers(7919 * (round + 1));
    const paths = Array.from({ length: effort.different }, () => path(random));
    const plain = await send(options, paths);
    const { perSecond } = await send(
      options,
      paths.map((each) => each + option),
    );
    shares.push(perSecond / plain.perSecond);
    rates.push(perSecond);
  }
  const measured = spreadOf(shares);
  record({
    what,
    measured: `${showSpread(measured, 2)} x without it; ${spreadOf(rates).median.toFixed(0)}/s`,
    reach: `${share} x`,
    ok: measured.median >= share,
  });
}

function send(
  { api, effort, load }: Options,
  paths: readonly string[],
  ms = effort.roundMs,
): Promise<LoadResult> {
  const requests = paths.map((path) => requestText(path));
  return load({ port: Number(new URL(api.url).port), requests, status: 200, warmMs: effort.warmMs, ms });
}

async function measureConvert(options: Options): Promise<void> {
  const { api, effort, progress, record } = options;
  progress('converting lines');
  const random = randomNumbers(3);
  const body = linesToConvert(options, random);
  const convert = async () => {
    const response = await fetch(`${api.url}/v2/convert`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body,
    });
    const { length } = await response.text();
    if (response.status !== 200) throw new Error(`POST /v2/convert: status ${response.status}`);
    return length;
  };
  await convert();
  const before = (await api.usage()).rss;
  const times: number[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const { cpuMs } = await api.usage();
    await convert();
    times.push((await api.usage()).cpuMs - cpuMs);
  }
  const grown = ((await api.usage()).rss - before) / MB;
  const time = spreadOf(times);
  const others = send(options, ['/v2/rates?base=EUR&quotes=USD'], 5 * effort.roundMs);
  let areOver = false;
  void others.finally(() => {
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

function linesToConvert({ codes, start, until }: Options, random: () => number): string {
  const days = daysBetween(start, until);
  const lines = Array.from({ length: LINES }, (_, line) => {
    const amount = (random() * 10_000).toFixed(2);
    const date = addDays(start, Math.floor(random() * days));
    return `${amount},${pick(codes, random)},${pick(codes, random)},${date},${line}`;
  });
  return ['amount,base,quote,date,id', ...lines].join('\n');
}

/** Repeated requests while the whole history is blended by the command line. */
async function measureUnderBlend(options: Options, database: { url: string }): Promise<void> {
  const { effort, progress, record } = options;
  progress('requests while the whole history is blended');
  const hot = ['/v2/rates?base=EUR'];
  const atRest = await send(options, hot, 5 * effort.roundMs);
  const blending = { isOver: false };
  const blend = rebuild(database.url).finally(() => {
    blending.isOver = true;
  });
  const tails: number[] = [];
  while (!blending.isOver) tails.push((await send(options, hot)).p99);
  await blend;
  const tail = spreadOf(tails);
  record({
    what: 'hot requests while the whole history is blended',
    measured: `p99 ${showSpread(tail, 1)} ms, at rest ${atRest.p99.toFixed(1)} ms`,
    reach: `p99 at most ${INGEST_FACTOR} x, < ${INGEST_P99_MS} ms`,
    ok: tail.median <= INGEST_FACTOR * atRest.p99 && tail.greatest < INGEST_P99_MS,
  });
}

async function rebuild(databaseUrl: string): Promise<void> {
  const program = fileURLToPath(new URL('../../worker/cli/main.js', import.meta.url));
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [program, 'blend', 'rebuild'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`blend rebuild ended with code ${code}`);
}
