import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openRedis, pingRedis, redisOptions } from '../../../core/queues/redis.js';
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
    await expect(client.get('a')).rejects.toThrow();
    expect(await millisecondsOf(client.get('a'))).toBeLessThan(5_000);
  });

  it('fails after another attempt to connect where something is handed over', async () => {
    const { client } = open(NOWHERE, redisOptions.retryOnce());
    expect(await millisecondsOf(client.get('a'))).toBeLessThan(3_000);
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
