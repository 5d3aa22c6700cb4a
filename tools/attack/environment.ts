import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { attachEmbeddedPostgres } from '../../core/database/embedded-postgres/attach.js';
import { runningServer } from '../../core/database/embedded-postgres/lock-file.js';
import { freePort } from '../rehearse/free-port.js';
import { type Api, builtProgram, type Program, startApi, startProgram } from '../rehearse/programs.js';
import { waitUntil } from '../rehearse/wait-until.js';
import { type HostileUpstream, openHostileUpstream } from './hostile-upstream.js';
import { childOf } from './processes.js';
import { ask } from './requests.js';

/** What is attacked: the built service as `npm start` runs it, on years of synthetic history. */
export interface Environment {
  /** Where its logs are kept. */
  folder: string;
  url: string;
  adminToken: string;
  /** What the service takes for weather, places, buses, addresses and translation. */
  upstream: HostileUpstream;
  /** A socket that tells for how long the API's event loop stood still: see event-loop-probe.ts. */
  probe: string;
  /** The process of a part of the service that runs now; undefined while there is none. */
  processOf(part: Part): Promise<number | undefined>;
  /** Where the service's database is. */
  databaseUrl(): Promise<string>;
  /** Runs a statement in the service's database. */
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  /** Kills the whole service, or starts it again after it has ended. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export type Part = 'api' | 'worker' | 'database';

/** Functions that release what was opened; called in reverse order, whatever fails in between. */
export type Cleanups = (() => Promise<unknown>)[];

/** The last day of the history. */
export const HISTORY_ENDS = '2026-03-10';
const START_LIMIT_MS = 60_000;
const ADMIN_TOKEN = 'the-token-of-the-attacked-service';

/** Imports history, and starts the service on it. */
export async function startEnvironment(
  cleanups: Cleanups,
  years: number,
  signal: AbortSignal,
): Promise<Environment> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-attack-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // PostgreSQL may run as another user than this one.
  const data = join(folder, 'data');
  await importHistory(data, { years, seed: 1, signal });
  const upstream = await openHostileUpstream();
  cleanups.push(() => upstream.close());
  const url = `http://127.0.0.1:${await freePort()}`;
  const probe = join(folder, 'event-loop.sock');
  const env = settingsOf({ data, url, probe, upstream: upstream.url });
  let service: Program | undefined;
  cleanups.push(async () => service?.stop());
  const databaseUrl = async () => (await attachEmbeddedPostgres(data)).url;
  const environment: Environment = {
    ...{ folder, url, upstream, probe, databaseUrl, adminToken: ADMIN_TOKEN },
    async processOf(part) {
      if (part === 'database') return (await runningServer(join(data, 'postgres')))?.pid;
      return childOf(service?.process.pid ?? 0, part === 'api' ? 'src/main.js' : 'worker/main.js');
    },
    async query<Row extends pg.QueryResultRow>(sql: string) {
      const client = new pg.Client({ connectionString: await databaseUrl() });
      await client.connect();
      return (await client.query<Row>(sql).finally(() => client.end())).rows;
    },
    async start() {
      service = startProgram('service', 'core/start/main.js', { folder, env });
      await waitUntilReady(url, START_LIMIT_MS, signal);
    },
    async kill() {
      await service?.kill();
    },
  };
  await environment.start();
  return environment;
}

/** The variables of the service. */
function settingsOf(places: { data: string; url: string; probe: string; upstream: string }) {
  const { data, url, probe, upstream } = places;
  return {
    NODE_OPTIONS: `--import=${new URL('./event-loop-probe.js', import.meta.url)}`,
    EVENT_LOOP_PROBE: probe,
    PORT: new URL(url).port,
    HOST: '127.0.0.1',
    DATA_DIR: data,
    SCHEDULE: 'off',
    BOOTSTRAP: 'off',
    ADMIN_TOKEN,
    // Otherwise most attacks on relays would end at this limit.
    RATE_LIMITS: 'relay=0',
    OPEN_METEO_URL: upstream,
    OPEN_METEO_GEOCODING_URL: upstream,
    BUS_ARRIVALS_URL: upstream,
    GEOCODER_URL: upstream,
    OPENCAGE_API_KEY: 'key',
    TRANSLATE_URL: upstream,
  };
}

/** Starts a further API on the service's database, for the time of some work. */
export async function withApi<T>(
  { folder, databaseUrl }: Environment,
  { name, env, under = [] }: { name: string; env: Record<string, string>; under?: string[] },
  work: (api: Api) => Promise<T>,
): Promise<T> {
  const own = { DATABASE_URL: await databaseUrl(), PORT: '0', HOST: '127.0.0.1', ...env };
  const api = await startApi(name, { folder, env: own, under });
  return work(api).finally(() => api.stop());
}

/** Waits until `/health/ready` says "ready". Returns the milliseconds that it took. */
export async function waitUntilReady(url: string, limitMs: number, signal: AbortSignal): Promise<number> {
  const isReady = async () => {
    const answered = await ask(url, '/health/ready', { limitMs: 5_000 }).catch(() => undefined);
    return answered?.status === 200 && answered.body.includes('"status":"ready"');
  };
  return (await waitUntil('a service that is ready', isReady, { limitMs, everyMs: 100, signal })).ms;
}

/** Writes synthetic rates and imports them by the command line. Rejects where that fails. */
export async function importHistory(
  data: string,
  { years, seed, signal }: { years: number; seed: number; signal: AbortSignal },
): Promise<void> {
  const synth = `"$0" "$1" synth --years ${years} --seed ${seed} --until ${HISTORY_ENDS}`;
  const words = [process.execPath, builtProgram('tools/main.js'), builtProgram('worker/cli/main.js')];
  await promisify(execFile)('sh', ['-c', `${synth} | "$0" "$2" rates import -`, ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: data },
    signal,
  });
}
