import { Agent, get } from 'node:http';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { databaseWith, someRates } from '../../support/rates.js';
import { buildService, startApiProgram } from '../../support/service.js';

const CLIENTS = 8;
const soon = { timeout: 40_000, interval: 50 };

beforeAll(buildService);

/** The API as a program, once it serves rates. */
async function startApi(variables: Record<string, string>) {
  const database = await databaseWith(someRates('2026-03-16'));
  const started = await startApiProgram({ DATABASE_URL: database.url, ...variables });
  onTestFinished(async () => {
    started.api.process.kill('SIGKILL');
    await started.api.ended;
    await database.close();
  });
  return started;
}

/** The status of a request, or how it failed. */
function ask(url: string, agent: Agent | false): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = get(url, { agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 'none'));
      response.on('error', (error) => resolve(error.message));
    });
    sent.on('error', (error) => resolve(error.message));
  });
}

/** Readiness as a balancer asks for it. */
async function readiness(url: string): Promise<unknown[]> {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, ((await response.json()) as { status: string }).status];
}

test('clients that turn away when they learn of the stop lose no request', { timeout: 120_000 }, async () => {
  // Far longer than it takes to turn away, so that this does not depend on the machine.
  const { api, url } = await startApi({ DRAIN_SECONDS: '10', KEEP_ALIVE_SECONDS: '7' });
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  onTestFinished(() => agent.destroy());
  const statuses: (number | string)[] = [];
  let turnsAway = false;
  const client = async (kept: boolean) => {
    while (!turnsAway) statuses.push(await ask(`${url}/v2/rates`, kept ? agent : false));
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number % 2 === 0));
  await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(5 * CLIENTS), soon);
  expect((await fetch(`${url}/v2/rates`)).headers.get('keep-alive')).toBe('timeout=7');
  api.process.kill('SIGTERM');
  await vi.waitFor(async () => expect(await readiness(url)).toEqual([503, 'draining']), soon);
  const sofar = statuses.length;
  await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(sofar + 5 * CLIENTS), soon);
  turnsAway = true;
  await Promise.all(clients);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(await api.ended).toMatchObject({ code: 0 });
});

test('an interrupt from the keyboard is not followed by draining', { timeout: 60_000 }, async () => {
  const { api } = await startApi({ DRAIN_SECONDS: '3600' });
  api.process.kill('SIGINT');
  expect(await api.ended).toMatchObject({ code: 0 });
});
