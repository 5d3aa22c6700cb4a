import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../core/database/embedded-postgres/server.js';
import { startProgram } from '../programs/programs.js';
import { freePort } from '../rehearse/free-port.js';
import type { Context } from './support/context.js';

const FIRST_MS = 8_000;
const TIMES_POSTGRES = 3;
const OLDER_MS = 15_000;
const TIMES_REST = 2;
const REST_MS = 5_000;
const PAUSE_MS = 4;

/** Measures the first start of the whole service on an empty folder, without internet access. */
export async function measureFirstStart({
  record,
  progress,
}: Pick<Context, 'record' | 'progress'>): Promise<void> {
  progress('starting the service on an empty folder');
  const folder = await mkdtemp(join(tmpdir(), 'almanac-first-start-'));
  const postgresMs = await timeOf(async () => (await startEmbeddedPostgres(join(folder, 'postgres'))).stop);
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
      measured: `${seconds(firstMs)}, ${(firstMs / postgresMs).toFixed(1)} times ${seconds(postgresMs)}`,
      reach: `< ${seconds(FIRST_MS)}, < ${TIMES_POSTGRES} times`,
      ok: firstMs < FIRST_MS && firstMs < TIMES_POSTGRES * postgresMs,
    });
    record({
      what: 'older decades, after the first response',
      measured: seconds(olderMs),
      reach: `< ${seconds(OLDER_MS)}`,
      ok: olderMs < OLDER_MS,
    });
    record({
      what: 'hot request while older decades load, and afterwards (p99)',
      measured: `${p99(during).toFixed(1)} ms, ${p99(rest).toFixed(1)} ms`,
      reach: `< ${TIMES_REST} times`,
      ok: p99(during) < TIMES_REST * p99(rest),
    });
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Milliseconds until a server accepts connections. Stops it. */
async function timeOf(start: () => Promise<() => Promise<unknown>>): Promise<number> {
  const started = performance.now();
  const stop = await start();
  const ms = performance.now() - started;
  await stop();
  return ms;
}

/** The status is 0 while nothing listens. */
async function timeRequest(url: string): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  const ms = performance.now() - started;
  await delay(PAUSE_MS);
  return { status: response?.status ?? 0, ms };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0;
}
