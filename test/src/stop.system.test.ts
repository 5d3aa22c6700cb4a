import { Agent } from 'node:http';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { databaseWith, someRates } from '../support/rates.js';
import { buildService, startApiProgram } from '../support/service.js';
import { outcomeOf } from './http/support.js';
import { readiness } from './operations/support.js';

const soon = { timeout: 60_000, interval: 100 };

beforeAll(buildService);

async function start(variables: Record<string, string>) {
  const database = await databaseWith(someRates('2026-03-16'));
  const { api, url } = await startApiProgram({ DATABASE_URL: database.url, ...variables });
  onTestFinished(async () => {
    api.process.kill('SIGKILL');
    await api.ended;
    await database.close();
  });
  return { api, url };
}

/** Clients that ask without a pause, on connections of their own or on kept ones, until they are to end. */
function load(url: string, agents: readonly (Agent | false)[]) {
  const all: (number | string)[] = [];
  let ends = false;
  const client = async (agent: Agent | false) => {
    while (!ends) all.push(await outcomeOf(`${url}/v2/rates`, { agent }));
  };
  const clients = agents.map(client);
  /** Until each client has sent some more requests. */
  const more = async () => {
    const from = all.length;
    await vi.waitFor(() => expect(all.length).toBeGreaterThan(from + 5 * agents.length), soon);
  };
  const end = async () => {
    ends = true;
    await Promise.all(clients);
  };
  return { all, more, end };
}

test('clients that turn away when they learn of the stop lose no request', { timeout: 120_000 }, async () => {
  // Far longer than it takes to turn away, so that this does not depend on the machine.
  const { api, url } = await start({ DRAIN_SECONDS: '10' });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  onTestFinished(() => agent.destroy());
  const { more, end, all } = load(url, [agent, false, agent, false, agent, false, agent, false]);
  await more();
  expect((await fetch(`${url}/v2/rates`)).headers.get('keep-alive')).toBe('timeout=65');
  api.process.kill('SIGTERM');
  const draining = { code: 503, status: 'draining' };
  await vi.waitFor(async () => expect(await readiness(url)).toMatchObject(draining), soon);
  await more();
  await end();
  expect(new Set(all)).toEqual(new Set([200]));
  expect(await api.ended).toMatchObject({ code: 0 });
});

test('an interrupt from the keyboard is not followed by draining', { timeout: 60_000 }, async () => {
  const { api } = await start({ DRAIN_SECONDS: '3600' });
  api.process.kill('SIGINT');
  expect(await api.ended).toMatchObject({ code: 0 });
});
