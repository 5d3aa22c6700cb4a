import { createServer, type RequestListener } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { HttpClientOptions, LiveHttpClient } from '../../../../worker/feeds/http/live-client.js';
import { clientWith, errorOf, originOf } from './servers.js';

const BANK = 'https://bank.example';
const ONCE: HttpClientOptions = { limits: { attempts: 1 } };

/** A client whose every host is this server. */
async function clientTo(listener: RequestListener, options: HttpClientOptions = {}): Promise<LiveHttpClient> {
  const origin = new URL(await originOf(createServer(listener)));
  return clientWith({ address: () => origin, ...options, limits: { backOff: 1, ...options.limits } });
}

test('sends what it is given, and always accept and a descriptive agent', async () => {
  const seen: string[] = [];
  const client = await clientTo(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { host, accept, 'user-agent': agent, 'content-type': type, referer } = request.headers;
    seen.push([request.method, request.url, host, accept, agent, type, referer, body].join(' '));
    response.end('ok');
  });
  const query = { $top: 5, day: '01/03/2026', empty: undefined, code: ['A&B', 'C'] };
  await client.get(`${BANK}/a?x=1`, { query });
  const form = { 'chk[]': ['USD~Dollar, US', 'EUR'], none: undefined };
  await client.post(`${BANK}/b`, { form, headers: { Referer: 'here' } });
  await client.post(`${BANK}/c`, { json: { from: '2026-03-01' }, headers: { accept: 'application/json' } });
  const place = 'GET /a?x=1&$top=5&day=01/03/2026&code=A%26B&code=C bank.example';
  expect(seen[0]).toContain(`${place} */* Mozilla/5.0 (compatible; Almanac`);
  expect(seen[1]).toMatch(/x-www-form-urlencoded here chk%5B%5D=USD~Dollar%2C\+US&chk%5B%5D=EUR$/);
  expect(seen[2]).toMatch(/application\/json .* application\/json {2}\{"from":"2026-03-01"\}$/);
});

test('reads a compressed body in the charset it is in', async () => {
  const headers = { 'content-encoding': 'br', 'content-type': 'text/xml; charset="windows-1251"' };
  const body = brotliCompressSync(Buffer.from('Iran: \xc8\xf0\xe0\xed', 'latin1'));
  const client = await clientTo((_, response) => response.writeHead(200, headers).end(body));
  expect((await client.get(`${BANK}/`)).text()).toBe('Iran: Иран');
});

test('a body is counted after decompression and cut off at the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(5 * 1024 * 1024));
  const client = await clientTo((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
  expect((await errorOf(client.get(`${BANK}/`, { maxBytes: 1024 * 1024 }))).reason).toBe('too-large');
});

const damaged = gzipSync(Buffer.alloc(100_000, 'abc')).subarray(0, 60);
const BROKE = 'the connection broke before the response was complete (UND_ERR_SOCKET)';
const UNASKED = 'responded with status 304 to a request that was not conditional';
const LATER = 'responded with status 503 (Service Unavailable), to be asked again in 3600 s';
const DAMAGED = 'the compressed body is damaged or cut short (Z_BUF_ERROR)';
type Headers = Record<string, string>;
test.each<[what: string, status: number, headers: Headers, body: string | Buffer | undefined, error: object]>(
  [
    ['a damaged compressed body', 200, { 'content-encoding': 'gzip' }, damaged, { detail: DAMAGED }],
    ['half a body', 200, { 'content-length': '100' }, undefined, { status: 200, detail: BROKE }],
    ['a body without its last chunk', 200, { 'transfer-encoding': 'chunked' }, undefined, { detail: BROKE }],
    ['a server that asks to wait', 503, { 'retry-after': '3600' }, '', { reason: 'status', detail: LATER }],
    ['a 304 that nobody asked for', 304, {}, '', { reason: 'status', detail: UNASKED }],
  ],
)('%s is an error that says so', async (_, status, headers, body, error) => {
  const client = await clientTo((_, response) => {
    response.writeHead(status, headers);
    if (body === undefined) response.write('half', () => response.destroy());
    else response.end(body);
  }, ONCE);
  expect(await errorOf(client.get(`${BANK}/`))).toMatchObject({ reason: 'connection', ...error });
});

test('a host that cannot be reached has no status', async () => {
  const client = await clientTo(() => {}, { ...ONCE, address: () => new URL('http://127.0.0.1:1') });
  const { reason, status, detail } = await errorOf(client.get(`${BANK}/`));
  expect([reason, status]).toEqual(['connection', undefined]);
  expect(detail).toBe('could not be reached (ECONNREFUSED)');
});

test.each([429, 500, 503])('tries again after %i', async (status) => {
  let count = 0;
  const client = await clientTo((_, response) => response.writeHead(++count < 3 ? status : 200).end('rates'));
  expect([(await client.get(`${BANK}/`)).text(), count]).toEqual(['rates', 3]);
});

test('other statuses and every redirect are errors at once', async () => {
  let count = 0;
  const location = `${BANK}/login/me%40example.org`;
  const client = await clientTo((request, response) => {
    count++;
    response.writeHead(request.url?.startsWith('/moved') ? 302 : 404, { location }).end();
  });
  expect(await errorOf(client.get(`${BANK}/gone`))).toMatchObject({ reason: 'status', status: 404 });
  const query = { user: 'me@example.org', pass: 'a/b c', from: '2026-03-01' };
  const { reason, message } = await errorOf(client.get(`${BANK}/moved`, { query }));
  expect([reason, count]).toEqual(['redirect', 2]);
  // Secrets of the query never show, nor where the redirect repeats them.
  const shown = 'responded with status 302, a redirect to https://bank.example/login/***';
  expect(message).toBe(`${BANK}/moved?user=***&pass=***&from=2026-03-01: ${shown}`);
  expect((await client.get(`${BANK}/gone`, { answers: [404] })).status).toBe(404);
});

test('a URL that is none is an error that does not repeat it', async () => {
  const client = await clientTo((_, response) => response.end());
  const error = await errorOf(client.get('bank?key=hush'));
  expect(error).toMatchObject({ reason: 'malformed', message: 'bank?key=***: is not a valid URL' });
  expect(error.cause).toBeUndefined();
});

test('a body that is compressed in an unknown way frees its connection', async () => {
  const limits = { attempts: 1, connectionsPerHost: 1 };
  const zip = 'x'.repeat(200_000);
  const client = await clientTo((_, response) => response.setHeader('content-encoding', 'zip').end(zip), {
    limits,
  });
  for (let count = 0; count < 3; count++)
    expect((await errorOf(client.get(`${BANK}/`))).reason).toBe('malformed');
});

test('a stop ends requests, and the wait for the next one', async () => {
  const stop = new AbortController();
  const client = await clientTo((_, response) => response.end('ok'), { signal: stop.signal });
  const paced = client.paced(60_000);
  await paced.get(`${BANK}/`);
  setTimeout(() => stop.abort(), 20);
  const ended = await Promise.all([errorOf(paced.get(`${BANK}/`)), errorOf(paced.post(`${BANK}/`))]);
  expect(ended.map(({ reason }) => reason)).toEqual(['aborted', 'aborted']);
});

/** A bank that takes some milliseconds: when each host was asked, and how many requests it had at most at one time. */
function slowBank(ms: number) {
  const seen = { asked: [] as [host: string, at: number][], sockets: new Set<unknown>(), now: 0, most: 0 };
  const listener: RequestListener = ({ headers, socket }, response) => {
    seen.asked.push([headers.host ?? '', performance.now()]);
    seen.sockets.add(socket);
    seen.most = Math.max(seen.most, ++seen.now);
    setTimeout(() => {
      seen.now--;
      response.end('ok');
    }, ms);
  };
  return { seen, listener };
}

test('what is paced asks a host for one thing at a time, with a pause between, and other hosts at once', async () => {
  const { seen, listener } = slowBank(20);
  const client = await clientTo(listener);
  const [one, another] = [client.paced(100), client.paced(0)];
  // The other is another source of the same host.
  const asking = [one.get(`${BANK}/`), one.post(`${BANK}/`), another.get(`${BANK}/`)];
  await Promise.all([...asking, another.get('https://other.example/')]);
  const ofBank = seen.asked.filter(([host]) => host === 'bank.example').map(([, at]) => at);
  const [first = 0, second = 0, third = 0] = ofBank;
  expect(ofBank).toHaveLength(3);
  expect(second - first).toBeGreaterThanOrEqual(119);
  expect(third - second).toBeGreaterThanOrEqual(19);
  expect(seen.most).toBe(2);
});

test('a request that fails gives its turn on', async () => {
  let count = 0;
  const client = await clientTo((_, response) => response.writeHead(++count === 1 ? 404 : 200).end('ok'));
  const paced = client.paced(0);
  const [failed, answer] = await Promise.all([errorOf(paced.get(`${BANK}/`)), paced.get(`${BANK}/`)]);
  expect([failed.status, answer.text()]).toEqual([404, 'ok']);
});

test('asks a host a little at a time over kept connections', async () => {
  const { seen, listener } = slowBank(5);
  const client = await clientTo(listener);
  await Promise.all(Array.from({ length: 12 }, () => client.get(`${BANK}/`)));
  expect(seen.most).toBeLessThanOrEqual(2);
  expect(seen.sockets.size).toBeLessThanOrEqual(2);
});
