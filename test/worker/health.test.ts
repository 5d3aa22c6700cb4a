import { EventEmitter } from 'node:events';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../core/database/database.js';
import { enqueueBlend } from '../../core/queues/enqueue.js';
import { freePort } from '../../tools/rehearse/free-port.js';
import { openWorkerHealth } from '../../worker/health.js';
import { openLog } from './ingest/support.js';
import { sharedGround } from './jobs/support.js';

const g = await sharedGround();
const away = openDatabase('postgres://user:hidden@127.0.0.1:9/almanac');
afterAll(() => away.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((health) => health.close())));

/** A worker's health at a port of its own. */
async function open(database: typeof away = g.database) {
  const port = await freePort();
  const options = { port, host: '127.0.0.1', database, log: openLog().log };
  const health = await openWorkerHealth(options);
  opened.push(health);
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const ready = async () => {
    const response = await get('/health/ready');
    return { code: response.status, ...((await response.json()) as object) };
  };
  return { health, options, get, ready, look: () => health.lookAt(g.queues) };
}

const UP = { database: 'up', queues: 'up' };

test('a worker is starting, then ready, and counts the jobs that end', async () => {
  const { health, get, ready } = await open();
  expect((await get('/health/live')).status).toBe(200);
  expect((await get('/')).status).toBe(404);
  expect(await ready()).toEqual({ code: 503, status: 'starting', database: 'up', queues: 'down' });
  health.working(g.queues);
  const worker = new EventEmitter();
  health.observe('ingest', worker);
  worker.emit('failed', { processedOn: Date.now() - 2_000 });
  expect(await ready()).toEqual({ code: 200, status: 'ready', ...UP });
  const metrics = await get('/metrics');
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const series = await metrics.text();
  expect(series).toMatch(/^process_resident_memory_bytes \d+/m);
  expect(series).toContain('almanac_job_duration_seconds_count{queue="ingest",outcome="failed"} 1\n');
  expect(series).toMatch(/^almanac_job_duration_seconds_sum\{queue="ingest",outcome="failed"\} 2[.\d]*$/m);
});

test('a worker is stuck, and not live, once jobs have waited for an hour', async () => {
  const { health, get, ready, look } = await open();
  health.working(g.queues);
  await enqueueBlend(g.queues.blend, { window: null });
  for (let minute = 0; minute < 60; minute++) await look();
  expect([await ready(), (await get('/health/live')).status]).toMatchObject([{ status: 'ready' }, 200]);
  await look();
  expect(await ready()).toMatchObject({ code: 503, status: 'stuck', queues: 'up' });
  expect((await get('/health/live')).status).toBe(503);
});

test('a worker is outdated, and never stuck, once newer programs have to do the work', async () => {
  const { health, get, ready, look } = await open();
  health.working(g.queues);
  await enqueueBlend(g.queues.blend, { window: null });
  health.outdated();
  for (let minute = 0; minute < 70; minute++) await look();
  expect(await ready()).toMatchObject({ code: 503, status: 'outdated', ...UP });
  expect((await get('/health/live')).status).toBe(200);
});

test('a worker is down while the database cannot be reached', async () => {
  const { health, ready } = await open(away);
  health.working(g.queues);
  expect(await ready()).toMatchObject({ code: 503, status: 'down', database: 'down', queues: 'up' });
});

test('a port that is in use is an error of the configuration', async () => {
  const { options } = await open();
  const message = `ADMIN_PORT: port ${options.port} is already in use`;
  await expect(openWorkerHealth(options)).rejects.toThrow(message);
});
