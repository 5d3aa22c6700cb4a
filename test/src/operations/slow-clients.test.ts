import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { closeServer, createApiServer, listen } from '../../../src/server.js';

let close: (() => Promise<void>) | undefined;

afterEach(async () => {
  await close?.();
  close = undefined;
});

/** A server that answers once the body is read, with its time limits divided. */
async function serve(limits: NonNullable<Parameters<typeof createApiServer>[1]>['limits'] = {}) {
  const server = createApiServer(
    (request, response) => {
      request.resume().on('end', () => response.end('done'));
    },
    { limits },
  );
  const url = new URL(await listen(server, 0, '127.0.0.1'));
  close = () => closeServer(server);
  return () => connect(Number(url.port), url.hostname);
}

async function heard(socket: Socket): Promise<string> {
  socket.on('error', () => undefined); // A reset is an end too.
  return text(socket).catch(() => 'reset');
}

const QUICK = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };

it('tells who sends headers drop by drop that it took too long', async () => {
  const dial = await serve(QUICK);
  const socket = dial();
  const drip = setInterval(() => socket.writable && socket.write('x-drop: 1\r\n'), 50);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n');
  const said = await heard(socket);
  clearInterval(drip);
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(said).toContain('"message":"the request took too long to arrive"');
});

it('cuts who sends a body drop by drop', async () => {
  const dial = await serve(QUICK);
  const socket = dial();
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n');
  const drip = setInterval(() => socket.writable && socket.write('x'), 50);
  const started = performance.now();
  const said = await heard(socket);
  clearInterval(drip);
  expect(said).toMatch(/^(HTTP\/1\.1 408 |reset|$)/);
  expect(performance.now() - started).toBeLessThan(20_000);
});

it('has time limits that are on as it is shipped', () => {
  const server = createApiServer(() => undefined);
  expect(server.headersTimeout).toBe(10_000);
  expect(server.requestTimeout).toBe(30_000);
  expect(server.timeout).toBe(120_000);
  expect(server.keepAliveTimeout).toBe(65_000);
});

it.each([
  ['a URL', (size: number) => `GET /${'a'.repeat(size)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  ['a header', (size: number) => `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(size)}\r\n\r\n`],
])('refuses %s that is too long, and takes a long one', async (_, request) => {
  const dial = await serve();
  const refused = dial();
  refused.write(request(140_000));
  const said = await heard(refused);
  expect(said).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(said).toContain('"status":431');
  const taken = dial();
  taken.write(request(60_000).replace('host: x', 'host: x\r\nconnection: close'));
  expect(await heard(taken)).toMatch(/^HTTP\/1\.1 200 /);
});

it('closes kept-alive connections with their next response once it is stopping', async () => {
  const dial = await serve();
  const socket = dial();
  const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
  socket.write(request);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toContain('Connection: keep-alive');
  const closing = close?.();
  close = undefined;
  await sleep(20);
  socket.write(request);
  expect((await heard(socket)).toLowerCase()).toContain('connection: close');
  await closing;
});
