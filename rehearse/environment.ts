import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, today } from '../core/domain/clock.js';
import { addDays } from '../core/domain/dates.js';
import { type Bank, openBank } from './banks.js';
import { type Api, type Program, startApi, startWorker } from './programs.js';
import { openRoad, type Road } from './proxy.js';
import { type Server, startPostgres, startRedis } from './servers.js';

/** Everything that takes part: two servers behind a network that can stall, two banks, two APIs, two workers. */
export interface Stage {
  folder: string;
  postgres: Server;
  redis: Server;
  network: { stall(): void; resume(): void };
  banks: { big: Bank; small: Bank };
  apis: Api[];
  workers: Program[];
  adminToken: string;
  /** Starts one more worker, in place of one that is gone. */
  addWorker(): Promise<void>;
  /** Asks every program to end; the exit code of each. */
  stopPrograms(): Promise<Map<string, number | null>>;
}

/** What was opened is put here at once, so that it is closed whatever comes after; last first. */
export type Closings = (() => Promise<unknown>)[];

const BIG_YEARS = 18;
const SMALL_DAYS = 730;

/** Sets everything up. All four programs start at the same moment on an empty database. */
export async function openStage(closings: Closings): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-rehearsal-'));
  closings.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // PostgreSQL may run as another user than this one.
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const until = today(systemClock);
  const banks = {
    big: await openBank('ECB', { from: addDays(until, -365 * BIG_YEARS), to: until }, recordings),
    small: await openBank('BOC', { from: addDays(until, -SMALL_DAYS), to: until }, recordings),
  };

  const postgres = await startPostgres(folder);
  closings.push(() => postgres.stop());
  const redis = await startRedis();
  closings.push(() => redis.stop());
  const roads = {
    postgres: await openRoad(portOf(postgres)),
    redis: await openRoad(portOf(redis)),
  };
  closings.push(
    () => roads.postgres.close(),
    () => roads.redis.close(),
  );

  const adminToken = randomBytes(18).toString('base64url');
  const ground = (name: string) => ({
    folder,
    variables: {
      DATABASE_URL: over(postgres, roads.postgres, name),
      REDIS_URL: over(redis, roads.redis),
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_TOKEN: adminToken,
      FEEDS_FROM: recordings,
      BOOTSTRAP: 'off',
      SCHEDULE: 'off',
    },
  });
  const programs: Program[] = [];
  const began: Promise<Program>[] = [];
  closings.push(async () => {
    for (const road of Object.values(roads)) road.resume();
    await Promise.allSettled(began);
    await Promise.all(programs.map((program) => program.stop()));
  });
  let workersStarted = 0;
  const keep = async <P extends Program>(starting: Promise<P>): Promise<P> => {
    began.push(starting);
    const program = await starting;
    programs.push(program);
    return program;
  };
  const nextWorker = () => {
    const name = `worker-${++workersStarted}`;
    return keep(startWorker(name, ground(name)));
  };
  const [apiOne, apiTwo, ...workers] = await Promise.all([
    keep(startApi('api-1', ground('api-1'))),
    keep(startApi('api-2', ground('api-2'))),
    nextWorker(),
    nextWorker(),
  ]);
  return {
    folder,
    postgres,
    redis,
    network: {
      stall() {
        for (const road of Object.values(roads)) road.stall();
      },
      resume() {
        for (const road of Object.values(roads)) road.resume();
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

/** Copies the programs' logs out of the stage's folder, to be read after it is gone. */
export async function keepLogs(stage: Stage): Promise<string> {
  const kept = await mkdtemp(join(tmpdir(), 'almanac-rehearsal-logs-'));
  await cp(stage.folder, kept, {
    recursive: true,
    filter: (path) => path === stage.folder || path.endsWith('.log'),
  });
  return kept;
}

function portOf({ url }: Server): number {
  return Number(new URL(url).port);
}

/** The server's URL by way of its road, with a name that the server knows the connections by. */
function over({ url }: Server, { port }: Road, name?: string): string {
  const address = new URL(url);
  address.port = String(port);
  if (name !== undefined) address.searchParams.set('application_name', name);
  return address.href;
}
