import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { startEmbeddedPostgres } from '../../core/database/embedded-postgres/server.js';
import { elapsedText } from '../../core/process/progress.js';
import { startProgram } from '../programs/programs.js';
import { freePort } from '../rehearse/free-port.js';
import type { Context } from './support/context.js';
import { quantile } from './support/statistics.js';

const FIRST_MS = 8_000;
const TIMES_POSTGRES = 3;
const OLDER_MS = 15_000;
const TIMES_REST = 2;
const REST_MS = 5_000;
/** Short enough to measure by, and long enough to leave the processors to the service. */
const PAUSE_MS = 10;

/** Measures the first start of the whole service on an empty folder, without internet access. */
export async function measureFirstStart({ record, progress }: Context): Promise<void> {
  progress('starting the service on an empty folder');
  const folder = await mkdtemp(join(tmpdir(), 'almanac-first-start-'));
  // PostgreSQL's user can then store its data there.
  await chmod(folder, 0o755);
  const postgresStarted = performance.now();
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'));
  const postgresMs = performance.now() - postgresStarted;
  await postgres.stop();
  const port = await freePort();
  const env = { DATA_DIR: join(folder, 'data'), PORT: String(port), HOST: '127.0.0.1', SCHEDULE: 'off' };
  const started = performance.now();
  const service = startProgram('service', 'core/start/main.js', { env, folder });
  try {
    const ask = (path: string) => timeRequest(`http://127.0.0.1:${port}${path}`);
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
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
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
