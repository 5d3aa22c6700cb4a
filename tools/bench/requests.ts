import type { Database } from '../../core/database/database.js';
import { addDays, daysBetween } from '../../core/domain/dates.js';
import { measureDialects } from './dialects.js';
import { type Api, requestText, startApi } from './support/api.js';
import type { Sending } from './support/baseline.js';
import { type Child, startChild } from './support/children.js';
import type { Context } from './support/context.js';
import type { LoadResult } from './support/load.js';
import { pick, randomNumbers } from './support/random.js';
import { showSpread, spreadOf } from './support/statistics.js';

/** A kind of request, and its targets relative to the baselines. */
interface Case {
  what: string;
  /** Requests of a round: one that is repeated, or enough that none is sent twice. */
  paths(round: number): string[];
  headers?: Record<string, string>;
  status?: number;
  /** Least rate as a ratio to bare Express, and to bare node:http. Without one, the ratio is only shown. */
  ofExpress?: number;
  ofHttp?: number;
  /** Whether p99 must not exceed that of Express. */
  tail?: boolean;
}

/** A process that is measured: the API, or a baseline. */
interface Server {
  name: 'almanac' | 'express' | 'http';
  child: Child;
  url: string;
}

/** The number of bodies that a baseline sends in rotation. */
const SAMPLES = 64;
const EXPRESS_SHARE = { hot: 2.5, cold: 0.7, expensive: 0.3, ofSourceOverYear: 0.5 };
const HTTP_SHARE = 0.5;

/** Measures requests, beside baselines that only send the same bytes. */
export async function measureRequests(context: Context, database: Database & { url: string }): Promise<void> {
  const { databases, progress } = context;
  const api = await startApi(database.url, databases.folder);
  const servers = await startServers(api);
  try {
    for (const each of await casesOf(context, api)) {
      progress(each.what);
      await measureCase(context, api, servers, each);
      api.truncateLog();
    }
    await measureDialects(context, api);
  } finally {
    await Promise.all(servers.map(({ child }) => child.stop()));
  }
}

/** Measures an API on published files by those of these requests that read blended rates alone. */
export async function measureEdgeRequests(context: Context, edge: Api): Promise<void> {
  const servers = await startServers(edge);
  try {
    for (const each of await casesOf(context, edge)) {
      if (!/^(hot|cold):/.test(each.what)) continue;
      context.progress(`without a database, ${each.what}`);
      await measureCase(context, edge, servers, { ...each, what: `without a database, ${each.what}` });
      edge.truncateLog();
    }
  } finally {
    await Promise.all(servers.map(({ child }) => child.stop()));
  }
}

async function startServers(api: Api): Promise<Server[]> {
  const bare = async (name: 'express' | 'http'): Promise<Server> => {
    const child = startChild(new URL('./support/baseline.js', import.meta.url), {
      env: { BASELINE: name },
    });
    const { url } = await child.request<{ url: string }>(undefined, 'listening');
    return { name, child, url };
  };
  return [{ name: 'almanac', child: api, url: api.url }, await bare('express'), await bare('http')];
}

async function casesOf({ effort, until }: Context, api: Api): Promise<Case[]> {
  const codes = await codesOf(api);
  const year = addDays(until, -365);
  const expensive = { ofExpress: EXPRESS_SHARE.expensive };
  const hot = { ofExpress: EXPRESS_SHARE.hot, ofHttp: HTTP_SHARE, tail: true };
  const same = (path: string) => () => [path];
  const latest = '/v2/rates?base=EUR';
  const tag = (await fetch(api.url + latest)).headers.get('etag') ?? '';
  const different = (make: (random: () => number) => string) => (round: number) => {
    const random = randomNumbers(7919 * (round + 1));
    return Array.from({ length: effort.different }, () => make(random));
  };
  const somePair = (random: () => number) => `base=${pick(codes, random)}&quotes=${pick(codes, random)}`;
  const someQuotes = (random: () => number) =>
    Array.from({ length: 3 + Math.floor(random() * 5) }, () => pick(codes, random)).join(',');
  const someDay = (random: () => number, from: string) =>
    addDays(from, Math.floor(random() * (daysBetween(from, until) + 1)));
  const start = addDays(until, -Math.floor(365 * effort.years));
  return [
    { what: 'hot: latest EUR', paths: same(latest), ...hot },
    {
      what: 'hot: base=USD&quotes=EUR,GBP,JPY,CHF',
      paths: same('/v2/rates?base=USD&quotes=EUR,GBP,JPY,CHF'),
      ...hot,
    },
    {
      what: 'hot: a year of one pair',
      paths: same(`/v2/rates?base=EUR&quotes=USD&from=${year}&to=${until}`),
      ...hot,
    },
    {
      what: 'hot: a five-year month series',
      paths: same(`/v2/rates?base=EUR&quotes=USD&group=month&from=${start}&to=${until}`),
      ...hot,
    },
    { what: 'hot: a 304', paths: same(latest), headers: { 'if-none-match': tag }, status: 304, ...hot },
    {
      what: 'cold: latest, random base and quotes',
      paths: different((random) => `/v2/rates?base=${pick(codes, random)}&quotes=${someQuotes(random)}`),
      ofExpress: EXPRESS_SHARE.cold,
    },
    {
      what: 'cold: a random day, random base',
      paths: different((random) => `/v2/rates?base=${pick(codes, random)}&date=${someDay(random, start)}`),
      ofExpress: EXPRESS_SHARE.cold,
    },
    {
      what: 'cold: a random pair over a random year',
      paths: different((random) => {
        const from = someDay(random, start);
        return `/v2/rates?${somePair(random)}&from=${from}&to=${addDays(from, 365)}`;
      }),
      ofExpress: EXPRESS_SHARE.cold,
    },
    { what: 'expand=providers, latest', paths: same('/v2/rates?base=EUR&expand=providers'), ...expensive },
    { what: 'providers=ECB, latest', paths: same('/v2/rates?base=EUR&providers=ECB'), ...expensive },
    {
      what: 'providers=ECB, a year of it',
      paths: same(`/v2/rates?base=EUR&quotes=USD,GBP,JPY&providers=ECB&from=${year}&to=${until}`),
      ...expensive,
    },
    {
      what: 'expand=providers, latest, every one different',
      paths: different(
        (random) => `/v2/rates?base=${pick(codes, random)}&quotes=${someQuotes(random)}&expand=providers`,
      ),
      ofExpress: EXPRESS_SHARE.cold,
    },
    {
      what: 'providers=ECB, latest, every one different',
      paths: different(
        (random) => `/v2/rates?base=${pick(codes, random)}&quotes=${someQuotes(random)}&providers=ECB`,
      ),
      ofExpress: EXPRESS_SHARE.cold,
    },
    {
      what: 'providers=ECB, a year, every one different',
      paths: different((random) => {
        const from = someDay(random, start);
        return `/v2/rates?quotes=${someQuotes(random)}&providers=ECB&from=${from}&to=${addDays(from, 365)}`;
      }),
      ofExpress: EXPRESS_SHARE.ofSourceOverYear,
    },
  ];
}

async function codesOf(api: Api): Promise<string[]> {
  const rows = (await (await fetch(`${api.url}/v2/rates?base=USD`)).json()) as { quote: string }[];
  return rows.map(({ quote }) => quote);
}

async function measureCase(
  context: Context,
  api: Api,
  servers: readonly Server[],
  each: Case,
): Promise<void> {
  const { effort, load, record } = context;
  const { status = 200, headers = {} } = each;
  const sending = await sample(api, each.paths(0), headers, status);
  for (const { name, child } of servers) if (name !== 'almanac') await child.request(sending, 'sending');
  const results: Record<Server['name'], LoadResult[]> = { almanac: [], express: [], http: [] };
  const cpu: Record<Server['name'], number[]> = { almanac: [], express: [], http: [] };
  for (let round = 0; round < effort.rounds; round++) {
    // A repeated request would be served from the response cache: each round has its own.
    const requests = each.paths(round + 1).map((path) => requestText(path, headers));
    // Each round starts with another server, as the one measured before can affect the next.
    const first = round % servers.length;
    for (const { name, child, url } of [...servers.slice(first), ...servers.slice(0, first)]) {
      if (name === 'http' && each.ofHttp === undefined) continue;
      const before = await child.usage();
      const result = await load({
        port: Number(new URL(url).port),
        requests,
        status,
        warmMs: effort.warmMs,
        ms: effort.roundMs,
      });
      const after = await child.usage();
      results[name].push(result);
      const responses = (result.perSecond * (effort.warmMs + effort.roundMs)) / 1000;
      cpu[name].push(((after.cpuMs - before.cpuMs) * 1000) / responses);
    }
  }
  const share = (other: 'express' | 'http') =>
    spreadOf(
      results.almanac.map(({ perSecond }, round) => perSecond / (results[other][round]?.perSecond ?? 1)),
    );
  const express = share('express');
  const http = each.ofHttp === undefined ? undefined : share('http');
  const middle = (name: Server['name'], read: (result: LoadResult) => number) =>
    spreadOf(results[name].map(read)).median;
  const tails = {
    almanac: middle('almanac', (result) => result.p99),
    express: middle('express', (result) => result.p99),
  };
  const rate = Math.round(middle('almanac', ({ perSecond }) => perSecond));
  const micros = (name: Server['name']) => spreadOf(cpu[name]).median.toFixed(0);
  record({
    what: each.what,
    measured: [
      `${showSpread(express, 2)} x Express`,
      ...(http ? [`${showSpread(http, 2)} x node:http`] : []),
      `p99 ${tails.almanac.toFixed(1)} ms, Express ${tails.express.toFixed(1)} ms`,
      `${rate}/s of ${Math.round(middle('almanac', ({ bytesPerResponse }) => bytesPerResponse))} bytes`,
      `processor ${micros('almanac')} us each, Express ${micros('express')}${http ? `, node:http ${micros('http')}` : ''}`,
    ].join('; '),
    reach: [
      ...(each.ofExpress === undefined ? [] : [`${each.ofExpress} x Express`]),
      ...(each.ofHttp === undefined ? [] : [`${each.ofHttp} x node:http`]),
      ...(each.tail ? ["p99 at most Express's"] : []),
    ].join('; '),
    ok:
      each.ofExpress === undefined
        ? undefined
        : express.median >= each.ofExpress &&
          (!http || http.median >= (each.ofHttp ?? 0)) &&
          (!each.tail || tails.almanac <= tails.express),
  });
}

/** The API's responses to some of the requests, for the baselines to send. */
async function sample(
  api: Api,
  paths: readonly string[],
  headers: Record<string, string>,
  status: number,
): Promise<Sending> {
  const bodies: Uint8Array[] = [];
  let contentType = '';
  for (const path of paths.slice(0, SAMPLES)) {
    const response = await fetch(api.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });
    if (response.status !== status) throw new Error(`${path}: status ${response.status}`);
    contentType = response.headers.get('content-type') ?? '';
    const body = new Uint8Array(await response.arrayBuffer());
    if (status !== 304) bodies.push(body);
  }
  return { type: 'send', status, contentType, bodies, streamed: false };
}
