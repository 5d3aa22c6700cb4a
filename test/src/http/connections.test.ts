import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createEventLoop } from '../../../core/concurrency/event-loop.js';
import { readConfig } from '../../../core/process/config.js';
import { withinOpenFiles } from '../../../src/http/connections.js';
import type { Handler } from '../../../src/http/dispatcher.js';
import { openExchanges } from '../../../src/http/exchange.js';
import { closeServer, createApiServer, listen } from '../../../src/server.js';
import { event } from '../../support/event.js';

const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

/** Responds once the body is read. */
const done: Handler = (request, response) => {
  request.resume().on('end', () => response.end('done'));
};

async function serve(handler: Handler = done, options: Parameters<typeof createApiServer>[1] = {}) {
  const server = createApiServer(handler, options);
  const url = new URL(await listen(server, 0, '127.0.0.1'));
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= closeServer(server);
    return closing;
  };
  onTestFinished(close);
  /** A connection, of which a client elsewhere has another local address. */
  function dial(localAddress = '127.0.0.1', allowHalfOpen = false): Socket {
    const socket = connect({ port: Number(url.port), host: url.hostname, localAddress, allowHalfOpen });
    socket.on('error', () => undefined); // It may be reset.
    onTestFinished(() => void socket.destroy());
    return socket;
  }
  return { server, url, dial, close };
}

/** What comes on a connection until its end. */
const received = (socket: Socket) => text(socket).catch(() => 'reset');

const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };

it.each([
  ['headers', 'GET / HTTP/1.1\r\nhost: x\r\n', 'x-drop: 1\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n', 'x'],
])('a client that is slow is refused where it sends %s drop by drop', async (_, start, drop) => {
  const { dial } = await serve(done, { limits });
  const socket = dial();
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
  const { dial } = await serve();
  const responseTo = (size: number) => {
    const socket = dial();
    socket.write(`${request(size)}\r\nconnection: close\r\n\r\n`);
    return received(socket);
  };
  const refused = await responseTo(140_000);
  expect(refused).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
  expect(refused).toContain('"status":431');
  expect(await responseTo(60_000)).toMatch(/^HTTP\/1\.1 200 /);
});

it('a server that stops closes kept connections with their next response', async () => {
  const { dial, close } = await serve();
  const socket = dial();
  socket.write(REQUEST);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toContain('Connection: keep-alive');
  const closing = close();
  socket.write(REQUEST);
  expect((await received(socket)).toLowerCase()).toContain('connection: close');
  await closing;
});

it('a server that stops loses no request of a steady load', async () => {
  const CLIENTS = 20;
  const ended = { answered: 0, refused: 0, lost: [] as string[] };
  const { url, close } = await serve((_, response) => {
    if (ended.answered % 2 === 0) response.end('at once');
    else setImmediate(() => response.end('later'));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  onTestFinished(() => agent.destroy());
  const ask = () =>
    new Promise<string>((resolve) => {
      const sent = httpRequest(url, { agent }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200 ? 'answered' : 'wrong'));
        response.on('error', (error) => resolve(error.message));
      });
      sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      sent.end();
    });
  const client = async () => {
    for (;;) {
      const end = await ask();
      if (end === 'answered') ended.answered++;
      else if (end === 'ECONNREFUSED') return void ended.refused++;
      else return void ended.lost.push(end);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  // All connections are accepted by then: the kernel resets those that wait for it when the server closes.
  await expect.poll(() => ended.answered, { interval: 10 }).toBeGreaterThan(10 * CLIENTS);
  await close();
  await Promise.all(clients);
  expect([ended.lost, ended.refused]).toEqual([[], CLIENTS]);
});

const limited = (most: number, perClient: number, trust = 'off') => ({
  connections: readConfig({
    ...{ MAX_CONNECTIONS: String(most), MAX_CONNECTIONS_PER_CLIENT: String(perClient) },
    TRUST_PROXY: trust,
  }),
});
/** The response on a connection of its own: its status line first. */
const ask = (socket: Socket) => {
  socket.write(REQUEST.replace('host: a', 'host: a\r\nconnection: close'));
  return received(socket);
};

it('connections are bounded for a client and in all', async () => {
  const { dial } = await serve(done, limited(6, 4));
  const open = Array.from({ length: 4 }, () => dial());
  await Promise.all(open.map((socket) => once(socket, 'connect')));
  const [head, body = ''] = (await ask(dial())).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 503 /);
  expect(head).toContain('retry-after: 2');
  expect(JSON.parse(body)).toEqual({ success: false, status: 503, message: 'too many connections' });
  expect(await ask(dial('127.0.0.2'))).toMatch(/^HTTP\/1\.1 200 /);
  const others = [dial('127.0.0.2'), dial('127.0.0.2')];
  await Promise.all(others.map((socket) => once(socket, 'connect')));
  expect(await ask(dial('127.0.0.3'))).toMatch(/^HTTP\/1\.1 503 /);
  others[0]?.destroy();
  open[0]?.destroy();
  await expect.poll(() => ask(dial())).toMatch(/^HTTP\/1\.1 200 /);
});

it('some of many connections that are refused at a time get a response, and the others are cut', async () => {
  const { dial } = await serve(done, limited(3, 3));
  await Promise.all([dial(), dial(), dial()].map((socket) => once(socket, 'connect')));
  // They don't close their side, and so stay for a moment.
  const responses = await Promise.all(Array.from({ length: 8 }, () => received(dial('127.0.0.1', true))));
  expect(responses.filter((response) => response.startsWith('HTTP/1.1 503 '))).not.toEqual([]);
  expect(responses.filter((response) => ['', 'reset'].includes(response))).not.toEqual([]);
});

it('connections of a trusted proxy are counted in all only', async () => {
  const { dial } = await serve(done, limited(6, 1, 'loopback'));
  await Promise.all([dial(), dial(), dial()].map((socket) => once(socket, 'connect')));
  expect(await ask(dial())).toMatch(/^HTTP\/1\.1 200 /);
});

it.each([
  [undefined, 2_000, 256],
  [2_771, 2_000, 256],
  [2_770, 1_999, 256],
  [1_024, 690, 89],
  [64, 1, 1],
])(
  'the number of connections is lower where a process may open %s files: %i',
  (openFiles, most, perClient) => {
    const config = readConfig({ MAX_CONNECTIONS: '2000', DATABASE_CONNECTIONS: '8' });
    const within = { MAX_CONNECTIONS: most, MAX_CONNECTIONS_PER_CLIENT: perClient };
    expect(withinOpenFiles(config, openFiles)).toMatchObject(within);
  },
);

const context = {
  ...{ eventLoop: createEventLoop(), clientOf: () => 'test' },
  ...{ isSecure: () => false, onEnd: () => undefined },
};
/** A server whose responses wait until they may be sent. */
async function holding() {
  const held = event();
  const open = openExchanges(context);
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
  socket.write(REQUEST.repeat(COUNT - 1));
  socket.write(REQUEST.replace('host: a', 'host: a\r\nconnection: close'));
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
  const { dial, server, held, state } = await holding();
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
  for (let round = 0; round < 5; round++) {
    const socket = dial();
    socket.write(REQUEST.repeat(999) + REQUEST.replace('host: a', 'host: a\r\nconnection: close'));
    expect((await received(socket)).split('no-')).toHaveLength(1_001);
  }
});
