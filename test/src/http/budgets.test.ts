import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import { withinOpenFiles } from '../../../src/http/connections.js';
import { startApi, type TestApi } from '../../support/api.js';
import { httpStub } from '../../support/http-stub.js';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, publish } from '../../support/rates.js';
import { readNothing } from '../../support/slow-reader.js';

let database: TestDatabase;
let api: TestApi;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  const pairs = ['EUR/USD', 'EUR/GBP', 'EUR/JPY', 'EUR/CHF', 'EUR/CAD', 'EUR/UAH', 'EUR/MWK', 'EUR/BIF'];
  database = await databaseWith(publish('ECB', pairs, '1999-01-04', '2026-03-20'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  await api?.close();
});
afterAll(() => database?.close());

async function start(variables: Record<string, string> = {}): Promise<void> {
  api = await startApi(database, { clock: () => new Date('2026-03-20T18:00:00Z'), variables });
}

interface Got {
  status: number | undefined;
  retryAfter: string | undefined;
  body: string;
  ms: number;
}

/** A request on a connection of its own. */
async function ask(path: string, localAddress = '127.0.0.1'): Promise<Got> {
  const started = performance.now();
  const sent = httpRequest(`${api.url}${path}`, { localAddress, agent: false });
  sent.end();
  const [response] = await once(sent, 'response');
  const body = await text(response);
  const { statusCode, headers } = response;
  return { status: statusCode, retryAfter: headers['retry-after'], body, ms: performance.now() - started };
}

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  cleanUps.push(() => socket.destroy());
  return socket;
}

const REFUSED = { status: 503, retryAfter: '2' };

it('answers what is pipelined in order, however much it is, a few at a time', async () => {
  await start();
  const socket = await open();
  const paths = ['/v2/rates?quotes=USD', '/no-such-path', '/v2/currency/EUR', '/v2/rates?from=2025-03-01'];
  const count = 3_000;
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (part: string) => {
    received += part;
  });
  const requests = Array.from({ length: count }, (_, id) => {
    const last = id === count - 1 ? 'connection: close\r\n' : '';
    return `GET ${paths[id % paths.length]} HTTP/1.1\r\nhost: almanac\r\nx-request-id: no-${id}\r\n${last}\r\n`;
  });
  socket.write(requests.join(''));
  await once(socket, 'close');
  const ids = [...received.matchAll(/\r\nx-request-id: no-(\d+)\r\n/g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: count }, (_, id) => id));
}, 120_000);

it('reads no more of a connection than it handles', async () => {
  await start();
  const socket = await open();
  socket.pause();
  const request = 'GET /v2/rates?from=2000-01-01&quotes=USD,GBP HTTP/1.1\r\nhost: almanac\r\n\r\n';
  let isFull = false;
  // The system's buffers take some megabytes before the connection is full.
  for (let part = 0; part < 200 && !isFull; part++) {
    isFull = !socket.write(request.repeat(1_500));
    if (isFull) isFull = !(await Promise.race([once(socket, 'drain'), sleep(1_000, undefined)]));
  }
  expect(isFull).toBe(true);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  await sleep(500);
  const later = process.memoryUsage();
  expect((later.heapUsed + later.arrayBuffers - heapUsed - arrayBuffers) / 2 ** 20).toBeLessThan(32);
  expect((await ask('/health/live')).status).toBe(200);
});

it('has only so many connections, in all and for a client', async () => {
  await start({ MAX_CONNECTIONS: '6', MAX_CONNECTIONS_PER_CLIENT: '4' });
  const sockets = await Promise.all([open(), open(), open(), open()]);
  await sleep(50);
  const refused = await ask('/health/live');
  expect(refused).toMatchObject({ status: 503, retryAfter: '2' });
  expect(JSON.parse(refused.body)).toEqual({ success: false, status: 503, message: 'too many connections' });
  expect((await ask('/health/live', '127.0.0.2')).status).toBe(200);
  const others = [await readNothing(api.url, [], '127.0.0.2'), await readNothing(api.url, [], '127.0.0.2')];
  await sleep(50);
  expect((await ask('/health/live', '127.0.0.3')).status).toBe(503);
  for (const other of others) other.close();
  sockets[0]?.destroy();
  await expect.poll(async () => (await ask('/health/live')).status, { timeout: 5_000 }).toBe(200);
});

it('closes connections at once where it has told many others that they are refused', async () => {
  await start({ MAX_CONNECTIONS: '3' });
  await Promise.all([open(), open(), open()]);
  // They don't close their side, and so stay for a moment.
  const told = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const socket = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1', allowHalfOpen: true });
      cleanUps.push(() => socket.destroy());
      return text(socket).catch(() => '');
    }),
  );
  expect(told.filter((response) => response.startsWith('HTTP/1.1 503 '))).not.toHaveLength(0);
  expect(told.filter((response) => response === '')).not.toHaveLength(0);
});

it('has fewer connections where a process may open few files', () => {
  const config = readConfig({ MAX_CONNECTIONS: '2000', DATABASE_CONNECTIONS: '8' });
  const limitsWith = (openFiles?: number) => {
    const { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_CLIENT } = withinOpenFiles(config, openFiles);
    return [MAX_CONNECTIONS, MAX_CONNECTIONS_PER_CLIENT];
  };
  expect(limitsWith()).toEqual([2_000, 256]);
  expect(limitsWith(2_771)).toEqual([2_000, 256]);
  expect(limitsWith(2_770)).toEqual([1_999, 256]);
  expect(limitsWith(1_024)).toEqual([690, 89]);
  expect(limitsWith(64)).toEqual([1, 1]);
});

it('counts connections of a trusted proxy in all only', async () => {
  await start({ MAX_CONNECTIONS: '6', MAX_CONNECTIONS_PER_CLIENT: '1', TRUST_PROXY: 'loopback' });
  await Promise.all([open(), open(), open()]);
  await sleep(50);
  expect((await ask('/health/live')).status).toBe(200);
});

it('has only so many requests under way, but always responds to health checks', async () => {
  const stalled = await httpStub({ '/v1/search': () => undefined });
  cleanUps.push(() => stalled.close());
  await start({ OPEN_METEO_GEOCODING_URL: stalled.url, MAX_REQUESTS: '3', MAX_REQUESTS_PER_CLIENT: '2' });
  const waiting = [
    await readNothing(api.url, ['/weather/search?q=Oslo', '/weather/search?q=Bern'], '127.0.0.2'),
    await readNothing(api.url, ['/weather/search?q=Rome'], '127.0.0.3'),
  ];
  await sleep(200);
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    const refused = await ask('/v2/currencies', address);
    expect(refused).toMatchObject(REFUSED);
    expect(JSON.parse(refused.body)).toEqual({
      success: false,
      status: 503,
      message: 'too much is asked for at once',
    });
    expect((await ask('/health/live', address)).status).toBe(200);
  }
  waiting[0]?.close();
  await expect.poll(async () => (await ask('/v2/currencies')).status, { timeout: 5_000 }).toBe(200);
  waiting[1]?.close();
});

// A busy machine may not have begun a stream within the half seconds below.
it('bounds what responses hold for slow readers, fairly by client, and lets cheap requests pass', {
  retry: 3,
}, async () => {
  const long = '/v2/rates?from=1999-01-01&base=USD';
  await start({ MAX_BUFFERED_MB: '7' });
  // Each client may hold a quarter: one stream.
  const readers = [await readNothing(api.url, [long], '127.0.0.2')];
  await sleep(500);
  const refused = await ask(long, '127.0.0.2');
  expect(refused).toMatchObject(REFUSED);
  expect(refused.ms).toBeGreaterThan(1_900);
  expect((await ask('/v2/rates', '127.0.0.2')).status).toBe(200);
  expect((await ask('/v2/rates?from=2025-01-01&quotes=USD', '127.0.0.2')).status).toBe(200);
  const held = await ask(long, '127.0.0.9');
  expect(held.status).toBe(200);
  for (const last of [3, 4, 5]) readers.push(await readNothing(api.url, [long], `127.0.0.${last}`));
  await sleep(500);
  expect(await ask(long, '127.0.0.9')).toMatchObject(REFUSED);
  const waiting = ask(long, '127.0.0.9');
  await sleep(300);
  for (const reader of readers) reader.close();
  expect((await waiting).status).toBe(200);
});

it('admits the call of a tool by what it costs, as the same request', async () => {
  await start({ MAX_BUFFERED_MB: '6' });
  // A client may hold a quarter: one stream.
  const reader = await readNothing(api.url, ['/v2/rates?from=1999-01-01&base=USD']);
  await sleep(500);
  const call = (input: Record<string, string>) =>
    fetch(`${api.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'series', arguments: input },
      }),
    });
  const refused = await call({ quotes: 'USD,GBP,JPY,CHF', from: '1999-01-01' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await call({ quotes: 'USD', from: '2026-03-01' })).status).toBe(200);
  reader.close();
});

it('receives a body only where there is room for all that it may be', async () => {
  await start({ MAX_BUFFERED_MB: '64' });
  const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip' };
  const post = (localAddress: string) => postBody(localAddress, headers);
  const body = gzipSync('amount,base,quote\n1,EUR,USD\n');
  const statusOf = async (localAddress: string) => {
    const sent = post(localAddress).end(body);
    const [response] = await once(sent, 'response');
    return response.statusCode;
  };
  // Each may become two megabytes, and is held several times as it is read. One client may hold a quarter of all.
  const endless = [post('127.0.0.1'), post('127.0.0.1')];
  for (const one of endless) one.write(body.subarray(0, 5));
  await expect.poll(() => statusOf('127.0.0.1'), { timeout: 20_000 }).toBe(503);
  expect(await statusOf('127.0.0.2')).toBe(200);
  for (const one of endless) one.destroy();
  await expect.poll(() => statusOf('127.0.0.1'), { timeout: 20_000 }).toBe(200);
}, 60_000);

it('lists revisions and suspects only where there is room for them', async () => {
  await start({ MAX_BUFFERED_MB: '8' });
  const holding = postBody('127.0.0.1');
  holding.write('[');
  const paths = ['/v2/revisions', '/v2/suspects', '/v2/revisions.csv'];
  for (const path of paths)
    await expect.poll(async () => (await ask(path)).status, { timeout: 20_000 }).toBe(503);
  for (const path of paths) expect((await ask(path, '127.0.0.2')).status).toBe(200);
  holding.destroy();
  for (const path of paths)
    await expect.poll(async () => (await ask(path)).status, { timeout: 20_000 }).toBe(200);
}, 60_000);

/** Begins to send a body of unknown length. */
function postBody(localAddress: string, headers: Record<string, string> = {}) {
  const sent = httpRequest(`${api.url}/v2/convert`, { method: 'POST', localAddress, agent: false, headers });
  sent.on('error', () => undefined);
  cleanUps.push(() => sent.destroy());
  return sent;
}
