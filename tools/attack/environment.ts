import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { attachEmbeddedPostgres } from '../../core/database/embedded-postgres/server.js';
import { codeFile } from '../../core/process/project-files.js';
import { type ProgramOptions, type Server, startProgram } from '../programs/programs.js';
import { type Trial, temporaryFolder } from '../programs/trial.js';
import { freePort } from '../rehearse/free-port.js';
import { waitUntil } from '../rehearse/wait-until.js';
import { syntheticCsv } from '../synth/synthetic-rates.js';
import { childOf } from './processes.js';
import { ask } from './requests.js';

/** The target: the built service as `npm start` runs it, on years of synthetic history. */
export interface Environment {
  /** Where its logs are kept. */
  folder: string;
  url: string;
  adminToken: string;
  /** The URL of the server that stands in for all upstreams: weather, places, buses, addresses and translation. */
  upstream: string;
  /** A socket that reports how long the API's event loop was blocked: see event-loop-probe.ts. */
  probe: string;
  databaseUrl: string;
  /** The process of the API that runs now. Throws while there is none. */
  processOfApi(): Promise<number>;
  /** Runs a statement in the service's database. */
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
}

/** The last day of the history. */
export const HISTORY_ENDS = '2026-03-10';
const START_LIMIT_MS = 60_000;
const ADMIN_TOKEN = 'the-token-of-the-attacked-service';

/** Imports history, and starts the service on it. */
export async function startEnvironment(trial: Trial, years: number): Promise<Environment> {
  const { cleanups, signal } = trial;
  const folder = await temporaryFolder(trial, 'attack');
  const data = join(folder, 'data');
  await importHistory(data, { years, seed: 1, signal });
  const upstream = await startUpstream(cleanups);
  const probe = join(folder, 'event-loop.sock');
  const env = { DATA_DIR: data, ...settingsOf(probe, upstream) };
  const service = await startService('service', { folder, env }, signal);
  cleanups.push(() => service.stop());
  const { url: databaseUrl } = await attachEmbeddedPostgres(data);
  return {
    ...{ folder, url: service.url, upstream, probe, databaseUrl, adminToken: ADMIN_TOKEN },
    async processOfApi() {
      const pid = await childOf(service.process.pid ?? 0, 'src/main.js');
      if (pid === undefined) throw new Error('the API does not run');
      return pid;
    },
    async query<Row extends pg.QueryResultRow>(sql: string) {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      return (await client.query<Row>(sql).finally(() => client.end())).rows;
    },
  };
}

/** Starts a server with one translation for all texts, and without places, buses and addresses. Returns its URL. */
async function startUpstream(cleanups: Trial['cleanups']): Promise<string> {
  const translation = { responseData: { translatedText: 'Ciao' }, responseStatus: 200, matches: [] };
  const nothing = { results: [], services: [], generationtime_ms: 0.5 };
  const server = createServer(({ url = '' }, response) => {
    // One connection per request: a kept-alive one could be closed just as a request arrives.
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(url.startsWith('/get?') ? translation : nothing));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function settingsOf(probe: string, upstream: string) {
  return {
    NODE_OPTIONS: `--import=${pathToFileURL(codeFile('tools/attack/event-loop-probe.js'))}`,
    EVENT_LOOP_PROBE: probe,
    BOOTSTRAP: 'off',
    ADMIN_TOKEN,
    // Otherwise most requests to relays would end at this limit.
    RATE_LIMITS: 'relay=0',
    OPEN_METEO_URL: upstream,
    OPEN_METEO_GEOCODING_URL: upstream,
    BUS_ARRIVALS_URL: upstream,
    GEOCODER_URL: upstream,
    OPENCAGE_API_KEY: 'key',
    TRANSLATE_URL: upstream,
  };
}

/** Starts the whole service on a free port. Resolves once it is ready. */
export async function startService(
  name: string,
  { folder, env }: Required<Pick<ProgramOptions, 'folder' | 'env'>>,
  signal: AbortSignal,
): Promise<Server> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const own = { PORT: port, HOST: '127.0.0.1', SCHEDULE: 'off', ...env };
  const program = startProgram(name, 'core/start/main.js', { folder, env: own });
  await waitUntilReady(url, START_LIMIT_MS, signal).catch(async (error: unknown) => {
    await program.stop();
    throw error;
  });
  return { ...program, url };
}

/** Waits until `/health/ready` reports `ready`. */
export async function waitUntilReady(url: string, limitMs: number, signal: AbortSignal): Promise<void> {
  const isReady = async () => {
    const answered = await ask(url, '/health/ready', { limitMs: 5_000 }).catch(() => undefined);
    return answered?.status === 200 && answered.body.includes('"status":"ready"');
  };
  await waitUntil('a service that is ready', isReady, { limitMs, signal });
}

/** Imports synthetic rates by the command line. Rejects where that fails. */
export async function importHistory(
  data: string,
  { years, seed, signal }: { years: number; seed: number; signal: AbortSignal },
): Promise<void> {
  const importing = promisify(execFile)(
    process.execPath,
    [codeFile('worker/cli/main.js'), 'rates', 'import', '-'],
    { env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: data }, signal },
  );
  const { stdin } = importing.child;
  if (stdin === null) throw new Error('the import reads no rates');
  const written = pipeline(Readable.from(syntheticCsv({ years, seed, until: HISTORY_ENDS })), stdin);
  // A failed import stops reading. Its own error has the cause.
  written.catch(() => undefined);
  await importing;
}
