import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { startEmbeddedPostgres } from '../../core/database/embedded-postgres/server.js';
import { elapsedText } from '../../core/process/progress.js';
import { startProgram } from '../programs/programs.js';
import { freePort } from '../rehearse/free-port.js';
import type { Context } from './support/context.js';
import { download } from './support/download.js';
import { quantile, showSpread, spreadOf } from './support/statistics.js';

const FIRST_MS = 8_000;
const TIMES_POSTGRES = 3;
const OLDER_MS = 15_000;
const TIMES_REST = 2;
const REST_MS = 5_000;
const HISTORY = '/ecb/stats/eurofxref/eurofxref-hist.xml';
const DOWNLOADS = 10;
const FIRST_BYTE_MS = 20;
/** Short enough to measure by, and long enough to leave the processors to the service. */
const PAUSE_MS = 10;

/** Measures the first start of the whole service on an empty folder, without internet access. */
export async function measureFirstStart(context: Context): Promise<void> {
  const { folder } = context.databases;
  context.progress('starting the service on an empty folder');
  const postgresStarted = performance.now();
  const postgres = await startEmbeddedPostgres(join(folder, 'first-postgres'));
  const postgresMs = performance.now() - postgresStarted;
  await postgres.stop();
  const url = `http://127.0.0.1:${await freePort()}`;
  const { hostname: HOST, port: PORT } = new URL(url);
  const env = { DATA_DIR: join(folder, 'first-data'), PORT, HOST, SCHEDULE: 'off' };
  const started = performance.now();
  const service = startProgram('service', 'core/start/main.js', { env, folder });
  try {
    await measureLoading(context, { url, started, postgresMs });
    await measureHistory(context, url);
  } finally {
    await service.stop();
  }
}

async function measureLoading(
  { record }: Context,
  { url, started, postgresMs }: { url: string; started: number; postgresMs: number },
): Promise<void> {
  const ask = (path: string) => timeRequest(url + path);
  const elapsed = () => performance.now() - started;
  while ((await ask('/v2/rates')).status !== 200);
  const firstMs = elapsed();
  const during: number[] = [];
  while ((await ask('/v2/rates?from=1971-01-04&to=1971-01-08')).status !== 200)
    for (let times = 0; times < 100; times++) during.push((await ask('/v2/rates')).ms);
  const olderMs = elapsed() - firstMs;
  const rest: number[] = [];
  for (const end = elapsed() + REST_MS; elapsed() < end; ) rest.push((await ask('/v2/rates')).ms);
  record({
    what: 'first response of a first start, and the start of its PostgreSQL alone',
    measured: `${elapsedText(firstMs)}, ${(firstMs / postgresMs).toFixed(1)} times ${elapsedText(postgresMs)}`,
    reach: `< ${elapsedText(FIRST_MS)}, < ${TIMES_POSTGRES} times`,
    ok: firstMs < FIRST_MS && firstMs < TIMES_POSTGRES * postgresMs,
  });
  record({
    what: 'older decades, after the first response',
    measured: elapsedText(olderMs),
    reach: `< ${elapsedText(OLDER_MS)}`,
    ok: olderMs < OLDER_MS,
  });
  const [loadingMs = 0, restMs = 0] = [during, rest].map((times) => quantile(times, 0.99));
  record({
    what: 'hot request while older decades load, and afterwards (p99)',
    measured: `${loadingMs.toFixed(1)} ms, ${restMs.toFixed(1)} ms`,
    reach: `< ${TIMES_REST} times`,
    ok: loadingMs < TIMES_REST * restMs,
  });
}

async function measureHistory({ record }: Context, url: string): Promise<void> {
  const firstBytes: number[] = [];
  for (let times = 0; times < DOWNLOADS; times++) firstBytes.push((await download(url, HISTORY)).firstByteMs);
  const firstByte = spreadOf(firstBytes);
  record({
    what: "first byte of the ECB's history as XML, with all decades",
    measured: `${showSpread(firstByte, 1)} ms`,
    reach: `< ${FIRST_BYTE_MS} ms`,
    ok: firstByte.median < FIRST_BYTE_MS,
  });
}

/** The status is 0 while nothing listens. */
async function timeRequest(url: string): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  const response = await request(url).catch(() => undefined);
  await response?.body.dump();
  const ms = performance.now() - started;
  await delay(PAUSE_MS);
  return { status: response?.statusCode ?? 0, ms };
}
