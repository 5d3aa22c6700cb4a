import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import type { Handler } from '../../src/http/dispatcher.js';
import { closeServer, createApiServer, listen } from '../../src/server.js';
import { createStartingHandler } from '../../src/starting.js';

const agent = new Agent({ keepAlive: true });
let close: (() => Promise<void>) | undefined;

afterEach(async () => {
  await close?.();
  close = undefined;
});

function signal() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

async function serve(handler: Handler) {
  const server = createApiServer(handler);
  const url = await listen(server, 0, '127.0.0.1');
  close = () => (server.listening ? closeServer(server) : Promise.resolve());
  return { server, url };
}

it('finishes requests in flight, and takes no more, before it is closed', async () => {
  const arrived = signal();
  const answered = signal();
  const { server, url } = await serve((_request, response) => {
    arrived.resolve();
    void answered.promise.then(() => response.end('done'));
  });
  const request = get(url, { agent });
  await arrived.promise;
  const closed = closeServer(server);
  await expect(fetch(url)).rejects.toThrow();
  answered.resolve();
  const [response] = await once(request, 'response');
  expect(await text(response)).toBe('done');
  // The connection is kept alive by the client: it must not hold the server open.
  await closed;
});

it('says that a port is taken', async () => {
  const { url } = await serve((_request, response) => response.end());
  const other = createApiServer((_request, response) => response.end());
  await expect(listen(other, Number(new URL(url).port), '127.0.0.1')).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

it('is alive, and not ready, while it starts', async () => {
  const { url } = await serve(createStartingHandler(pino({ level: 'silent' })));
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  const response = await fetch(`${url}/v2/rates`);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({ success: false, status: 503, message: 'the service is starting' });
});
