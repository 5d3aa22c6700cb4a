import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { attachEmbeddedPostgres } from '../../core/database/embedded-postgres/attach.js';
import { runningServer } from '../../core/database/embedded-postgres/lock-file.js';
import { freePort } from '../rehearse/free-port.js';
import { builtProgram, type Program, startProgram } from '../rehearse/programs.js';
import { waitUntil } from '../rehearse/wait-until.js';
import { type HostileUpstream, openHostileUpstream } from './hostile-upstream.js';
import { childrenOf, commandOf } from './processes.js';
import { ask } from './requests.js';

/** What is attacked: the built service as `npm start` runs it, on years of synthetic history. */
export interface Environment {
  /** Where its logs are kept. */
  folder: string;
  dataFolder: string;
  url: string;
  adminToken: string;
  /** What the service takes for weather, places, buses, addresses and translation. */
  upstream: HostileUpstream;
  /** A socket that tells for how long the API's event loop stood still: see event-loop-probe.ts. */
  probe: string;
  /** The last day of the history. */
  lastDay: string;
  /** The process of a part of the service that runs now; undefined while there is none. */
  processOf(part: Part): Promise<number | undefined>;
  /** Where the service's database is. */
  databaseUrl(): Promise<string>;
  /** Ends the whole service, or starts it again after it has ended. */
  stop(): Promise<void>;
  start(): Promise<void>;
  kill(): Promise<void>;
}

export type Part = 'parent' | 'api' | 'worker' | 'database';

/** Functions that release what was opened; called in reverse order, whatever fails in between. */
export type Cleanups = (() => Promise<unknown>)[];

export interface EnvironmentOptions {
  years: number;
  /** A folder for the history, kept and used again; a temporary one where absent. */
  dataFolder?: string | undefined;
  signal: AbortSignal;
  onProgress(what: string): void;
}

const START_LIMIT_MS = 60_000;
const HISTORY_ENDS = '2026-03-10';
const SEED = 1;

/** Fills the folder with history unless it has some, and starts the service on it. */
export async function startEnvironment(
  cleanups: Cleanups,
  { years, dataFolder, signal, onProgress }: EnvironmentOptions,
): Promise<Environment> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-attack-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // PostgreSQL may run as another user than this one.
  const data = dataFolder ?? join(folder, 'data');
  await mkdir(data, { recursive: true });
  if (!(await hasHistory(data))) {
    onProgress(`importing ${years} years of synthetic rates`);
    await importHistory({ data, years, log: join(folder, 'import.log'), signal });
  }

  const upstream = await openHostileUpstream();
  cleanups.push(() => upstream.close());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const adminToken = 'the-token-of-the-attacked-service';
  const probe = join(folder, 'event-loop.sock');
  const env = {
    NODE_OPTIONS: `--import=${new URL('./event-loop-probe.js', import.meta.url)}`,
    EVENT_LOOP_PROBE: probe,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: data,
    SCHEDULE: 'off',
    BOOTSTRAP: 'off',
    ADMIN_TOKEN: adminToken,
    // Otherwise most attacks on relays would end at this limit.
    RATE_LIMITS: 'relay=0',
    OPEN_METEO_URL: upstream.url,
    OPEN_METEO_GEOCODING_URL: upstream.url,
    BUS_ARRIVALS_URL: upstream.url,
    GEOCODER_URL: upstream.url,
    OPENCAGE_API_KEY: 'key',
    TRANSLATE_URL: upstream.url,
  };
  let service: Program | undefined;
  cleanups.push(async () => service?.stop());

  const environment: Environment = {
    folder,
    dataFolder: data,
    url,
    adminToken,
    upstream,
    probe,
    lastDay: HISTORY_ENDS,
    async processOf(part) {
      const parent = service?.process.pid;
      if (part === 'parent' || parent === undefined) return parent;
      if (part === 'database') return (await runningServer(join(data, 'postgres')))?.pid;
      const program = part === 'api' ? 'src/main.js' : 'worker/main.js';
      for (const child of await childrenOf(parent)) {
        if ((await commandOf(child)).includes(program)) return child;
      }
      return undefined;
    },
    async databaseUrl() {
      return (await attachEmbeddedPostgres(data)).url;
    },
    async start() {
      service = startProgram('service', 'core/start/main.js', { folder, env });
      await waitUntilReady(url, START_LIMIT_MS, signal);
    },
    async stop() {
      const code = await service?.stop();
      if (code !== 0) throw new Error(`the service ended with code ${code} when it was stopped`);
    },
    async kill() {
      await service?.kill();
    },
  };
  await environment.start();
  return environment;
}

/** Waits until `/health/ready` says "ready". Returns the milliseconds that it took. */
export async function waitUntilReady(url: string, limitMs: number, signal: AbortSignal): Promise<number> {
  const { ms } = await waitUntil('a service that is ready', () => isReady(url), {
    limitMs,
    everyMs: 100,
    signal,
  });
  return ms;
}

async function isReady(url: string): Promise<boolean> {
  const answered = await ask(url, '/health/ready', { limitMs: 5_000 }).catch(() => undefined);
  return answered?.status === 200 && answered.body.includes('"status":"ready"');
}

/** Runs work on a connection to the service's database. */
export async function withDatabase<T>(
  environment: Pick<Environment, 'databaseUrl'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: await environment.databaseUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function hasHistory(data: string): Promise<boolean> {
  const server = await attachEmbeddedPostgres(data);
  const client = new pg.Client({ connectionString: server.url });
  try {
    await client.connect();
    const { rows } = await client.query(`select to_regclass('rates') is not null as migrated`);
    if (!rows[0]?.migrated) return false;
    return (await client.query('select from rates limit 1')).rowCount === 1;
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Writes synthetic rates and imports them, by the command line. */
async function importHistory(options: {
  data: string;
  years: number;
  log: string;
  signal: AbortSignal;
}): Promise<void> {
  const { data, years, log, signal } = options;
  const output = await open(log, 'a');
  try {
    const command = (
      [program, ...words]: readonly [string, ...string[]],
      stdin: 'ignore' | 'pipe',
      stdout: 'ignore' | 'pipe',
    ) =>
      spawn(process.execPath, [builtProgram(program), ...words], {
        env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: data },
        stdio: [stdin, stdout, output.fd],
        signal,
      });
    const synth = command(
      ['tools/main.js', 'synth', '--years', String(years), '--seed', String(SEED), '--until', HISTORY_ENDS],
      'ignore',
      'pipe',
    );
    const imported = command(['worker/cli/main.js', 'rates', 'import', '-'], 'pipe', 'ignore');
    if (!synth.stdout || !imported.stdin) throw new Error('the commands have no pipe between them');
    synth.stdout.pipe(imported.stdin);
    const [code] = (await once(imported, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`the import ended with code ${code}: see ${log}`);
  } finally {
    await output.close();
  }
}
