import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { databaseWith, someRates } from '../support/rates.js';
import { buildService, childrenOf, startApiProgram, startProgram } from '../support/service.js';

const soon = { timeout: 60_000, interval: 100 };

beforeAll(buildService);

/** Two processes of the API behind one port. */
async function startTwo(variables: Record<string, string>) {
  const database = await databaseWith(someRates('2026-03-16'));
  const { api, url } = await startApiProgram({
    DATABASE_URL: database.url,
    API_PROCESSES: '2',
    ...variables,
  });
  onTestFinished(async () => {
    api.process.kill('SIGKILL');
    await api.ended;
    await database.close();
  });
  const started = () => api.output().split('listening, try').length - 1;
  await vi.waitFor(() => expect(started()).toBe(2), soon);
  return { api, url, started };
}

interface Answer {
  /** Of the response, or the reason why there is none. */
  status: number | string;
  text: string;
}

/** A request on a connection of its own unless an agent has one. */
async function ask(url: string, agent: Agent | false = false): Promise<Answer> {
  try {
    const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 'none', text: await text(response) };
  } catch (error) {
    return { status: (error as Error).message, text: '' };
  }
}

describe.skipIf(process.platform !== 'linux')('two processes of the API', { timeout: 180_000 }, () => {
  test('share connections, limits and metrics', async () => {
    const { url } = await startTwo({ MAX_CONNECTIONS: '8', RATE_LIMIT_UTILITY: '5' });
    const statuses = async (path: string, times: number) => {
      const all: Answer['status'][] = [];
      for (let time = 0; time < times; time++) all.push((await ask(`${url}${path}`)).status);
      return all;
    };
    expect(await statuses('/no', 8)).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);

    expect(await statuses('/v2/rates', 6)).toEqual(Array(6).fill(200));
    // Whichever responds has counted the requests of both.
    for (let time = 0; time < 4; time++) {
      const { text: metrics } = await ask(`${url}/metrics`);
      const counted = [...metrics.matchAll(/^almanac_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)];
      const ofRates = counted.filter(([, labels]) => labels?.includes('route="/v2/rates"'));
      expect(ofRates.map(([, , count]) => count)).toEqual(['6']);
      expect(metrics.match(/^almanac_snapshot_version \d+$/gm)).toHaveLength(1);
      const [data, snapshot] = ['data', 'snapshot'].map(
        (name) => new RegExp(`^almanac_${name}_version (\\d+)$`, 'm'),
      );
      expect(data?.exec(metrics)?.[1]).toBe(snapshot?.exec(metrics)?.[1]);
    }

    const agents = Array.from({ length: 9 }, () => new Agent({ keepAlive: true }));
    onTestFinished(() => agents.forEach((agent) => void agent.destroy()));
    const held: Answer['status'][] = [];
    for (const agent of agents) held.push((await ask(`${url}/v2/rates`, agent)).status);
    expect(held).toEqual([...Array(8).fill(200), 503]);
  });

  test('go on while one is killed, which is started again, and drain together', async () => {
    const { api, url, started } = await startTwo({ DRAIN_SECONDS: '10' });
    const clients = 3;
    const all: Answer['status'][] = [];
    let ends = false;
    const client = async () => {
      while (!ends) all.push((await ask(`${url}/v2/rates`)).status);
    };
    const load = Array.from({ length: clients }, client);
    const more = async () => {
      const from = all.length;
      await vi.waitFor(() => expect(all.length).toBeGreaterThan(from + 20), soon);
      return all.slice(from);
    };
    expect(new Set(await more())).toEqual(new Set([200]));
    const [killed = 0] = await childrenOf(api.process.pid ?? 0);
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => expect(started()).toBe(3), soon);
    // Once there are two again, nobody is turned away.
    expect(new Set(await more())).toEqual(new Set([200]));
    const children = await childrenOf(api.process.pid ?? 0);
    expect(children).toHaveLength(2);
    expect(children).not.toContain(killed);
    // Each client had one request on its way, and one connection may have been given to it before its end was known. None
    // is left to wait: all clients end.
    expect(all.filter((status) => status !== 200).length).toBeLessThanOrEqual(clients + 1);

    const beforeStop = all.length;
    api.process.kill('SIGTERM');
    const readiness = async () => {
      const answers = [await ask(`${url}/health/ready`), await ask(`${url}/health/ready`)];
      return answers.map((one) => [one.status, one.text.includes('"draining"')]);
    };
    const draining = [503, true];
    await vi.waitFor(async () => expect(await readiness()).toEqual([draining, draining]), soon);
    await more();
    ends = true;
    await Promise.all(load);
    expect(new Set(all.slice(beforeStop))).toEqual(new Set([200]));
    expect(await api.ended).toMatchObject({ code: 0 });
  });

  test('end with 78 and one line where the first can not start', async () => {
    const database = await databaseWith(someRates('2026-03-16'));
    onTestFinished(() => database.close());
    const url = new URL(database.url);
    url.pathname = '/there_is_none';
    const api = startProgram('src/main.js', { DATABASE_URL: url.href, API_PROCESSES: '2' });
    const { code, stderr } = await api.ended;
    expect([code, stderr.trim().split('\n').length]).toEqual([78, 1]);
    expect(stderr).toMatch(/does not exist/);
  });
});
