import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../../core/process/config.js';
import { openRedis, pingRedis, redisOptions, refuseClusters, serverOf } from '../../../core/queues/redis.js';
import { readMemory } from '../../../core/queues/redis-info.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const NOWHERE = 'redis://127.0.0.1:1';

function open(url: string, options: Parameters<typeof openRedis>[1]) {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const connection = openRedis(url, options, { server: 'redis (test)', log });
  closings.push(() => connection.client.disconnect());
  return { ...connection, lines };
}

async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work.catch(() => undefined);
  return performance.now() - started;
}

/** A server that takes connections and never says a word. */
async function silentServer(): Promise<string> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => server.close());
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a command while Redis can not be reached', () => {
  it('fails at once where a request waits for it', async () => {
    const { client } = open(NOWHERE, redisOptions.failFast(60_000));
    await expect(client.get('a')).rejects.toThrow("Stream isn't writeable");
    expect(await millisecondsOf(client.get('a'))).toBeLessThan(5_000);
  });

  it('fails after another attempt to connect where something is handed over', async () => {
    const { client } = open(NOWHERE, redisOptions.retryOnce());
    expect(await millisecondsOf(client.get('a'))).toBeLessThan(3_000);
  });

  it('fails where Redis takes it and does not reply, unless it is a listener', async () => {
    const url = await silentServer();
    const patient = open(url, { ...redisOptions.waitForever(), enableReadyCheck: false });
    const settled = vi.fn();
    patient.client.get('a').then(settled, settled);
    for (const uses of [redisOptions.failFast(100), redisOptions.retryOnce(100)]) {
      const { client } = open(url, { ...uses, enableReadyCheck: false, enableOfflineQueue: true });
      await expect(client.get('a')).rejects.toThrow('Command timed out');
    }
    expect(settled).not.toHaveBeenCalled();
  });

  it('waits for ever in a listener', async () => {
    const { client } = open(NOWHERE, redisOptions.waitForever());
    const settled = vi.fn();
    client.get('a').then(settled, () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(settled).not.toHaveBeenCalled();
  });
});

describe('a ping', () => {
  it('names why Redis can not be reached', async () => {
    await expect(pingRedis(NOWHERE)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('does not wait for a server that says nothing', async () => {
    const url = await silentServer();
    expect(await millisecondsOf(pingRedis(url))).toBeLessThan(8_000);
  });

  it.skipIf(redisMissing)('goes through where there is a Redis', async () => {
    await expect(pingRedis((await testRedis()).url)).resolves.toBeUndefined();
  });
});

it('no Cluster is seen where there is no URL, and where nobody can be reached', async () => {
  await expect(refuseClusters([undefined, NOWHERE])).resolves.toBeUndefined();
});

it('a URL that can not be read is an error of the configuration', () => {
  const refused = new ConfigurationError('the URL of Redis is invalid');
  expect(() => serverOf('http://127.0.0.1')).toThrow(refused);
  expect(serverOf('redis://127.0.0.1:7/3')).toMatchObject({ host: '127.0.0.1', port: 7, db: 3 });
});

it('a lost connection is tried again after a tenth of a second more each time, up to two, and not by all at once', () => {
  for (const uses of [redisOptions.waitForever(), redisOptions.retryOnce(), redisOptions.failFast(50)]) {
    for (const [times, longest] of [
      [1, 100],
      [7, 700],
      [500, 2_000],
    ] as const) {
      const delays = Array.from({ length: 50 }, () => uses.retryStrategy(times));
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(longest / 2);
      expect(Math.max(...delays)).toBeLessThanOrEqual(longest);
      expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(longest / 20);
    }
  }
});

it.skipIf(redisMissing)(
  'tells how much memory there is, and whether keys are removed once it is full',
  async () => {
    const server = await startRedis();
    if (!server) throw new Error('Redis did not start');
    closings.push(() => server.stop());
    const { client } = open(server.url, redisOptions.waitForever());
    const { usedBytes, ...unbounded } = await readMemory(client);
    expect(unbounded).toEqual({ maxBytes: 0, evicts: false });
    expect(usedBytes).toBeGreaterThan(100_000);
    expect(usedBytes).toBeLessThan(100_000_000);
    await client.config('SET', 'maxmemory', 50_000_000);
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect(await readMemory(client)).toMatchObject({ maxBytes: 50_000_000, evicts: true });
  },
);

describe.skipIf(redisMissing)('a connection that is lost', () => {
  it('is logged once, connected again, and logged once more', async () => {
    const server = await startRedis();
    if (!server) throw new Error('Redis did not start');
    closings.push(() => server.stop());
    const { client, lines } = open(server.url, redisOptions.waitForever());
    await client.set('a', 'one');
    await server.stop();
    const waiting = client.set('a', 'two');
    await vi.waitFor(() => expect(lines).toEqual(["redis (test) can't be reached"]), { timeout: 3_000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const again = await startRedis(Number(new URL(server.url).port));
    if (!again) throw new Error('Redis did not start again');
    closings.push(() => again.stop());
    expect(await waiting).toBe('OK');
    expect(lines).toEqual(["redis (test) can't be reached", 'redis (test) can be reached again']);
  }, 15_000);
});
