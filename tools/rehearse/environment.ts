import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { request } from 'undici';
import { z } from 'zod';
import { startEmbeddedPostgres } from '../../core/database/embedded-postgres/server.js';
import { systemClock, today } from '../../core/domain/clock.js';
import { addDays } from '../../core/domain/dates.js';
import {
  type Program,
  type ProgramOptions,
  type Server,
  startApi,
  startProgram,
} from '../programs/programs.js';
import { type Trial, temporaryFolder } from '../programs/trial.js';
import { type Bank, openBank, type Published } from './banks.js';
import type { Place } from './corrections.js';
import { type Operator, openOperator } from './operator.js';
import { openProxy } from './proxy.js';
import { startRedis } from './redis.js';

/** What is drilled: PostgreSQL and Redis behind proxies that can stall, two banks, two APIs, two workers. */
export interface Environment {
  postgresUrl: string;
  redisUrl: string;
  network: { stall(): void; resume(): void };
  banks: { big: Bank; small: Bank };
  apis: Server[];
  workers: Program[];
  operator: Operator;
  /** Corrections of the small bank. */
  place: Place;
  signal: AbortSignal;
  /** Starts another worker, to replace one that was killed. */
  addWorker(): Promise<void>;
  /** Stops every program that runs. Returns the exit code of each. */
  stopPrograms(): Promise<[name: string, code: number | null][]>;
}

const BIG_YEARS = 18;
const SMALL_DAYS = 730;
const VISIBLE_MS = 45_000;

/** Starts everything. All four programs start at the same time on an empty database. */
export async function startEnvironment(trial: Trial): Promise<Environment> {
  const { cleanups, signal } = trial;
  const folder = await temporaryFolder(trial, 'rehearsal');
  const { postgresUrl, redisUrl, network } = await startServers(folder, cleanups);
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const to = today(systemClock);
  const banks = {
    big: await openBank('ECB', { from: addDays(to, -365 * BIG_YEARS), to }, recordings),
    small: await openBank('BOC', { from: addDays(to, -SMALL_DAYS), to }, recordings),
  };
  const adminToken = randomBytes(18).toString('base64url');
  const settings = { ADMIN_TOKEN: adminToken, FEEDS_FROM: recordings, BOOTSTRAP: 'off', SCHEDULE: 'off' };
  const optionsOf = (name: string) => ({ folder, env: { ...network.settingsOf(name), ...settings } });
  const { keep, stopPrograms } = openPrograms();
  cleanups.push(() => {
    network.resume();
    return stopPrograms();
  });
  let workersStarted = 0;
  const nextWorker = () => {
    const name = `worker-${++workersStarted}`;
    return keep(startWorker(name, optionsOf(name)));
  };
  const nextApi = (name: string) => keep(startApi(name, optionsOf(name)));
  const [apiOne, apiTwo, ...workers] = await Promise.all([
    nextApi('api-1'),
    nextApi('api-2'),
    nextWorker(),
    nextWorker(),
  ]);
  const apis = [apiOne, apiTwo];
  const urls = apis.map(({ url }) => url);
  const operator = openOperator(urls, adminToken, signal);
  const served = (row: Published) => Promise.all(urls.map((url) => servedRate(url, row)));
  return {
    ...{ postgresUrl, redisUrl, network, banks, apis, workers, operator, signal, stopPrograms },
    place: { bank: banks.small, operator, signal, visibleMs: VISIBLE_MS, served },
    async addWorker() {
      workers.push(await nextWorker());
    },
  };
}

/** Remembers the programs that are started, to stop those that run at the end. */
function openPrograms() {
  const starting: Promise<Program>[] = [];
  return {
    keep<P extends Program>(start: Promise<P>): Promise<P> {
      starting.push(start);
      return start;
    },
    async stopPrograms(): Promise<[name: string, code: number | null][]> {
      const started = await Promise.allSettled(starting);
      const programs = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const running = programs.filter(({ process: { signalCode } }) => signalCode === null);
      return Promise.all(running.map(async ({ name, stop }) => [name, await stop()]));
    },
  };
}

async function startWorker(name: string, options: ProgramOptions): Promise<Program> {
  const env = { ...options.env, HOST: '127.0.0.1', PORT: '0' };
  const program = startProgram(name, 'worker/main.js', { ...options, env });
  await program.request(undefined, 'ready');
  return program;
}

/** PostgreSQL and Redis, which programs reach through proxies. */
async function startServers(folder: string, cleanups: Trial['cleanups']) {
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres-data'));
  cleanups.push(() => postgres.stop());
  const redis = await startRedis();
  cleanups.push(() => redis.stop());
  const proxies = await Promise.all([openProxy(portOf(postgres.url)), openProxy(portOf(redis.url))]);
  cleanups.push(() => Promise.all(proxies.map((proxy) => proxy.close())));
  const [toPostgres, toRedis] = proxies;
  const network = {
    stall: () => proxies.map((proxy) => proxy.stall()),
    resume: () => proxies.map((proxy) => proxy.resume()),
    settingsOf: (name: string) => ({
      // PostgreSQL lists connections by the name of their application.
      DATABASE_URL: `${withPort(postgres.url, toPostgres.port)}?application_name=${name}`,
      REDIS_URL: withPort(redis.url, toRedis.port),
    }),
  };
  return { postgresUrl: postgres.url, redisUrl: redis.url, network };
}

const ratesResponse = z.array(z.object({ rate: z.number(), quote: z.string() }));

/** The API's blended rate: no other bank publishes the peso. */
async function servedRate(url: string, { date, base, quote }: Published): Promise<number | undefined> {
  const { statusCode, body } = await request(`${url}/v2/rates?base=${quote}&quotes=${base}&date=${date}`);
  const text = await body.text();
  if (statusCode !== 200) return undefined;
  return ratesResponse.parse(JSON.parse(text)).find((row) => row.quote === base)?.rate;
}

/** Runs `work` on a connection to PostgreSQL that does not go through the proxy. */
export async function withPostgres<T>(
  { postgresUrl }: Pick<Environment, 'postgresUrl'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  return work(client).finally(() => client.end());
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function withPort(url: string, port: number): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}
