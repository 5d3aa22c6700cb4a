import type { Database } from '../core/database/database.js';
import { addDays, daysBetween } from '../core/domain/dates.js';
import { type Api, requestText, startApi } from './support/api.js';
import type { Sending } from './support/baseline.js';
import { type Child, startChild } from './support/children.js';
import type { Ground } from './support/context.js';
import type { LoadResult } from './support/load.js';
import { pick, randomNumbers } from './support/random.js';
import { showSpread, spreadOf } from './support/statistics.js';

/** A kind of request, and how near to the limit it is meant to come. */
interface Case {
  what: string;
  /** Requests for a round: one to be asked again and again, or so many that none comes twice. */
  paths(round: number): string[];
  headers?: Record<string, string>;
  status?: number;
  /** Least share of what bare Express does, and of what bare node:http does. Only shown where there is none. */
  ofExpress?: number;
  ofHttp?: number;
  /** Whether p99 is compared too. */
  tail?: boolean;
}

interface Contender {
  name: 'ours' | 'express' | 'http';
  child: Child;
  url: string;
}

/** More than are asked for in a round. */
const DIFFERENT = 30_000;
/** Bodies that a contender sends by turns. */
const SAMPLES = 64;
const EXPRESS_SHARE = { hot: 2.5, cold: 0.7, dear: 0.3 };
const HTTP_SHARE = 0.5;

/** Measures requests against processes that only send the same bytes. */
export async function measureRequests(ground: Ground, database: Database & { url: string }): Promise<void> {
  const { databases, say } = ground;
  const api = await startApi(database.url, databases.folder);
  const contenders = await startContenders(api);
  try {
    for (const each of await casesOf(ground, api)) {
      say(each.what);
      await measureCase(ground, api, contenders, each);
      api.truncateLog();
    }
  } finally {
    await Promise.all(contenders.map(({ child }) => child.stop()));
  }
}

async function startContenders(api: Api): Promise<Contender[]> {
  const bare = async (name: 'express' | 'http'): Promise<Contender> => {
    const child = startChild(new URL('./support/baseline.js', import.meta.url), {
      env: { CONTENDER: name },
    });
    const { url } = await child.ask<{ url: string }>(undefined, 'listening');
    return { name, child, url };
  };
  return [{ name: 'ours', child: api, url: api.url }, await bare('express'), await bare('http')];
}

async function casesOf({ effort, until }: Ground, api: Api): Promise<Case[]> {
  const codes = await codesOf(api);
  const year = addDays(until, -365);
  const dear = { ofExpress: EXPRESS_SHARE.dear };
  const hot = { ofExpress: EXPRESS_SHARE.hot, ofHttp: HTTP_SHARE, tail: true };
  const same = (path: string) => () => [path];
  const latest = '/v2/rates?base=EUR';
  const tag = (await fetch(api.url + latest)).headers.get('etag') ?? '';
  const different = (make: (random: () => number) => string) => (round: number) => {
    const random = randomNumbers(7919 * (round + 1));
    return Array.from({ length: DIFFERENT }, () => make(random));
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
    { what: 'expand=providers, latest', paths: same('/v2/rates?base=EUR&expand=providers'), ...dear },
    { what: 'providers=ECB, latest', paths: same('/v2/rates?base=EUR&providers=ECB'), ...dear },
    {
      what: 'providers=ECB, a year of it',
      paths: same(`/v2/rates?base=EUR&quotes=USD,GBP,JPY&providers=ECB&from=${year}&to=${until}`),
      ...dear,
    },
    {
      what: 'expand=providers, latest, every one different',
      paths: different(
        (random) => `/v2/rates?base=${pick(codes, random)}&quotes=${someQuotes(random)}&expand=providers`,
      ),
    },
    {
      what: 'providers=ECB, latest, every one different',
      paths: different(
        (random) => `/v2/rates?base=${pick(codes, random)}&quotes=${someQuotes(random)}&providers=ECB`,
      ),
    },
    {
      what: 'providers=ECB, a year, every one different',
      paths: different((random) => {
        const from = someDay(random, start);
        return `/v2/rates?quotes=${someQuotes(random)}&providers=ECB&from=${from}&to=${addDays(from, 365)}`;
      }),
    },
  ];
}

async function codesOf(api: Api): Promise<string[]> {
  const rows = (await (await fetch(`${api.url}/v2/rates?base=USD`)).json()) as { quote: string }[];
  return rows.map(({ quote }) => quote);
}

async function measureCase(
  ground: Ground,
  api: Api,
  contenders: readonly Contender[],
  each: Case,
): Promise<void> {
  const { effort, load, note } = ground;
  const { status = 200, headers = {} } = each;
  const sending = await sample(api, each.paths(0), headers, status);
  for (const { name, child } of contenders) if (name !== 'ours') await child.ask(sending, 'sending');
  const results: Record<Contender['name'], LoadResult[]> = { ours: [], express: [], http: [] };
  const cpu: Record<Contender['name'], number[]> = { ours: [], express: [], http: [] };
  for (let round = 0; round < effort.rounds; round++) {
    // A request that comes round again finds its answer kept: each round has its own.
    const requests = each.paths(round + 1).map((path) => requestText(path, headers));
    // Another one begins each round, as what goes before may tell on what comes after.
    const turn = round % contenders.length;
    for (const { name, child, url } of [...contenders.slice(turn), ...contenders.slice(0, turn)]) {
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
      const answers = (result.perSecond * (effort.warmMs + effort.roundMs)) / 1000;
      cpu[name].push(((after.cpuMs - before.cpuMs) * 1000) / answers);
    }
  }
  const share = (other: 'express' | 'http') =>
    spreadOf(results.ours.map(({ perSecond }, round) => perSecond / (results[other][round]?.perSecond ?? 1)));
  const express = share('express');
  const http = each.ofHttp === undefined ? undefined : share('http');
  const middle = (name: Contender['name'], read: (result: LoadResult) => number) =>
    spreadOf(results[name].map(read)).median;
  const tails = {
    ours: middle('ours', (result) => result.p99),
    express: middle('express', (result) => result.p99),
  };
  const rate = Math.round(middle('ours', ({ perSecond }) => perSecond));
  const micros = (name: Contender['name']) => spreadOf(cpu[name]).median.toFixed(0);
  note({
    what: each.what,
    measured: [
      `${showSpread(express, 2)} x Express`,
      ...(http ? [`${showSpread(http, 2)} x node:http`] : []),
      `p99 ${tails.ours.toFixed(1)} ms, Express ${tails.express.toFixed(1)} ms`,
      `${rate}/s of ${Math.round(middle('ours', ({ bytesPerAnswer }) => bytesPerAnswer))} bytes`,
      `processor ${micros('ours')} us each, Express ${micros('express')}${http ? `, node:http ${micros('http')}` : ''}`,
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
          (!each.tail || tails.ours <= tails.express),
  });
}

/** What our API answers to some of the requests, for the contenders to send. */
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
    if (response.status !== status) throw new Error(`${path}: answered ${response.status}`);
    contentType = response.headers.get('content-type') ?? '';
    const body = new Uint8Array(await response.arrayBuffer());
    if (status !== 304) bodies.push(body);
  }
  return { type: 'send', status, contentType, bodies, streamed: false };
}
