import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, today } from '../../core/domain/clock.js';
import { addDays } from '../../core/domain/dates.js';
import { type Bank, openBank } from './banks.js';
import { type Api, type Program, startApi, startWorker } from './programs.js';
import { openProxy, type TcpProxy } from './proxy.js';
import { type Server, startPostgres, startRedis } from './servers.js';

/** What the scenarios run on: two servers behind proxies that can stall, two banks, two APIs, two workers. */
export interface Environment {
  folder: string;
  postgres: Server;
  redis: Server;
  network: { stall(): void; resume(): void };
  banks: { big: Bank; small: Bank };
  apis: Api[];
  workers: Program[];
  adminToken: string;
  /** Starts another worker, to replace one that was killed. */
  addWorker(): Promise<void>;
  /** Stops every program. Returns the exit code of each. */
  stopPrograms(): Promise<Map<string, number | null>>;
}

/** Functions that release what was opened; called in reverse order, whatever fails in between. */
export type Cleanups = (() => Promise<unknown>)[];

const BIG_YEARS = 18;
const SMALL_DAYS = 730;

/** Starts everything. All four programs start at the same time on an empty database. */
export async function startEnvironment(cleanups: Cleanups): Promise<Environment> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-rehearsal-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // PostgreSQL may run as another user than this one.
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const until = today(systemClock);
  const banks = {
    big: await openBank('ECB', { from: addDays(until, -365 * BIG_YEARS), to: until }, recordings),
    small: await openBank('BOC', { from: addDays(until, -SMALL_DAYS), to: until }, recordings),
  };

  const postgres = await startPostgres(folder);
  cleanups.push(() => postgres.stop());
  const redis = await startRedis();
  cleanups.push(() => redis.stop());
  const proxies = {
    postgres: await openProxy(portOf(postgres)),
    redis: await openProxy(portOf(redis)),
  };
  cleanups.push(
    () => proxies.postgres.close(),
    () => proxies.redis.close(),
  );

  const adminToken = randomBytes(18).toString('base64url');
  const optionsOf = (name: string) => ({
    folder,
    env: {
      DATABASE_URL: proxiedUrl(postgres, proxies.postgres, name),
      REDIS_URL: proxiedUrl(redis, proxies.redis),
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_TOKEN: adminToken,
      FEEDS_FROM: recordings,
      BOOTSTRAP: 'off',
      SCHEDULE: 'off',
    },
  });
  const programs: Program[] = [];
  const starting: Promise<Program>[] = [];
  cleanups.push(async () => {
    for (const proxy of Object.values(proxies)) proxy.resume();
    await Promise.allSettled(starting);
    await Promise.all(programs.map((program) => program.stop()));
  });
  let workersStarted = 0;
  const keep = async <P extends Program>(start: Promise<P>): Promise<P> => {
    starting.push(start);
    const program = await start;
    programs.push(program);
    return program;
  };
  const nextWorker = () => {
    const name = `worker-${++workersStarted}`;
    return keep(startWorker(name, optionsOf(name)));
  };
  const [apiOne, apiTwo, ...workers] = await Promise.all([
    keep(startApi('api-1', optionsOf('api-1'))),
    keep(startApi('api-2', optionsOf('api-2'))),
    nextWorker(),
    nextWorker(),
  ]);
  return {
    folder,
    postgres,
    redis,
    network: {
      stall() {
        for (const proxy of Object.values(proxies)) proxy.stall();
      },
      resume() {
        for (const proxy of Object.values(proxies)) proxy.resume();
      },
    },
    banks,
    apis: [apiOne, apiTwo],
    workers,
    adminToken,
    async addWorker() {
      workers.push(await nextWorker());
    },
    async stopPrograms() {
      const running = programs.filter(({ process: { signalCode } }) => signalCode === null);
      const codes = running.map(async (program) => [program.name, await program.stop()] as const);
      return new Map(await Promise.all(codes));
    },
  };
}

/** Copies the programs' logs to a folder that is kept, and returns its path. */
export async function keepLogs(environment: Pick<Environment, 'folder'>): Promise<string> {
  const kept = await mkdtemp(join(tmpdir(), 'almanac-rehearsal-logs-'));
  await cp(environment.folder, kept, {
    recursive: true,
    filter: (path) => path === environment.folder || path.endsWith('.log'),
  });
  return kept;
}

function portOf({ url }: Server): number {
  return Number(new URL(url).port);
}

/** The server's URL through its proxy, with an application name by which PostgreSQL lists the connections. */
function proxiedUrl({ url }: Server, { port }: TcpProxy, name?: string): string {
  const address = new URL(url);
  address.port = String(port);
  if (name !== undefined) address.searchParams.set('application_name', name);
  return address.href;
}
