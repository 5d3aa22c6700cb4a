import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { openExchanges } from '../../../src/http/exchange.js';
import { createApiServer, listen } from '../../../src/http/server.js';
import { event } from '../../support/event.js';
import { done, exchangeContext, serveHandler } from './support.js';

it('finishes requests in flight, and takes no more, before it is closed', async () => {
  const [arrived, held] = [event(), event()];
  const { url, close } = await serveHandler((_, response) => {
    arrived.happen();
    void held.happened.then(() => response.end('done'));
  });
  // The client keeps the connection alive: it must not hold the server open.
  const request = get(url, { agent: new Agent({ keepAlive: true }) });
  await arrived.happened;
  const closed = close();
  await expect(fetch(url)).rejects.toThrow();
  held.happen();
  const [response] = await once(request, 'response');
  expect(await text(response)).toBe('done');
  await closed;
});

it('has the system take thousands of connections while this process is busy', async () => {
  const listened = vi.spyOn(Server.prototype, 'listen');
  await serveHandler();
  expect(listened).toHaveBeenCalledWith(0, '127.0.0.1', 4_096, expect.any(Function));
  listened.mockRestore();
});

it.each([
  ['127.0.0.1', 'IPv4', '127.0.0.1'],
  ['::1', 'IPv6', '[::1]'],
  ['0.0.0.0', 'IPv4', 'localhost'],
  ['::', 'IPv6', 'localhost'],
])('that listens on %s (%s) is reached at http://%s', async (address, family, name) => {
  const server = createApiServer(done);
  vi.spyOn(server, 'address').mockReturnValue({ address, family, port: 8080 });
  expect(await listen(server, 0, '127.0.0.1')).toBe(`http://${name}:8080`);
  server.close();
});

it('says that a port is taken', async () => {
  const taken = listen(createApiServer(done), Number((await serveHandler()).url.port), '127.0.0.1');
  await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it.each([
  ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\n\r\n', 417, 'expectation'],
  ['no host', 'GET / HTTP/1.1\r\nAccept: */*\r\n\r\n', 400, 'host'],
  ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n', 400, 'host'],
  ['the same host twice', 'GET / HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n', 400, 'host'],
  ['what is no HTTP', 'GET\r\n\r\n', 400, 'malformed'],
])('refuses a request with %s by the one error body', async (_, request, status, words) => {
  const { responseTo } = await serveHandler();
  const [head = '', body = ''] = (await responseTo(request)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  const fields = ['content-type: application/json', 'access-control-allow-origin: *', 'connection: close'];
  for (const field of fields) expect(head.toLowerCase()).toContain(field);
  const code = 'invalid_request';
  expect(JSON.parse(body)).toEqual({ success: false, status, code, message: expect.stringContaining(words) });
});

it('sends a refusal after the responses to the requests before it', async () => {
  const { responseTo } = await serveHandler((_, response) => {
    setTimeout(() => response.end('handled'), 50);
  });
  const received = await responseTo('GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\n');
  expect(received.startsWith('HTTP/1.1 200 ')).toBe(true);
  expect(received.indexOf('HTTP/1.1 400 ')).toBeGreaterThan(received.indexOf('handled'));
});

it('takes a request of HTTP/1.0 without a host, and one that expects 100-continue', async () => {
  const { responseTo } = await serveHandler();
  expect(await responseTo('GET / HTTP/1.0\r\n\r\n')).toContain('done');
  const waiting = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n';
  expect(await responseTo(waiting)).toMatch(/^HTTP\/1\.1 100 Continue.*done/s);
});

it('does not call half a request late that it has stopped reading', async () => {
  const held = event();
  const open = openExchanges(exchangeContext);
  const { server, dial } = await serveHandler(
    // More than a few on one connection wait, and nothing more is read of it.
    (request, response) => open(request, response, () => void held.happened.then(() => response.end('done'))),
    { limits: { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 20 } },
  );
  const socket = dial();
  let said = '';
  socket.setEncoding('utf8').on('data', (some: string) => {
    said += some;
  });
  socket.write(`${'GET /1 HTTP/1.1\r\nhost: almanac\r\n\r\n'.repeat(20)}GET /2 HTTP/1.1\r\n`);
  const [late] = await once(server, 'clientError');
  expect(late.code).toBe('ERR_HTTP_REQUEST_TIMEOUT');
  socket.write('host: almanac\r\nconnection: close\r\n\r\n');
  held.happen();
  await once(socket, 'close');
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(21).fill('HTTP/1.1 200'));
});
