import type { Server } from '../programs/programs.js';
import { seededRandom } from '../random.js';
import { type Api, requestText, startBaseline, usageOf } from './support/api.js';
import type { Sending } from './support/baseline.js';
import type { Context } from './support/context.js';
import type { LoadResult } from './support/load.js';
import { showSpread, spreadOf } from './support/statistics.js';

/** A kind of request, and its required speed. */
export interface Case {
  what: string;
  /** A path that is repeated, or a function that returns another path for each request. */
  path: string | ((random: () => number) => string);
  /** Added to the path. The plain request does not have it. */
  option?: string;
  headers?: Record<string, string>;
  status?: number;
  /** The number of concurrent connections, if not the usual one. */
  connections?: number;
  /** The lowest request rates, relative to baselines that only send the same bytes, and to the plain request. */
  share: Partial<Record<'Express' | 'node:http' | 'plain', number>>;
  /** Whether p99 must not exceed that of Express. */
  tail?: true;
  /** The most processor time for each request, in microseconds. */
  mostMicros?: number;
}

/** A server that gets requests in each round, and the required ratio of the API's speed to its speed. */
interface Runner {
  name: string;
  server: Server;
  /** Added to the path. */
  option: string;
  least: number;
}

interface Result extends LoadResult {
  /** Microseconds of processor time for each response. */
  micros: number;
}

const SAMPLES = 64;

/** Measures each case beside the baselines and requests that it names. */
export async function measureCases(context: Context, api: Api, cases: readonly Case[]): Promise<void> {
  const baselines = {
    Express: await startBaseline('express'),
    'node:http': await startBaseline('http'),
    plain: api,
  };
  try {
    for (const each of cases) {
      const { what, option = '', share } = each;
      context.progress(what);
      const runners: Runner[] = [{ name: 'Almanac', server: api, option, least: 0 }];
      for (const [name, least] of Object.entries(share)) {
        const server = baselines[name as keyof typeof share];
        const isPlain = server === api;
        runners.push({ name: isPlain ? 'without it' : name, server, option: isPlain ? '' : option, least });
      }
      recordRace(context, each, runners, await race(context, each, runners));
    }
  } finally {
    await Promise.all([baselines.Express.stop(), baselines['node:http'].stop()]);
  }
}

async function race(context: Context, each: Case, runners: readonly Runner[]): Promise<Result[][]> {
  const { effort, load } = context;
  const { path, option = '', headers = {}, status = 200, connections } = each;
  // A repeated request would be served from the response cache: each round has its own.
  const pathsOf = (round: number) => {
    const random = seededRandom(String(round));
    return typeof path === 'string' ? [path] : Array.from({ length: effort.different }, () => path(random));
  };
  const api = runners[0]?.server;
  const baselines = runners.filter(({ server }) => server !== api);
  if (baselines.length > 0) {
    const urls = pathsOf(0)
      .slice(0, SAMPLES)
      .map((one) => `${api?.url}${one}${option}`);
    const sending = await sample(urls, headers, status);
    for (const { server } of baselines) await server.request(sending, 'sending');
  }
  const results = runners.map((): Result[] => []);
  for (let round = 0; round < effort.rounds; round++) {
    const paths = pathsOf(round + 1);
    for (const turn of runners.keys()) {
      // Each round starts with another server, as the one measured before can affect the next.
      const at = (round + turn) % runners.length;
      const { server, option } = runners[at] as Runner;
      const texts = paths.map((one) => requestText(one + option, headers));
      const { cpuMs } = await usageOf(server);
      const result = await load(server.url, texts, {
        status,
        ...(connections !== undefined && { connections }),
      });
      const usedMs = (await usageOf(server)).cpuMs - cpuMs;
      const responses = (result.perSecond * (effort.warmMs + effort.roundMs)) / 1000;
      results[at]?.push({ ...result, micros: (usedMs * 1000) / responses });
    }
  }
  return results;
}

function recordRace(
  { record }: Context,
  { what, tail, mostMicros = Number.POSITIVE_INFINITY }: Case,
  runners: readonly Runner[],
  results: readonly Result[][],
): void {
  const figures = runners.map(({ name, least }, at) => {
    const own = results[at] ?? [];
    const middle = (read: (result: Result) => number) => spreadOf(own.map(read)).median;
    const ratio = spreadOf(
      own.map(({ perSecond }, round) => (results[0]?.[round]?.perSecond ?? 0) / perSecond),
    );
    const [p99, micros] = [middle((result) => result.p99), middle((result) => result.micros)];
    const rate = `${middle(({ perSecond }) => perSecond).toFixed(0)}/s of ${middle(({ bytesPerResponse }) => bytesPerResponse).toFixed(0)} bytes`;
    const shown = `${at === 0 ? rate : `${showSpread(ratio, 2)} x ${name}`}, p99 ${p99.toFixed(1)} ms, processor ${micros.toFixed(0)} us each`;
    return { name, least, ratio, p99, micros, shown };
  });
  const [own, ...others] = figures;
  const isTailShort = others.every(({ name, p99 }) => name !== 'Express' || (own?.p99 ?? 0) <= p99);
  record({
    what,
    measured: figures.map(({ shown }) => shown).join('; '),
    reach: [
      ...others.map(({ name, least }) => `${least} x ${name}`),
      ...(tail ? ["p99 at most Express's"] : []),
      ...(Number.isFinite(mostMicros) ? [`processor < ${mostMicros} us`] : []),
    ].join('; '),
    ok:
      (own?.micros ?? 0) <= mostMicros &&
      others.every(({ ratio, least }) => ratio.median >= least) &&
      (!tail || isTailShort),
  });
}

/** Responses of the API, for the baselines to send. */
export async function sample(
  urls: readonly string[],
  headers: Record<string, string> = {},
  status = 200,
): Promise<Sending> {
  const bodies: Uint8Array[] = [];
  let contentType = '';
  for (const url of urls) {
    const response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers } });
    if (response.status !== status) throw new Error(`${url}: status ${response.status}`);
    contentType = response.headers.get('content-type') ?? '';
    const body = new Uint8Array(await response.arrayBuffer());
    if (status !== 304) bodies.push(body);
  }
  return { type: 'send', status, contentType, bodies, streamed: false };
}
