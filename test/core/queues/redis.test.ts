import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError } from '../../../core/process/config.js';
import {
  openRedis,
  pingRedis,
  readMemory,
  redisOptions,
  refuseUnusable,
  serverOf,
} from '../../../core/queues/redis.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { openLog } from '../../worker/ingest/support.js';

const NOWHERE = 'redis://127.0.0.1:1';

function open(url: string, options: Parameters<typeof openRedis>[1]) {
  const { log, lines } = openLog();
  const connection = openRedis(url, options, { server: 'redis (test)', log });
  onTestFinished(() => connection.client.disconnect());
  return { ...connection, messages: () => lines.map(({ msg }) => msg) };
}

/** A server that takes connections and never says a word. */
async function silentServer(): Promise<{ url: string; server: Server }> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

it('a command while Redis cannot be reached fails at once where a request waits for it', async () => {
  const { client } = open(NOWHERE, redisOptions.failFast(60_000));
  for (let again = 0; again < 2; again++)
    await expect(client.get('a')).rejects.toThrow("Stream isn't writeable");
});

it('a command while Redis cannot be reached fails after another attempt to connect where something is handed over, and waits for ever in a listener', async () => {
  const listener = open(NOWHERE, redisOptions.waitForever());
  const settled = vi.fn();
  listener.client.get('a').then(settled, settled);
  await expect(open(NOWHERE, redisOptions.retryOnce()).client.get('a')).rejects.toThrow();
  await sleep(300);
  expect(settled).not.toHaveBeenCalled();
});

it('a command while Redis cannot be reached fails where Redis takes it and does not reply, unless it is a listener', async () => {
  const { url } = await silentServer();
  const patient = open(url, { ...redisOptions.waitForever(), enableReadyCheck: false });
  const settled = vi.fn();
  patient.client.get('a').then(settled, settled);
  for (const uses of [redisOptions.failFast(100), redisOptions.retryOnce(100)]) {
    const { client } = open(url, { ...uses, enableReadyCheck: false, enableOfflineQueue: true });
    await expect(client.get('a')).rejects.toThrow('Command timed out');
  }
  expect(settled).not.toHaveBeenCalled();
});

describe('a ping', () => {
  it('names why Redis cannot be reached', () => expect(pingRedis(NOWHERE)).rejects.toThrow(/ECONNREFUSED/));

  it('does not wait for a server that says nothing', async () => {
    const { url, server } = await silentServer();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const settled = vi.fn();
    const connected = once(server, 'connection');
    const pinging = pingRedis(url).then(settled, settled);
    await connected;
    for (let second = 0; second < 8; second++) await vi.advanceTimersByTimeAsync(1_000);
    await pinging;
    expect(settled).toHaveBeenCalledWith(expect.any(Error));
  });

  it.skipIf(redisMissing)('goes through where there is a Redis', async () =>
    expect(pingRedis((await testRedis()).url)).resolves.toBeUndefined(),
  );
});

it('no Cluster is seen where nobody can be reached', () =>
  expect(refuseUnusable(NOWHERE)).resolves.toBeUndefined());

it('a URL that can not be read is an error of the configuration', () => {
  const refused = new ConfigurationError('the URL of Redis is invalid');
  expect(() => serverOf('http://127.0.0.1')).toThrow(refused);
  expect(serverOf('redis://127.0.0.1:7/3')).toMatchObject({ host: '127.0.0.1', port: 7, db: 3 });
});

it.each([
  [1, 100],
  [7, 700],
  [500, 2_000],
])('attempt %i to connect comes after %i ms at most, not by all at once', (times, longest) => {
  for (const uses of [redisOptions.waitForever(), redisOptions.retryOnce(), redisOptions.failFast(50)]) {
    const delays = Array.from({ length: 50 }, () => uses.retryStrategy(times));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(longest / 2);
    expect(Math.max(...delays)).toBeLessThanOrEqual(longest);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(longest / 20);
  }
});

it.skipIf(redisMissing)('a connection that is lost is made again, and logged once each', async () => {
  const server = await startRedis();
  if (!server) throw new Error('Redis did not start');
  onTestFinished(() => server.stop());
  const { client, messages } = open(server.url, redisOptions.waitForever());
  // How much memory there is, and whether keys are removed once it is full.
  const { usedBytes, ...unbounded } = await readMemory(client);
  expect(unbounded).toEqual({ maxBytes: 0, evicts: false });
  expect([usedBytes > 100_000, usedBytes < 100_000_000]).toEqual([true, true]);
  await client.config('SET', 'maxmemory', 50_000_000);
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  expect(await readMemory(client)).toMatchObject({ maxBytes: 50_000_000, evicts: true });

  await server.stop();
  const waiting = client.set('a', 'two');
  await vi.waitFor(() => expect(messages()).toEqual(["redis (test) can't be reached"]));
  await sleep(300);
  const again = await startRedis(Number(new URL(server.url).port));
  onTestFinished(() => again?.stop());
  expect(await waiting).toBe('OK');
  expect(messages()).toEqual(["redis (test) can't be reached", 'redis (test) can be reached again']);
});
