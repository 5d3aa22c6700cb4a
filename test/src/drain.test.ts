import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/postgres-server.js';
import { databaseWith, someRates } from '../support/rates.js';
import { buildService, startProgram, startService } from '../support/service.js';

beforeAll(buildService);

/** The API as a program, once it serves rates. */
async function startApi(variables: Record<string, string>) {
  const database = await databaseWith(someRates('2026-03-16'));
  const api = startProgram('src/main.js', { DATABASE_URL: database.url, ...variables });
  onTestFinished(async () => {
    api.process.kill('SIGKILL');
    await api.ended;
    await database.close();
  });
  const urls = () => [...api.output().matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url ?? '');
  await expect.poll(api.output, { timeout: 60_000, interval: 50 }).toMatch(/"msg":"listening, try/);
  return { api, urls: urls() };
}

/** The status of a response, or how the request failed. */
function ask(agent: Agent, url: string): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', (error) => resolve(error.message));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

test('an API that drains is not ready at once, and serves kept and new connections alike', async () => {
  const { api, urls } = await startApi({ DRAIN_SECONDS: '3600', KEEP_ALIVE_SECONDS: '7', ADMIN_PORT: '0' });
  const [operators = '', url = ''] = urls;
  const kept = new Agent({ keepAlive: true, maxSockets: 4 });
  const fresh = new Agent({ keepAlive: false });
  onTestFinished(() => kept.destroy());
  const statuses: (number | string)[] = [];
  let isAsking = true;
  const ended = Promise.all(
    [kept, kept, kept, kept, fresh, fresh].map(async (agent) => {
      while (isAsking) statuses.push(await ask(agent, `${url}/v2/rates`));
    }),
  );
  await expect.poll(() => statuses.length).toBeGreaterThan(50);

  api.process.kill('SIGTERM');
  const readiness = async (at: string) => {
    const response = await fetch(`${at}/health/ready`);
    return [response.status, ((await response.json()) as { status: string }).status];
  };
  await expect.poll(() => readiness(url)).toEqual([503, 'draining']);
  expect(await readiness(operators)).toEqual([503, 'draining']);
  const live = await fetch(`${url}/health/live`);
  expect([live.status, live.headers.get('keep-alive')]).toEqual([200, 'timeout=7']);
  const served = statuses.length;
  await expect.poll(() => statuses.length, { timeout: 60_000 }).toBeGreaterThan(served + 300);
  isAsking = false;
  await ended;
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(api.process.exitCode).toBeNull();
});

test('an API that has drained ends cleanly', async () => {
  const { api } = await startApi({ DRAIN_SECONDS: '1' });
  const asked = performance.now();
  api.process.kill('SIGTERM');
  expect((await api.ended).code).toBe(0);
  expect(performance.now() - asked).toBeGreaterThanOrEqual(1_000);
});

test.skipIf(process.platform !== 'linux')(
  'the whole service waits for an API that drains longer than it may take to close',
  { timeout: 120_000 },
  async () => {
    const folder = await temporaryFolder();
    const service = startService({ DATA_DIR: folder, DRAIN_SECONDS: '13' });
    onTestFinished(async () => {
      service.process.kill('SIGTERM');
      await service.ended;
      await rm(folder, { recursive: true, force: true });
    });
    const url = await service.listening;
    const asked = performance.now();
    service.process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${url}/health/ready`)).status).toBe(503);
    expect(await (await fetch(`${url}/v2/rates`)).json()).toEqual([]);
    expect((await service.ended).code).toBe(0);
    expect(performance.now() - asked).toBeGreaterThanOrEqual(13_000);
    expect(service.output()).not.toContain('unexpectedly');
  },
);
