import { Agent } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { databaseWith, someRates } from '../support/rates.js';
import { buildService, childrenOf, startApiProgram, startProgram } from '../support/service.js';
import { ask, outcomeOf } from './http/support.js';
import { parseSeries, readiness } from './operations/support.js';

const soon = { timeout: 60_000, interval: 100 };

beforeAll(buildService);

/** One or two processes of the API behind one port. */
async function start(variables: Record<string, string>, count = 1) {
  const database = await databaseWith(someRates('2026-03-16'));
  const of = { DATABASE_URL: database.url, API_PROCESSES: String(count) };
  const { api, url } = await startApiProgram({ ...of, ...variables });
  onTestFinished(async () => {
    api.process.kill('SIGKILL');
    await api.ended;
    await database.close();
  });
  const started = () => api.output().split('listening, try').length - 1;
  await vi.waitFor(() => expect(started()).toBe(count), soon);
  return { api, url, started };
}

/** Clients that ask without a pause, on connections of their own or on kept ones, until they are to end. */
function load(url: string, agents: readonly (Agent | false)[]) {
  const all: (number | string)[] = [];
  let ends = false;
  const client = async (agent: Agent | false) => {
    while (!ends) all.push(await outcomeOf(`${url}/v2/rates`, { agent }));
  };
  const clients = agents.map(client);
  /** The outcomes of some that are under way from now on. */
  const more = async () => {
    const from = all.length;
    await vi.waitFor(() => expect(all.length).toBeGreaterThan(from + 5 * agents.length), soon);
    return new Set(all.slice(from));
  };
  const end = async () => {
    ends = true;
    await Promise.all(clients);
  };
  return { all, more, end };
}

const DRAINING = { code: 503, status: 'draining' };
const GOOD = new Set([200]);

test('clients that turn away when they learn of the stop lose no request', { timeout: 120_000 }, async () => {
  // Far longer than it takes to turn away, so that this does not depend on the machine.
  const { api, url } = await start({ DRAIN_SECONDS: '10', KEEP_ALIVE_SECONDS: '7' });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  onTestFinished(() => agent.destroy());
  const { more, end, all } = load(url, [agent, false, agent, false, agent, false, agent, false]);
  await more();
  expect((await fetch(`${url}/v2/rates`)).headers.get('keep-alive')).toBe('timeout=7');
  api.process.kill('SIGTERM');
  await vi.waitFor(async () => expect(await readiness(url)).toMatchObject(DRAINING), soon);
  await more();
  await end();
  expect(new Set(all)).toEqual(GOOD);
  expect(await api.ended).toMatchObject({ code: 0 });
});

test('an interrupt from the keyboard is not followed by draining', { timeout: 60_000 }, async () => {
  const { api } = await start({ DRAIN_SECONDS: '3600' });
  api.process.kill('SIGINT');
  expect(await api.ended).toMatchObject({ code: 0 });
});

describe.skipIf(process.platform !== 'linux')('two processes of the API', { timeout: 180_000 }, () => {
  test('share connections, limits and metrics', async () => {
    const { url } = await start({ MAX_CONNECTIONS: '8', RATE_LIMIT_UTILITY: '5' }, 2);
    const statuses = async (path: string, times: number) => {
      const all: unknown[] = [];
      for (let time = 0; time < times; time++) all.push(await outcomeOf(`${url}${path}`));
      return all;
    };
    expect(await statuses('/no', 8)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);

    expect(await statuses('/v2/rates', 6)).toEqual(Array(6).fill(200));
    // Whichever responds has counted the requests of both.
    for (let time = 0; time < 4; time++) {
      const shown = parseSeries((await ask(`${url}/metrics`)).body.toString());
      const labels = '{method="GET",route="/v2/rates",status="200"}';
      expect(shown[`almanac_http_request_duration_seconds_count${labels}`]).toBe(6);
      expect(shown.almanac_snapshot_version).toBeGreaterThan(0);
      expect(shown.almanac_data_version).toBe(shown.almanac_snapshot_version);
    }

    const agents = Array.from({ length: 9 }, () => new Agent({ keepAlive: true }));
    onTestFinished(() => agents.forEach((agent) => void agent.destroy()));
    const held: unknown[] = [];
    for (const agent of agents) held.push(await outcomeOf(`${url}/v2/rates`, { agent }));
    expect(held).toEqual([...Array(8).fill(200), 503]);
  });

  test('go on while one is killed, which is started again, and drain together', async () => {
    const { api, url, started } = await start({ DRAIN_SECONDS: '10' }, 2);
    const clients = [false, false, false] as const;
    const { all, more, end } = load(url, clients);
    expect(await more()).toEqual(GOOD);
    const [killed = 0] = await childrenOf(api.process.pid ?? 0);
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => expect(started()).toBe(3), soon);
    // Once there are two again, nobody is turned away.
    expect(await more()).toEqual(GOOD);
    const children = await childrenOf(api.process.pid ?? 0);
    expect(children).toHaveLength(2);
    expect(children).not.toContain(killed);
    // Each client had one request on its way, and one connection may have been given to it before its end was known. None
    // is left to wait: all clients end.
    expect(all.filter((status) => status !== 200).length).toBeLessThanOrEqual(clients.length + 1);

    const beforeStop = all.length;
    api.process.kill('SIGTERM');
    const ready = async () => {
      const { status, body } = await ask(`${url}/health/ready`);
      return [status, body.includes('"draining"')];
    };
    const draining = [503, true];
    await vi.waitFor(async () => expect([await ready(), await ready()]).toEqual([draining, draining]), soon);
    await more();
    await end();
    expect(new Set(all.slice(beforeStop))).toEqual(GOOD);
    expect(await api.ended).toMatchObject({ code: 0 });
  });

  test('end with 78 and one line where the first can not start', async () => {
    const database = await databaseWith(someRates('2026-03-16'));
    onTestFinished(() => database.close());
    const { href } = Object.assign(new URL(database.url), { pathname: '/there_is_none' });
    const { code, stderr } = await startProgram('src/main.js', { DATABASE_URL: href, API_PROCESSES: '2' })
      .ended;
    expect([code, stderr.trim().split('\n').length]).toEqual([78, 1]);
    expect(stderr).toMatch(/does not exist/);
  });
});
