import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { HttpClientError } from '../../../../core/http-client/http-client-error.js';
import {
  type HttpClientOptions,
  type LiveHttpClient,
  openHttpClient,
} from '../../../../worker/feeds/http/live-client.js';

const BANK = 'https://bank.example';
const open: { server?: Server; client?: LiveHttpClient } = {};

afterEach(async () => {
  await open.client?.close();
  open.server?.closeAllConnections();
  open.server?.close();
});

/** A client whose every host is this server. */
async function clientTo(listener: RequestListener, options: HttpClientOptions = {}): Promise<LiveHttpClient> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const limits = { backOff: 1, ...options.limits };
  const client = openHttpClient({ route: () => `http://127.0.0.1:${port}`, ...options, limits });
  Object.assign(open, { server, client });
  return client;
}

async function errorOf(promise: Promise<unknown>): Promise<HttpClientError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof HttpClientError) return error;
  throw new Error(`not an HttpClientError: ${String(error)}`);
}

test('sends what it was told to, and always accept and a descriptive agent', async () => {
  const seen: string[] = [];
  const client = await clientTo((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const { host, accept, 'user-agent': agent, 'content-type': type, referer } = request.headers;
      seen.push([request.method, request.url, host, accept, agent, type, referer, body].join(' '));
      response.end('ok');
    });
  });
  await client.get(`${BANK}/a?x=1`, {
    query: { $top: 5, day: '01/03/2026', empty: undefined, code: ['A&B', 'C'] },
  });
  await client.post(`${BANK}/b`, {
    form: { 'chk[]': ['USD~Dollar, US', 'EUR'], none: undefined },
    headers: { Referer: 'here' },
  });
  await client.post(`${BANK}/c`, { json: { from: '2026-03-01' }, headers: { accept: 'application/json' } });
  expect(seen).toEqual([
    expect.stringMatching(
      /^GET \/a\?x=1&\$top=5&day=01\/03\/2026&code=A%26B&code=C bank\.example \*\/\* Mozilla\/5\.0 \(compatible; Almanac/,
    ),
    expect.stringMatching(/x-www-form-urlencoded here chk%5B%5D=USD~Dollar%2C\+US&chk%5B%5D=EUR$/),
    expect.stringMatching(/application\/json .* application\/json {2}\{"from":"2026-03-01"\}$/),
  ]);
});

test('reads compressed bodies in the charset they are in', async () => {
  const client = await clientTo((request, response) => {
    const text = Buffer.from('Iran: \xc8\xf0\xe0\xed', 'latin1');
    const gzip = request.url === '/gzip';
    response.setHeader('content-encoding', gzip ? 'gzip' : 'br');
    response.setHeader('content-type', 'text/xml; charset="windows-1251"');
    response.end(gzip ? gzipSync(text) : brotliCompressSync(text));
  });
  expect((await client.get(`${BANK}/gzip`)).text()).toBe('Iran: Иран');
  expect((await client.get(`${BANK}/br`)).text()).toBe('Iran: Иран');
});

test('a body is counted after decompression and cut off at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const client = await clientTo((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
  const error = await errorOf(client.get(`${BANK}/`, { maxBytes: 1024 * 1024 }));
  expect(error.reason).toBe('too-large');
});

test('a broken compressed body is an error and not half an answer', async () => {
  const whole = gzipSync(Buffer.alloc(100_000, 'abc'));
  const client = await clientTo(
    (_, response) => response.setHeader('content-encoding', 'gzip').end(whole.subarray(0, 60)),
    {
      limits: { attempts: 1 },
    },
  );
  expect(await errorOf(client.get(`${BANK}/`))).toMatchObject({
    reason: 'connection',
    detail: 'the compressed body is damaged or cut short (Z_BUF_ERROR)',
  });
});

test('a body that breaks off is told from a host that can not be reached', async () => {
  const client = await clientTo(
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setTimeout(() => response.destroy(), 20);
    },
    { limits: { attempts: 1 } },
  );
  expect(await errorOf(client.get(`${BANK}/`))).toMatchObject({
    reason: 'connection',
    status: 200,
    code: 'UND_ERR_SOCKET',
    detail: 'the connection broke before the response was complete (UND_ERR_SOCKET)',
  });
  open.server?.closeAllConnections();
  open.server?.close();
  expect(await errorOf(client.get(`${BANK}/`))).toMatchObject({
    reason: 'connection',
    status: undefined,
    code: 'ECONNREFUSED',
    detail: 'could not be reached (ECONNREFUSED)',
  });
});

test.each([429, 500, 503])('tries again after %i', async (status) => {
  let count = 0;
  const client = await clientTo((_, response) => {
    count++;
    response.statusCode = count < 3 ? status : 200;
    response.end('rates');
  });
  expect((await client.get(`${BANK}/`)).text()).toBe('rates');
  expect(count).toBe(3);
});

test('tries again after a lost connection, and gives up in the end', async () => {
  let count = 0;
  const client = await clientTo((request) => {
    count++;
    request.socket.destroy();
  });
  expect((await errorOf(client.get(`${BANK}/`))).reason).toBe('connection');
  expect(count).toBe(4);
});

test('does not wait for a server that asks for an hour', async () => {
  let count = 0;
  const client = await clientTo((_, response) => {
    count++;
    response.writeHead(429, { 'retry-after': '3600' }).end();
  });
  expect((await errorOf(client.get(`${BANK}/`))).status).toBe(429);
  expect(count).toBe(1);
});

test('other statuses and every redirect are errors at once', async () => {
  let count = 0;
  const client = await clientTo((request, response) => {
    count++;
    response.writeHead(request.url === '/moved' ? 302 : 404, { location: 'https://bank.example/home' }).end();
  });
  expect(await errorOf(client.get(`${BANK}/gone`))).toMatchObject({ reason: 'status', status: 404 });
  const moved = await errorOf(client.get(`${BANK}/moved`));
  expect(moved.reason).toBe('redirect');
  expect(moved.message).toContain('https://bank.example/home');
  expect(count).toBe(2);
  expect((await client.get(`${BANK}/gone`, { answers: [404] })).status).toBe(404);
});

test('says how long to wait, and what a status means', async () => {
  const client = await clientTo((_, response) => response.writeHead(503, { 'retry-after': '3600' }).end());
  expect((await errorOf(client.get(`${BANK}/`))).detail).toBe(
    'responded with status 503 (Service Unavailable), to be asked again in 3600 s',
  );
});

test('a 304 that nobody asked for is no redirect', async () => {
  const client = await clientTo((_, response) => response.writeHead(304).end());
  expect(await errorOf(client.get(`${BANK}/`))).toMatchObject({
    reason: 'status',
    detail: 'responded with status 304 to a request that was not conditional',
  });
});

test.each([
  ['before its length', { 'content-length': '100' }],
  ['before its last chunk', { 'transfer-encoding': 'chunked' }],
])('a body that ends %s was cut short, whatever came of it', async (_, headers) => {
  const client = await clientTo(
    (_request, response) => {
      response.writeHead(200, headers).write('half of it', () => response.destroy());
    },
    { limits: { attempts: 1 } },
  );
  expect(await errorOf(client.get(`${BANK}/`))).toMatchObject({
    reason: 'connection',
    detail: 'the connection broke before the response was complete (UND_ERR_SOCKET)',
  });
});

test('secrets in an address never show', async () => {
  const client = await clientTo((_, response) => response.writeHead(400).end());
  const error = await errorOf(
    client.get(`${BANK}/`, {
      query: { user: 'me@example.org', pass: 'hush', api_key: 'k', from: '2026-03-01' },
    }),
  );
  expect(error.message).toBe(
    'https://bank.example/?user=***&pass=***&api_key=***&from=2026-03-01: responded with status 400 (Bad Request)',
  );
});

test('nor where a redirect repeats them, percent-encoded', async () => {
  const client = await clientTo((request, response) => {
    const next = encodeURIComponent(request.url ?? '');
    response.writeHead(302, { location: `https://bank.example/login/me%40example.org?next=${next}` }).end();
  });
  const error = await errorOf(
    client.get(`${BANK}/x`, { query: { user: 'me@example.org', pass: 'a/b c', from: '2026-03-01' } }),
  );
  expect(error.message).toBe(
    'https://bank.example/x?user=***&pass=***&from=2026-03-01: responded with status 302, a redirect to ' +
      'https://bank.example/login/***?next=%2Fx%3Fuser%3D***%26pass%3D***%26from%3D2026-03-01',
  );
});

test('a URL that is none is an error that does not repeat it', async () => {
  const client = await clientTo((_, response) => response.end());
  const error = await errorOf(client.get('bank?key=hush'));
  expect(error).toMatchObject({ reason: 'malformed', message: 'bank?key=***: is no valid URL' });
  expect(error.cause).toBeUndefined();
});

test('a body that is compressed in an unknown way frees its connection', async () => {
  const client = await clientTo(
    (_, response) => response.setHeader('content-encoding', 'zip').end('x'.repeat(200_000)),
    { limits: { attempts: 1, connectionsPerHost: 1 } },
  );
  for (let count = 0; count < 3; count++) {
    expect((await errorOf(client.get(`${BANK}/`))).reason).toBe('malformed');
  }
});

test('a stop ends the wait before the next attempt', async () => {
  const stop = new AbortController();
  const client = await clientTo(
    (_, response) => {
      setTimeout(() => stop.abort(), 20);
      response.writeHead(503, { 'retry-after': '50' }).end();
    },
    { signal: stop.signal },
  );
  expect((await errorOf(client.get(`${BANK}/`))).reason).toBe('aborted');
});

test('no whole answer within the time limit', async () => {
  const client = await clientTo((_, response) => response.write('slow'), { limits: { total: 80 } });
  expect((await errorOf(client.get(`${BANK}/`))).reason).toBe('timeout');
});

test('a stop ends requests, and the wait for the next one', async () => {
  const stop = new AbortController();
  const client = await clientTo((_, response) => response.end('ok'), { signal: stop.signal });
  const paced = client.paced(60_000);
  await paced.get(`${BANK}/`);
  setTimeout(() => stop.abort(), 20);
  const [request, wait] = await Promise.all([
    errorOf(paced.get(`${BANK}/`)),
    errorOf(paced.post(`${BANK}/`)),
  ]);
  expect([request.reason, wait.reason]).toEqual(['aborted', 'aborted']);
});

test('what is paced asks a host for one thing at a time, with a pause between, and other hosts at once', async () => {
  const asked: [host: string | undefined, at: number][] = [];
  let [now, most] = [0, 0];
  const client = await clientTo(({ headers }, response) => {
    asked.push([headers.host, performance.now()]);
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      response.end('ok');
    }, 20);
  });
  const [one, another] = [client.paced(100), client.paced(0)];
  await Promise.all([
    one.get(`${BANK}/`),
    one.post(`${BANK}/`),
    // Of another source of the same host.
    another.get(`${BANK}/`),
    another.get('https://other.example/'),
  ]);
  const ofBank = asked.filter(([host]) => host === 'bank.example').map(([, at]) => at);
  const [first = 0, second = 0, third = 0] = ofBank;
  expect(ofBank).toHaveLength(3);
  expect(second - first).toBeGreaterThanOrEqual(119);
  expect(third - second).toBeGreaterThanOrEqual(19);
  expect(most).toBe(2);
});

test('a request that fails gives its turn on', async () => {
  let count = 0;
  const client = await clientTo((_, response) => response.writeHead(++count === 1 ? 404 : 200).end('ok'));
  const paced = client.paced(0);
  const [failed, answer] = await Promise.all([errorOf(paced.get(`${BANK}/`)), paced.get(`${BANK}/`)]);
  expect([failed.status, answer.text()]).toEqual([404, 'ok']);
});

test('asks a host a little at a time over kept connections', async () => {
  let [now, most] = [0, 0];
  const sockets = new Set<unknown>();
  const client = await clientTo((request, response) => {
    sockets.add(request.socket);
    most = Math.max(most, ++now);
    setTimeout(() => {
      now--;
      response.end('ok');
    }, 5);
  });
  await Promise.all(Array.from({ length: 12 }, () => client.get(`${BANK}/`)));
  expect(most).toBeLessThanOrEqual(2);
  expect(sockets.size).toBeLessThanOrEqual(2);
});
