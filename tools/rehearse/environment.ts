import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { systemClock, today } from '../../core/domain/clock.js';
import { addDays } from '../../core/domain/dates.js';
import { type Bank, openBank } from './banks.js';
import { type DrillContext, print } from './drill.js';
import { type Operator, openOperator } from './operator.js';
import { type Api, type Program, startApi, startWorker } from './programs.js';
import { openProxy, type TcpProxy } from './proxy.js';
import { type Server, startPostgres, startRedis } from './servers.js';

/** What is drilled: two servers behind proxies that can stall, two banks, two APIs, two workers. */
export interface Environment {
  postgres: Server;
  redis: Server;
  network: { stall(): void; resume(): void };
  banks: { big: Bank; small: Bank };
  apis: Api[];
  workers: Program[];
  operator: Operator;
  signal: AbortSignal;
  /** Starts another worker, to replace one that was killed. */
  addWorker(): Promise<void>;
  /** Stops every program that runs. Returns the exit code of each. */
  stopPrograms(): Promise<[name: string, code: number | null][]>;
}

const BIG_YEARS = 18;
const SMALL_DAYS = 730;

/** Starts everything. All four programs start at the same time on an empty database. */
export async function startEnvironment(context: DrillContext): Promise<Environment> {
  const { cleanups, signal } = context;
  const folder = await mkdtemp(join(tmpdir(), 'almanac-rehearsal-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  cleanups.push(async () => {
    if (context.hasFailed()) print(`the programs' logs are in ${await keepLogs({ folder })}`);
  });
  await chmod(folder, 0o755); // PostgreSQL may run as another user than this one.
  const { servers, network } = await startServers(folder, cleanups);

  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const to = today(systemClock);
  const banks = {
    big: await openBank('ECB', { from: addDays(to, -365 * BIG_YEARS), to }, recordings),
    small: await openBank('BOC', { from: addDays(to, -SMALL_DAYS), to }, recordings),
  };

  const adminToken = randomBytes(18).toString('base64url');
  const settings = { ADMIN_TOKEN: adminToken, FEEDS_FROM: recordings, BOOTSTRAP: 'off', SCHEDULE: 'off' };
  const optionsOf = (name: string) => ({
    folder,
    env: { ...network.settingsOf(name), ...settings, HOST: '127.0.0.1', PORT: '0' },
  });
  const starting: Promise<Program>[] = [];
  const programs: Program[] = [];
  cleanups.push(async () => {
    network.resume();
    await Promise.allSettled(starting);
    await Promise.all(programs.map((program) => program.stop()));
  });
  const keep = async <P extends Program>(start: Promise<P>): Promise<P> => {
    starting.push(start);
    const program = await start;
    programs.push(program);
    return program;
  };
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
  return {
    ...servers,
    network,
    banks,
    apis,
    workers,
    operator: openOperator(
      apis.map(({ url }) => url),
      adminToken,
      signal,
    ),
    signal,
    async addWorker() {
      workers.push(await nextWorker());
    },
    stopPrograms() {
      const running = programs.filter(({ process: { signalCode } }) => signalCode === null);
      return Promise.all(
        running.map(async ({ name, stop }): Promise<[string, number | null]> => [name, await stop()]),
      );
    },
  };
}

/** PostgreSQL and Redis, which programs reach through proxies. */
async function startServers(folder: string, cleanups: DrillContext['cleanups']) {
  const postgres = await startPostgres(folder);
  cleanups.push(() => postgres.stop());
  const redis = await startRedis();
  cleanups.push(() => redis.stop());
  const [toPostgres, toRedis] = [await openProxy(portOf(postgres)), await openProxy(portOf(redis))];
  const proxies = [toPostgres, toRedis];
  cleanups.push(() => Promise.all(proxies.map((proxy) => proxy.close())));
  const network = {
    stall: () => proxies.map((proxy) => proxy.stall()),
    resume: () => proxies.map((proxy) => proxy.resume()),
    settingsOf: (name: string) => ({
      // PostgreSQL lists connections by the name of their application.
      DATABASE_URL: `${proxiedUrl(postgres, toPostgres)}?application_name=${name}`,
      REDIS_URL: proxiedUrl(redis, toRedis),
    }),
  };
  return { servers: { postgres, redis }, network };
}

/** Copies the programs' logs to a folder that is kept, and returns its path. */
export async function keepLogs({ folder }: { folder: string }): Promise<string> {
  const kept = await mkdtemp(join(tmpdir(), 'almanac-rehearsal-logs-'));
  await cp(folder, kept, {
    recursive: true,
    filter: (path) => path === folder || path.endsWith('.log'),
  });
  return kept;
}

/** Runs `work` on a connection to PostgreSQL that does not go through the proxy. */
export async function withPostgres<T>(
  { postgres }: Pick<Environment, 'postgres'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function portOf({ url }: Server): number {
  return Number(new URL(url).port);
}

function proxiedUrl({ url }: Server, { port }: TcpProxy): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}
