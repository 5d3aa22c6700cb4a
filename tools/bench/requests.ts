import { versionsFrom } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { inOneView } from '../../core/database/transactions.js';
import { addDays, type CalendarDate, daysBetween } from '../../core/domain/dates.js';
import { type Api, codesOf, requestText, type Server, startApi, startBaseline } from './support/api.js';
import type { Sending } from './support/baseline.js';
import type { Context } from './support/context.js';
import type { LoadResult } from './support/load.js';
import { pick, randomNumbers } from './support/random.js';
import { showSpread, spreadOf } from './support/statistics.js';

/** A kind of request, and how fast it has to be beside others. */
interface Case {
  what: string;
  /** One that is repeated, or one of many that are all different. */
  path: string | ((random: () => number) => string);
  /** What is added to the path: the plain request is without it. */
  option?: string;
  /** The plain request where it is another one. */
  plain?: string;
  headers?: Record<string, string>;
  status?: number;
  /** Least rates as ratios to baselines that only send the same bytes, and to the plain request. */
  share: Partial<Record<'Express' | 'node:http' | 'plain', number>>;
  /** Whether p99 must not exceed that of Express. */
  tail?: true;
}

/** The number of bodies that a baseline sends in rotation. */
const SAMPLES = 64;
const HOT = { share: { Express: 2.5, 'node:http': 0.5 }, tail: true } as const;
const COLD = { share: { Express: 0.7 } };
const EXPENSIVE = { share: { Express: 0.3 } };

/** Measures requests, beside baselines that only send the same bytes, and beside requests without an option. */
export async function measureRequests(context: Context, database: Database & { url: string }): Promise<void> {
  const versions = await inOneView(database, (view) => versionsFrom(view, 0n));
  const known = versions.at(-2)?.createdAt ?? versions[0]?.createdAt;
  const api = await startApi(database.url, context.databases.folder);
  const cases = [...(await casesOf(context, api)), ...(await optionsOf(context, api, new Date(known ?? 0)))];
  await measureCases(context, api, cases).finally(() => api.stop());
}

/** Measures an API on published files by those of these requests that read blended rates alone. */
export async function measureEdgeRequests(context: Context, edge: Api): Promise<void> {
  const cases = (await casesOf(context, edge)).filter(({ what }) => /^(hot|cold):/.test(what));
  const named = cases.map((each) => ({ ...each, what: `without a database, ${each.what}` }));
  await measureCases(context, edge, named).finally(() => edge.stop());
}

interface Baseline {
  name: 'Express' | 'node:http';
  server: Server;
}

async function measureCases(context: Context, api: Api, cases: readonly Case[]): Promise<void> {
  const baselines: Baseline[] = [
    { name: 'Express', server: await startBaseline('express') },
    { name: 'node:http', server: await startBaseline('http') },
  ];
  try {
    for (const each of cases) {
      context.progress(each.what);
      await measureCase(context, api, baselines, each);
    }
  } finally {
    for (const { server } of baselines) await server.stop();
  }
}

/** What random paths are made of. */
async function materialOf({ effort, until }: Context, api: Api) {
  const codes = await codesOf(api);
  const start = addDays(until, -Math.floor(365 * effort.years));
  const code = (random: () => number) => pick(codes, random);
  const year = (from: CalendarDate) => `from=${from}&to=${addDays(from, 365)}`;
  return {
    start,
    code,
    year,
    pair: (random: () => number) => `base=${code(random)}&quotes=${code(random)}`,
    quotes: (random: () => number) =>
      Array.from({ length: 3 + Math.floor(random() * 5) }, () => code(random)).join(','),
    day: (random: () => number) => addDays(start, Math.floor(random() * (daysBetween(start, until) + 1))),
  };
}

async function casesOf(context: Context, api: Api): Promise<Case[]> {
  const { until } = context;
  const { start, code, year, pair, quotes, day } = await materialOf(context, api);
  const lastYear = year(addDays(until, -365));
  const latest = '/v2/rates?base=EUR';
  const tag = (await fetch(api.url + latest)).headers.get('etag') ?? '';
  const months = `group=month&from=${start}&to=${until}`;
  return [
    { what: 'hot: latest EUR', path: latest, ...HOT },
    ...['base=USD&quotes=EUR,GBP,JPY,CHF'].map((query) => ({
      ...{ what: `hot: ${query}`, path: `/v2/rates?${query}`, ...HOT },
    })),
    { what: 'hot: a year of one pair', path: `/v2/rates?base=EUR&quotes=USD&${lastYear}`, ...HOT },
    { what: 'hot: a five-year month series', path: `/v2/rates?base=EUR&quotes=USD&${months}`, ...HOT },
    { what: 'hot: a 304', path: latest, headers: { 'if-none-match': tag }, status: 304, ...HOT },
    {
      what: 'cold: latest, random base and quotes',
      path: (random) => `/v2/rates?base=${code(random)}&quotes=${quotes(random)}`,
      ...COLD,
    },
    {
      what: 'cold: a random day, random base',
      path: (random) => `/v2/rates?base=${code(random)}&date=${day(random)}`,
      ...COLD,
    },
    {
      what: 'cold: a random pair over a random year',
      path: (random) => `/v2/rates?${pair(random)}&${year(day(random))}`,
      ...COLD,
    },
    { what: 'expand=providers, latest', path: '/v2/rates?base=EUR&expand=providers', ...EXPENSIVE },
    { what: 'providers=ECB, latest', path: '/v2/rates?base=EUR&providers=ECB', ...EXPENSIVE },
    {
      what: 'providers=ECB, a year of it',
      path: `/v2/rates?base=EUR&quotes=USD,GBP,JPY&providers=ECB&${lastYear}`,
      ...EXPENSIVE,
    },
    ...['expand=providers', 'providers=ECB'].map((option) => ({
      what: `${option}, latest, every one different`,
      path: (random: () => number) => `/v2/rates?base=${code(random)}&quotes=${quotes(random)}&${option}`,
      ...COLD,
    })),
    {
      what: 'providers=ECB, a year, every one different',
      path: (random) => `/v2/rates?quotes=${quotes(random)}&providers=ECB&${year(day(random))}`,
      share: { Express: 0.5 },
    },
  ];
}

/** Requests beside those without an option, and a dialect beside the request of `/v2` that has the same rates. */
async function optionsOf(context: Context, api: Api, known: Date): Promise<Case[]> {
  const { until } = context;
  const { start, code, year, pair, day } = await materialOf(context, api);
  const lastYear = year(addDays(until, -365));
  const dialect = '/oxr/api/latest.json?app_id=any';
  const asOf = { option: `&as_of=${known.toISOString()}`, share: { plain: 0.2 } };
  return [
    { what: `hot: ${dialect}`, path: dialect, plain: '/v2/rates?base=USD', share: { plain: 0.8 } },
    {
      what: 'fill=forward, a random pair over a random year',
      path: (random) => `/v2/rates?${pair(random)}&${year(day(random))}`,
      ...{ option: '&fill=forward', share: { plain: 0.6 } },
    },
    {
      what: 'expand=stats, a month series of a random pair',
      path: (random) => {
        const to = addDays(until, -Math.floor(random() * Math.min(60, daysBetween(start, until))));
        return `/v2/rates?${pair(random)}&group=month&from=${start}&to=${to}`;
      },
      ...{ option: '&expand=stats', share: { plain: 0.3 } },
    },
    { what: 'as_of, latest', path: (random) => `/v2/rates?${pair(random)},${code(random)}`, ...asOf },
    {
      what: "as_of, a random pair's year",
      path: (random) => `/v2/rates?${pair(random)}&${lastYear}`,
      ...asOf,
    },
  ];
}

/** One that requests are sent to in each round, and how fast the API has to be beside it. */
interface Runner {
  name: string;
  server: Server;
  /** What it sends for a path. */
  sends(path: string): string;
  least: number;
}

function runnersOf(
  api: Server,
  baselines: readonly Baseline[],
  { option = '', plain, share }: Case,
): Runner[] {
  const sends = (path: string) => path + option;
  const bare = baselines.map((baseline) => ({ ...baseline, sends, least: share[baseline.name] ?? 0 }));
  return [
    { name: 'Almanac', server: api, sends, least: 1 },
    ...bare.filter(({ least }) => least > 0),
    ...(share.plain === undefined
      ? []
      : [
          {
            name: plain ?? `without ${option.slice(1)}`,
            server: api,
            sends: (path: string) => plain ?? path,
            least: share.plain,
          },
        ]),
  ];
}

interface Result extends LoadResult {
  /** Microseconds of processor time for each response. */
  micros: number;
}

async function measureCase(
  context: Context,
  api: Api,
  baselines: readonly Baseline[],
  each: Case,
): Promise<void> {
  const { effort, load } = context;
  const { path, headers = {}, status = 200 } = each;
  // A repeated request would be served from the response cache: each round has its own.
  const pathsOf = (round: number) => {
    const random = randomNumbers(7919 * (round + 1));
    return typeof path === 'string' ? [path] : Array.from({ length: effort.different }, () => path(random));
  };
  const runners = runnersOf(api, baselines, each);
  const sending = await sample(api, pathsOf(0), headers, status);
  for (const { server } of runners) if (server !== api) await server.request(sending, 'sending');
  const results = runners.map((): Result[] => []);
  for (let round = 0; round < effort.rounds; round++) {
    const paths = pathsOf(round + 1);
    for (const turn of runners.keys()) {
      // Each round starts with another server, as the one measured before can affect the next.
      const at = (round + turn) % runners.length;
      const { server, sends } = runners[at] as Runner;
      const texts = paths.map((each) => requestText(sends(each), headers));
      const { cpuMs } = await server.usage();
      const result = await load(server.url, texts, { status });
      const usedMs = (await server.usage()).cpuMs - cpuMs;
      const responses = (result.perSecond * (effort.warmMs + effort.roundMs)) / 1000;
      results[at]?.push({ ...result, micros: (usedMs * 1000) / responses });
    }
  }
  recordRace(context, each, runners, results);
}

function recordRace(
  { record }: Context,
  { what, tail }: Case,
  runners: readonly Runner[],
  results: readonly Result[][],
): void {
  const figures = runners.map(({ name, least }, at) => {
    const own = results[at] ?? [];
    const middle = (read: (result: Result) => number) => spreadOf(own.map(read)).median;
    const ratios = own.map(({ perSecond }, round) => (results[0]?.[round]?.perSecond ?? 0) / perSecond);
    return { name, least, middle, p99: middle(({ p99 }) => p99), ratio: spreadOf(ratios) };
  });
  const [almanac, ...others] = figures;
  if (almanac === undefined) return;
  const of = (read: (result: Result) => number) => almanac.middle(read).toFixed(0);
  const beside = (show: (figure: (typeof figures)[number]) => string) =>
    [almanac, ...others]
      .map((each) => (each === almanac ? show(each) : `${each.name} ${show(each)}`))
      .join(', ');
  record({
    what,
    measured: [
      ...others.map(({ name, ratio }) => `${showSpread(ratio, 2)} x ${name}`),
      `p99 ${beside(({ p99 }) => `${p99.toFixed(1)} ms`)}`,
      `${of(({ perSecond }) => perSecond)}/s of ${of(({ bytesPerResponse }) => bytesPerResponse)} bytes`,
      `processor ${beside(({ middle }) => `${middle(({ micros }) => micros).toFixed(0)} us`)}`,
    ].join('; '),
    reach: [
      ...others.map(({ name, least }) => `${least} x ${name}`),
      ...(tail ? ["p99 at most Express's"] : []),
    ].join('; '),
    ok:
      others.every(({ ratio, least }) => ratio.median >= least) &&
      (!tail || others.every(({ name, p99 }) => name !== 'Express' || almanac.p99 <= p99)),
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
