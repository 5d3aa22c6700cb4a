import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it, vi } from 'vitest';
import { createEventLoop } from '../../core/concurrency/event-loop.js';
import { readConfig } from '../../core/process/config.js';
import type { Handler } from '../../src/http/dispatcher.js';
import { openExchanges } from '../../src/http/exchange.js';
import { shareOf } from '../../src/processes.js';
import { closeServer, createApiServer, listen } from '../../src/server.js';

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

it('has the system take thousands of connections while this process is busy', async () => {
  const listened = vi.spyOn(Server.prototype, 'listen');
  await serve((_request, response) => response.end());
  expect(listened).toHaveBeenCalledWith(0, '127.0.0.1', 4_096, expect.any(Function));
  listened.mockRestore();
});

it('says that a port is taken', async () => {
  const { url } = await serve((_request, response) => response.end());
  const other = createApiServer((_request, response) => response.end());
  await expect(listen(other, Number(new URL(url).port), '127.0.0.1')).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});

/** Sends the text on a connection of its own and gives all that comes until the server closes it. */
async function exchanged(url: string, sent: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(sent);
  return text(socket);
}

it.each([
  ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\n\r\n', 417, 'expectation'],
  ['no host', 'GET / HTTP/1.1\r\nAccept: */*\r\n\r\n', 400, 'host'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400, 'host'],
  ['the same host twice', 'GET / HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n', 400, 'host'],
  ['what is no HTTP', 'GET\r\n\r\n', 400, 'malformed'],
])('refuses a request with %s by the one error body', async (_, request, status, words) => {
  const { url } = await serve((_request, response) => response.end('handled'));
  const [head = '', body = ''] = (await exchanged(url, request)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  for (const field of [
    'content-type: application/json',
    'access-control-allow-origin: *',
    'connection: close',
  ])
    expect(head.toLowerCase()).toContain(field);
  expect(JSON.parse(body)).toEqual({ success: false, status, message: expect.stringContaining(words) });
});

it('sends a refusal after the responses to the requests before it', async () => {
  const { url } = await serve((_request, response) => {
    setTimeout(() => response.end('handled'), 50);
  });
  const requests = 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\n';
  const received = await exchanged(url, requests);
  expect(received.startsWith('HTTP/1.1 200 ')).toBe(true);
  expect(received.indexOf('HTTP/1.1 400 ')).toBeGreaterThan(received.indexOf('handled'));
});

it('takes a request of HTTP/1.0 without a host, and one that expects 100-continue', async () => {
  const { url } = await serve((_request, response) => response.end('handled'));
  expect(await exchanged(url, 'GET / HTTP/1.0\r\n\r\n')).toContain('handled');
  const waiting = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n';
  const received = await exchanged(url, waiting);
  expect(received.startsWith('HTTP/1.1 100 Continue')).toBe(true);
  expect(received).toContain('handled');
});

it('does not call half a request late that it has stopped reading', async () => {
  const held = signal();
  const open = openExchanges({
    eventLoop: createEventLoop(),
    clientOf: () => 'test',
    isSecure: () => false,
    onEnd: () => undefined,
  });
  const server = createApiServer(
    // More than a few on one connection wait, and nothing more is read of it.
    (request, response) => open(request, response, () => void held.promise.then(() => response.end('done'))),
    { limits: { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 20 } },
  );
  const url = new URL(await listen(server, 0, '127.0.0.1'));
  close = () => closeServer(server);
  const socket = connect(Number(url.port), url.hostname);
  let said = '';
  socket.setEncoding('utf8').on('data', (some: string) => {
    said += some;
  });
  socket.write(`${'GET /1 HTTP/1.1\r\nhost: almanac\r\n\r\n'.repeat(20)}GET /2 HTTP/1.1\r\n`);
  const [late] = await once(server, 'clientError');
  expect(late.code).toBe('ERR_HTTP_REQUEST_TIMEOUT');
  socket.write('host: almanac\r\nconnection: close\r\n\r\n');
  held.resolve();
  await once(socket, 'close');
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(21).fill('HTTP/1.1 200'));
});

it('each process has its share of what all may have', () => {
  const config = readConfig({ API_PROCESSES: '3', MAX_CONNECTIONS: '10', MAX_REQUESTS: '2' });
  const perClient = { MAX_CONNECTIONS_PER_CLIENT: 85, MAX_REQUESTS_PER_CLIENT: 85 };
  expect(shareOf(config)).toMatchObject({
    MAX_CONNECTIONS: 3,
    MAX_REQUESTS: 1,
    MAX_BUFFERED_MB: 42,
    ...perClient,
  });
  expect(shareOf(readConfig({}))).toEqual(readConfig({}));
});
