import { once } from 'node:events';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import { openExchanges } from '../../../src/http/exchange.js';
import { createApiServer, withinOpenFiles } from '../../../src/http/server.js';
import { event } from '../../support/event.js';
import { done, exchangeContext, outcomeOf, received, serveHandler as serve } from './support.js';

const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const LAST = REQUEST.replace('host: a', 'host: a\r\nconnection: close');

const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };

it.each([
  ['headers', 'GET / HTTP/1.1\r\nhost: x\r\n', 'x-drop: 1\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n', 'x'],
])('a client that is slow is refused where it sends %s drop by drop', async (_, start, drop) => {
  const socket = (await serve(done, { limits })).dial();
  socket.write(start);
  const drip = setInterval(() => socket.writable && socket.write(drop), 20);
  onTestFinished(() => clearInterval(drip));
  const response = await received(socket);
  expect(response).toMatch(/^(HTTP\/1\.1 408 |reset$)/);
  if (drop !== 'x') expect(response).toContain('"message":"the request took too long to arrive"');
});

it('a client that is slow has the time that standard limits give it', () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = createApiServer(done);
  const limits = [headersTimeout, requestTimeout, timeout, keepAliveTimeout];
  expect(limits).toEqual([10_000, 30_000, 120_000, 65_000]);
});

it.each([
  ['a URL', (size: number) => `GET /${'a'.repeat(size)} HTTP/1.1\r\nhost: x`],
  ['a header', (size: number) => `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(size)}`],
])('%s may be long, but not too long', async (_, request) => {
  const { responseTo } = await serve();
  const ofSize = (size: number) => responseTo(`${request(size)}\r\nconnection: close\r\n\r\n`);
  const refused = await ofSize(140_000);
  expect(refused).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(refused).toContain('"status":431');
  expect(await ofSize(60_000)).toMatch(/^HTTP\/1\.1 200 /);
});

it('a server that stops closes kept connections with their next response', async () => {
  const { dial, responseTo, close } = await serve();
  const socket = dial();
  socket.write(REQUEST);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toContain('Connection: keep-alive');
  const closing = close();
  expect((await responseTo(REQUEST, socket)).toLowerCase()).toContain('connection: close');
  await closing;
});

it('a server that stops loses no request of a steady load', async () => {
  const CLIENTS = 20;
  const ended = { answered: 0, refused: 0, lost: [] as unknown[] };
  const { url, close } = await serve((_, response) => {
    if (ended.answered % 2 === 0) response.end('at once');
    else setImmediate(() => response.end('later'));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  onTestFinished(() => agent.destroy());
  const client = async () => {
    for (;;) {
      const outcome = await outcomeOf(url.href, { agent });
      if (outcome === 200) ended.answered++;
      else if (String(outcome).includes('ECONNREFUSED')) return void ended.refused++;
      else return void ended.lost.push(outcome);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  // All connections are accepted by then: the kernel resets those that wait for it when the server closes.
  await expect.poll(() => ended.answered, { interval: 10 }).toBeGreaterThan(10 * CLIENTS);
  await close();
  await Promise.all(clients);
  expect([ended.lost, ended.refused]).toEqual([[], CLIENTS]);
});

/** A server with these limits, and some connections that are open already. */
async function limited(most: number, perClient: number, openAlready: number, trust = 'off') {
  const connections = { most, perClient, trustProxy: readConfig({ TRUST_PROXY: trust }).TRUST_PROXY };
  const { dial, responseTo } = await serve(done, { connections });
  async function hold(count: number, client?: string) {
    const sockets = Array.from({ length: count }, () => dial(client));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return sockets;
  }
  const ask = (client?: string) => responseTo(LAST, dial(client));
  return { dial, hold, ask, open: await hold(openAlready) };
}

it('connections are bounded for a client and in all', async () => {
  const { hold, ask, open } = await limited(6, 4, 4);
  const [head, body = ''] = (await ask()).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 503 /);
  expect(head).toContain('retry-after: 2');
  const said = { success: false, status: 503, code: 'unavailable', message: 'too many connections' };
  expect(JSON.parse(body)).toEqual(said);
  expect(await ask('127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /);
  const others = await hold(2, '127.0.0.2');
  expect(await ask('127.0.0.3')).toMatch(/^HTTP\/1\.1 503 /);
  others[0]?.destroy();
  open[0]?.destroy();
  await expect.poll(() => ask()).toMatch(/^HTTP\/1\.1 200 /);
});

it('some of many connections that are refused at a time get a response, and the others are cut', async () => {
  const { dial } = await limited(3, 3, 3);
  // They don't close their side, and so stay for a moment.
  const responses = await Promise.all(Array.from({ length: 8 }, () => received(dial('127.0.0.1', true))));
  expect(responses.filter((response) => response.startsWith('HTTP/1.1 503 '))).not.toEqual([]);
  expect(responses.filter((response) => ['', 'reset'].includes(response))).not.toEqual([]);
});

it('connections of a trusted proxy are counted in all only', async () => {
  const { ask } = await limited(6, 1, 3, 'loopback');
  expect(await ask()).toMatch(/^HTTP\/1\.1 200 /);
});

it.each([
  [undefined, 2_000, 256],
  [2_771, 2_000, 256],
  [2_770, 1_999, 256],
  [1_024, 690, 89],
  [64, 1, 1],
])('a process that may open %s files has at most %i connections', (openFiles, most, perClient) => {
  expect(withinOpenFiles(openFiles)).toEqual({ most, perClient });
});

/** A server whose responses wait until they may be sent. */
async function holding() {
  const held = event();
  const open = openExchanges(exchangeContext);
  const state = { opened: 0 };
  const served = await serve((request, response) =>
    open(request, response, () => {
      const id = state.opened++;
      void held.happened.then(() => setTimeout(() => response.end(`no-${id}.`), id % 3));
    }),
  );
  const sockets: Socket[] = [];
  served.server.on('connection', (socket: Socket) => sockets.push(socket));
  return { ...served, held, state, sockets };
}

it('pipelined requests are answered in their order, eight at a time, and are not read meanwhile', async () => {
  const { dial, held, state, sockets } = await holding();
  const socket = dial();
  const COUNT = 3_000;
  socket.write(REQUEST.repeat(COUNT - 1) + LAST);
  let bytes = -1;
  await vi.waitFor(() => {
    expect(state.opened).toBe(8);
    const before = bytes;
    bytes = sockets[0]?.bytesRead ?? -1;
    expect(bytes).toBe(before);
  });
  expect(bytes).toBeLessThan(COUNT * REQUEST.length);
  held.happen();
  const ids = [...(await received(socket)).matchAll(/no-(\d+)\./g)].map(([, id]) => Number(id));
  expect(ids).toEqual(Array.from({ length: COUNT }, (_, id) => id));
});

it('pipelined requests are forgotten once their connection closes, or they are answered', async () => {
  const { dial, responseTo, server, held, state } = await holding();
  // Some thousand may wait in all.
  for (let round = 0; round < 6; round++) {
    const before = state.opened;
    const socket = dial();
    socket.write(REQUEST.repeat(1_000));
    await vi.waitFor(() => expect(state.opened).toBeGreaterThan(before), { interval: 5 });
    server.closeAllConnections();
    await once(socket, 'close');
  }
  held.happen();
  for (let round = 0; round < 5; round++)
    expect((await responseTo(REQUEST.repeat(999) + LAST)).split('no-')).toHaveLength(1_001);
});
