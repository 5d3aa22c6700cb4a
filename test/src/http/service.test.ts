import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { HttpError } from '../../../src/http/errors.js';
import type { Exchange } from '../../../src/http/exchange.js';
import type { Mount } from '../../../src/http/express-adapter.js';
import { strictQuery } from '../../../src/http/query.js';
import { json, type Reply, uncachedJson } from '../../../src/http/reply.js';
import { NO_STORE } from '../../../src/http/representation.js';
import { defineRoute, type RequestContext, type Route } from '../../../src/http/route.js';
import { event } from '../../support/event.js';
import { logLines, movableClock, serve } from '../utilities/support.js';

type Parts = NonNullable<Parameters<typeof serve>[2]>;

let service: Awaited<ReturnType<typeof serve>>;
const { log, lines } = logLines();

afterEach(async () => {
  await service?.close();
  lines.length = 0;
});

async function start(routes: readonly Route[], parts: Parts = {}): Promise<void> {
  service = await serve(routes, log, parts);
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Got {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request on a connection of its own. */
async function ask(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> {
  const sent = httpRequest(service.url + path, { method, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

const messageOf = ({ body }: Got) => JSON.parse(body.toString()).message;

/** A route by GET that gives a reply. */
const replying = (path: string, reply: Reply | (() => Reply), more: Partial<Route> = {}) =>
  defineRoute({
    method: 'get',
    path,
    handle: () => (typeof reply === 'function' ? reply() : reply),
    ...more,
  });

const LONG = 'x'.repeat(1_024);
const TAGGED = { tag: 'tag', cacheControl: 'public, max-age=7' };

const LITTLE = { rows: 1, rawDays: 0 };

describe('a reply', () => {
  it('has the headers of its validity, its body and its own', async () => {
    const vary = ['accept'];
    const content = { type: 'text/x', body: LONG, headers: ['x-body', '1'], securityPolicy: 'policy' };
    await start([
      replying('/a', { status: 201, validity: { ...TAGGED, vary }, headers: ['x-own', '2'], content }),
    ]);
    const plain = await ask('/a');
    expect(plain).toMatchObject({ status: 201, body: Buffer.from(LONG) });
    const headers = {
      etag: '"tag"',
      vary: 'accept, accept-encoding',
      'cache-control': 'public, max-age=7',
      'access-control-allow-origin': '*',
    };
    const about = {
      'x-own': '2',
      'content-type': 'text/x',
      'content-length': '1024',
      'content-security-policy': 'policy',
      'x-content-type-options': 'nosniff',
      'x-body': '1',
    };
    expect(plain.headers).toMatchObject({ ...headers, ...about });
    const known = await ask('/a', { headers: { 'if-none-match': '"tag"', 'x-request-id': 'mine' } });
    expect(known).toMatchObject({ status: 304, headers: { ...headers, 'x-request-id': 'mine' } });
    for (const name of Object.keys(about)) expect(known.headers).not.toHaveProperty(name);
  });

  it('is compressed from a length on, by what was compressed ahead if there is that', async () => {
    const compressed = { br: Buffer.from('ahead'), gzip: Buffer.from('of time') };
    await start([
      replying('/long', { validity: TAGGED, content: { type: 'x', body: LONG } }),
      replying('/short', { validity: TAGGED, content: { type: 'x', body: LONG.slice(1) } }),
      replying('/ahead', { validity: TAGGED, content: { type: 'x', body: LONG, compressed } }),
      replying('/secret', { validity: NO_STORE, content: { type: 'x', body: LONG } }),
    ]);
    const coded = (path: string, coding: string) => ask(path, { headers: { 'accept-encoding': coding } });
    const [br, gzip] = [await coded('/long', 'br'), await coded('/long', 'gzip')];
    expect(brotliDecompressSync(br.body).toString()).toBe(LONG);
    expect(gunzipSync(gzip.body).toString()).toBe(LONG);
    expect(br.headers).toMatchObject({ etag: '"tag-br"', 'content-encoding': 'br' });
    expect(gzip.headers['content-length']).toBe(String(gzip.body.length));
    expect((await coded('/ahead', 'gzip')).body.toString()).toBe('of time');
    expect((await coded('/short', 'br')).headers).not.toHaveProperty('content-encoding');
    const secret = await coded('/secret', 'br');
    expect(secret.headers).not.toHaveProperty('content-encoding');
    expect(secret.headers).not.toHaveProperty('vary');
  });

  it('may have no body, and has none for HEAD', async () => {
    await start([
      replying('/none', { status: 204, validity: NO_STORE }),
      replying('/there', { status: 303, validity: NO_STORE, headers: ['location', '/'] }),
      replying('/a', uncachedJson({ a: 1 })),
    ]);
    const none = await ask('/none');
    expect(none.status).toBe(204);
    for (const name of ['content-type', 'content-length', 'etag', 'vary'])
      expect(none.headers).not.toHaveProperty(name);
    expect((await ask('/there')).headers).toMatchObject({ location: '/', 'content-length': '0' });
    expect((await ask('/a', { headers: { 'if-none-match': '*' } })).status).toBe(200);
    const head = await ask('/a', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': '7' }, body: Buffer.alloc(0) });
  });

  it('is not made for a client that has it', async () => {
    const make = vi.fn(() => ({ validity: TAGGED, content: json(1) }));
    await start([
      defineRoute({ method: 'get', path: '/a', handle: () => ({ validity: TAGGED, cost: LITTLE, make }) }),
    ]);
    expect((await ask('/a', { headers: { 'if-none-match': '"tag"' } })).status).toBe(304);
    expect(make).not.toHaveBeenCalled();
    expect((await ask('/a', { headers: { 'if-none-match': '"other"' } })).body.toString()).toBe('1');
  });
});

describe('a stream', () => {
  /** A stream of these chunks, which tells what was taken of it, and whether it was closed. */
  function streamOf(chunks: readonly (string | Error | Promise<unknown>)[]) {
    const state = { taken: 0, closed: false };
    async function* generate() {
      try {
        for (const chunk of chunks) {
          state.taken++;
          if (chunk instanceof Error) throw chunk;
          if (typeof chunk === 'string') yield Buffer.from(chunk);
          else await chunk;
        }
      } finally {
        state.closed = true;
      }
    }
    // One that is never read ends without its `finally`.
    const stream = generate();
    const close = stream.return.bind(stream);
    stream.return = (value) => {
      state.closed = true;
      return close(value);
    };
    return { state, content: { type: 'text/x', body: stream, headers: ['x-body', '1'] } };
  }

  it.each([
    ['identity', (body: Buffer) => body],
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is sent in %s', async (coding, decoded) => {
    const { state, content } = streamOf(['one', 'two', LONG]);
    await start([replying('/a', { validity: TAGGED, headers: ['x-own', '2'], content })]);
    const { headers, body } = await ask('/a', { headers: { 'accept-encoding': coding } });
    expect(decoded(body).toString()).toBe(`onetwo${LONG}`);
    expect(headers).toMatchObject({ 'x-own': '2', 'x-body': '1', 'content-type': 'text/x' });
    expect(headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
    expect(headers.etag).toBe(coding === 'identity' ? '"tag"' : `"tag-${coding}"`);
    expect(headers['cache-control']).toBe('public, max-age=7');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(state).toEqual({ taken: 3, closed: true });
  });

  it.each([
    ['HEAD', { method: 'HEAD' }, 200],
    ['a client that has it', { headers: { 'if-none-match': '"tag"' } }, 304],
  ])('is closed unread for %s', async (_, sent, status) => {
    const { state, content } = streamOf(['one']);
    const make = () => ({ validity: TAGGED, content });
    await start([
      // Only what is made says that the client has it.
      defineRoute({ method: 'get', path: '/a', handle: () => ({ validity: NO_STORE, cost: LITTLE, make }) }),
    ]);
    expect(await ask('/a', sent)).toMatchObject({ status, body: Buffer.alloc(0) });
    expect(state).toEqual({ taken: 0, closed: true });
  });

  it.each(['identity', 'gzip'])('in %s that fails breaks the connection, which is logged', async (coding) => {
    const { state, content } = streamOf(['one', new Error('broke off'), 'two']);
    await start([replying('/a', { validity: TAGGED, content })]);
    const headers = { 'accept-encoding': coding, 'x-request-id': 'broken' };
    await expect(ask('/a', { headers })).rejects.toThrow(/aborted|hang up/);
    expect(state).toEqual({ taken: 2, closed: true });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ id: 'broken', err: { message: 'broke off' } });
    expect(lines).toHaveLength(1);
  });

  it.each(['identity', 'gzip'])('in %s ends without a word where the client leaves', async (coding) => {
    const left = event();
    const { state, content } = streamOf(['one', left.happened, ...Array(100).fill(LONG)]);
    const outcomes: unknown[] = [];
    const onEnd = ({ outcome }: Exchange) => {
      outcomes.push(outcome);
      left.happen();
    };
    await start([replying('/a', { validity: TAGGED, content })], { onEnd });
    const sent = httpRequest(`${service.url}/a`, { headers: { 'accept-encoding': coding }, agent: false });
    sent.on('error', () => undefined).end();
    await vi.waitFor(() => expect(state.taken).toBe(2));
    sent.destroy();
    await vi.waitFor(() => expect(state.closed).toBe(true));
    expect(outcomes).toEqual(['aborted']);
    expect(state.taken).toBeLessThan(10);
    expect(lines).toEqual([]);
  });

  it('is read no faster than the client reads', async () => {
    const { state, content } = streamOf(Array(1_000).fill('x'.repeat(100_000)));
    await start([replying('/a', { validity: TAGGED, content })]);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).pause();
    socket.write('GET /a HTTP/1.1\r\nhost: almanac\r\n\r\n');
    let before = -1;
    // Buffers of the system take some megabytes.
    await vi.waitFor(
      () => {
        const since = before;
        before = state.taken;
        expect(before).toBe(since);
        expect(before).toBeGreaterThan(1);
      },
      { interval: 100, timeout: 10_000 },
    );
    expect(state.taken).toBeLessThan(900);
    socket.destroy();
    await vi.waitFor(() => expect(state.closed).toBe(true));
  });

  it('waits unread behind another on its connection', async () => {
    const held = event();
    const first = streamOf(['one', held.happened]);
    const second = streamOf(['two']);
    await start([
      replying('/1', { validity: TAGGED, content: first.content }),
      replying('/2', { validity: TAGGED, content: second.content }),
    ]);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setEncoding('latin1').on('data', (some) => {
      received += some;
    });
    socket.write('GET /1 HTTP/1.1\r\nhost: a\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n');
    await vi.waitFor(() => expect(received).toContain('one'));
    expect(second.state.taken).toBe(0);
    held.happen();
    await vi.waitFor(() => expect(received).toContain('two'));
    socket.destroy();
  });
});

describe('the response cache', () => {
  it('has replies of the current data and day from their second time on', async () => {
    const { clock, pass } = movableClock('2026-03-20T12:00:00Z');
    let dataVersion: string | undefined = '1';
    const made = vi.fn(() => ({ validity: TAGGED, dataVersion: dataVersion ?? '', content: json('é') }));
    const onCacheHit = vi.fn();
    const query = strictQuery(z.object({ n: z.string().optional() }));
    await start(
      [
        replying('/a', made, { query }),
        replying('/version-less', () => ({ ...made(), dataVersion: undefined }) as unknown as Reply),
      ],
      { clock, onCacheHit, dataVersion: () => dataVersion },
    );
    const calls = async (path: string, sent?: Sent) => {
      const before = [made.mock.calls.length, onCacheHit.mock.calls.length] as const;
      const { status, body, headers } = await ask(path, sent);
      expect([status, headers.etag]).toEqual([200, '"tag"']);
      if (sent?.method !== 'HEAD') expect(body.toString()).toBe('"é"');
      return [made.mock.calls.length - before[0], onCacheHit.mock.calls.length - before[1]];
    };
    const [MADE, CACHED] = [
      [1, 0],
      [0, 1],
    ];
    for (const outcome of [MADE, MADE, CACHED, CACHED]) expect(await calls('/a')).toEqual(outcome);
    expect((await ask('/a', { headers: { 'if-none-match': '"tag"' } })).status).toBe(304);
    expect(await calls('/a', { headers: { 'if-none-match': '"other"' } })).toEqual(CACHED);
    expect(await calls('/a', { method: 'HEAD' })).toEqual(MADE);
    expect(await calls('/a?n=1')).toEqual(MADE);
    expect(await calls('/a', { headers: { accept: 'text/csv' } })).toEqual(MADE);
    for (let n = 0; n < 3; n++) expect(await calls('/version-less')).toEqual(MADE);
    pass(12 * 3_600);
    for (const outcome of [MADE, CACHED]) expect(await calls('/a')).toEqual(outcome);
    dataVersion = '2';
    for (const outcome of [MADE, CACHED]) expect(await calls('/a')).toEqual(outcome);
    dataVersion = undefined;
    expect(await calls('/a')).toEqual(MADE);
  });

  it('keeps no reply to HEAD', async () => {
    const made = vi.fn(() => ({ validity: TAGGED, dataVersion: '1', content: json('a') }));
    await start([replying('/a', made)], { dataVersion: () => '1' });
    for (let n = 0; n < 3; n++) await ask('/a', { method: 'HEAD' });
    await ask('/a');
    expect(made).toHaveBeenCalledTimes(4);
  });
});

describe('a limit', () => {
  it('counts each request once, whatever its way, and tells what is left', async () => {
    const currency = vi.fn(() => ['ratelimit', 'now']);
    const utility = vi.fn(async () => ['ratelimit', 'later']);
    const relay = vi.fn(() => []);
    const reply = { validity: TAGGED, dataVersion: '1', content: json(1) };
    await start(
      [
        replying('/currency', reply, { limit: 'currency' }),
        replying('/currency/:code', reply, { limit: 'currency' }),
        replying('/utility', reply, { limit: 'utility' }),
        replying('/relay', reply, { limit: 'relay' }),
        replying('/free', reply),
      ],
      { limits: { currency, utility, relay }, dataVersion: () => '1' },
    );
    const headersOf = async (path: string) => {
      const { status, headers } = await ask(path, { headers: { 'x-request-id': 'mine' } });
      expect([status, headers['x-request-id']]).toEqual([200, 'mine']);
      return headers.ratelimit;
    };
    for (let n = 0; n < 3; n++) expect(await headersOf('/currency')).toBe('now');
    expect(await headersOf('/CURRENCY/')).toBe('now');
    expect(await headersOf('/currency/eur')).toBe('now');
    expect(currency.mock.calls).toEqual(Array(5).fill(['test']));
    for (let n = 0; n < 3; n++) expect(await headersOf('/utility')).toBe('later');
    expect(utility).toHaveBeenCalledTimes(3);
    expect(await headersOf('/relay')).toBeUndefined();
    expect(await headersOf('/free')).toBeUndefined();
  });

  it('refuses at once or later, without a call of the route', async () => {
    const refusal = new HttpError(429, 'too many', { headers: { 'retry-after': '9' } });
    const refuse = () => {
      throw refusal;
    };
    const made = vi.fn(() => uncachedJson(1));
    await start(
      [replying('/now', made, { limit: 'currency' }), replying('/later', made, { limit: 'utility' })],
      { limits: { currency: refuse, utility: async () => refuse() } },
    );
    for (const path of ['/now', '/later', '/LATER']) {
      expect(await ask(path)).toMatchObject({ status: 429, headers: { 'retry-after': '9' } });
    }
    expect(made).not.toHaveBeenCalled();
    expect(lines).toEqual([]);
  });
});

describe('room', () => {
  const LARGE = { rows: 0, rawDays: 0, wholeBytes: 900_000 };

  it('is for so many requests, but always for essential ones', async () => {
    const held = event();
    const hold = async () => {
      await held.happened;
      return uncachedJson(1);
    };
    await start(
      [
        defineRoute({ method: 'get', path: '/held', handle: hold }),
        replying('/a', uncachedJson(1)),
        replying('/health', uncachedJson(1), { isEssential: true }),
      ],
      { variables: { MAX_REQUESTS: '1', MAX_REQUESTS_PER_CLIENT: '1' } },
    );
    const first = ask('/held');
    await vi.waitFor(async () => expect((await ask('/a')).status).toBe(503));
    for (const path of ['/a', '/A', '/no']) {
      const refused = await ask(path);
      expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
      expect(messageOf(refused)).toBe('too much is asked for at once');
    }
    expect((await ask('/health')).status).toBe(200);
    expect((await ask('/health?x', { method: 'HEAD' })).status).toBe(200);
    held.happen();
    expect((await first).status).toBe(200);
    await vi.waitFor(async () => expect((await ask('/a')).status).toBe(200));
  });

  it('is waited for by what takes much of it, and needs no waiting by what takes little', async () => {
    const held = event();
    const order: string[] = [];
    const costly = (path: string, work: () => Promise<unknown>, wholeBytes: number) =>
      defineRoute({
        method: 'get',
        path,
        handle: () => ({
          validity: TAGGED,
          cost: { ...LARGE, wholeBytes },
          async make() {
            order.push(path);
            await work();
            return { validity: TAGGED, content: json(path) };
          },
        }),
      });
    await start(
      [
        costly('/first', () => held.happened, 900_000),
        costly('/second', async () => undefined, 200_000),
        costly('/little', async () => undefined, 64 * 1_024),
      ],
      { variables: { MAX_BUFFERED_MB: '4' } },
    );
    const first = ask('/first');
    await vi.waitFor(() => expect(order).toEqual(['/first']));
    const second = ask('/second');
    expect((await ask('/little')).status).toBe(200);
    held.happen();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(order).toEqual(['/first', '/little', '/second']);
  });

  it('is not begun for a client that leaves just after it has asked', async () => {
    let made = 0;
    const make = () => {
      made++;
      return { validity: TAGGED, content: json('made') };
    };
    const leaving = defineRoute({
      method: 'get',
      path: '/leaving',
      handle(_query, context) {
        (context as Exchange).request.socket.destroy();
        return { validity: TAGGED, cost: LARGE, make };
      },
    });
    const staying = { validity: TAGGED, cost: LARGE, make };
    await start([leaving, defineRoute({ method: 'get', path: '/staying', handle: () => staying })]);
    await expect(ask('/leaving')).rejects.toThrow('socket hang up');
    expect((await ask('/staying')).status).toBe(200);
    expect(made).toBe(1);
  });
});

describe('an error', () => {
  it('of ours is logged with its cause if it has one, any other is not', async () => {
    const cause = new Error('the cause');
    const throwing = (error: Error) => () => {
      throw error;
    };
    await start([
      replying('/ours', throwing(new HttpError(502, 'told', { cause }))),
      replying('/bare', throwing(new HttpError(503, 'told'))),
      replying('/theirs', throwing(new HttpError(404, 'told', { cause }))),
    ]);
    const headers = { 'x-request-id': 'mine' };
    for (const [path, status] of [
      ['/ours', 502],
      ['/bare', 503],
      ['/theirs', 404],
    ] as const) {
      const got = await ask(path, { headers });
      expect([got.status, messageOf(got), got.headers['x-request-id']]).toEqual([status, 'told', 'mine']);
    }
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged).toMatchObject([
      { level: 50, id: 'mine', msg: 'told', err: { message: 'the cause' } },
      { level: 40, id: 'mine', msg: 'told' },
    ]);
    expect(logged[1]).not.toHaveProperty('err');
  });

  it('that is that of a client who left has nobody to be told', async () => {
    const began = event();
    const ended = event();
    const outcomes: unknown[] = [];
    await start(
      [
        defineRoute({
          method: 'get',
          path: '/a',
          async handle(_, { signal }) {
            began.happen();
            await once(signal, 'abort');
            queueMicrotask(() => setImmediate(ended.happen));
            throw signal.reason;
          },
        }),
      ],
      { onEnd: ({ outcome, route, durationMs }) => outcomes.push([outcome, route, durationMs > 0]) },
    );
    const sent = httpRequest(`${service.url}/a`, { agent: false });
    sent.on('error', () => undefined).end();
    await began.happened;
    sent.destroy();
    await ended.happened;
    expect(outcomes).toEqual([['aborted', '/a', true]]);
    expect(lines).toEqual([]);
  });
});

describe('a request on its way through Express', () => {
  let seen: RequestContext | undefined;
  let wasSecure: boolean | undefined;
  const note = (method: 'get' | 'post', path: string, more: Partial<Route> = {}) =>
    defineRoute({
      method,
      path,
      handle(_, context) {
        seen = context;
        // It depends on the connection, which is closed afterwards.
        wasSecure = context.isSecure;
        return uncachedJson(context.body ?? null);
      },
      ...more,
    });
  const post = (path: string, body: string, type = 'application/json', headers = {}) =>
    ask(path, { method: 'POST', headers: { 'content-type': type, ...headers }, body });

  it('has its parameters, and whether it is secure', async () => {
    await start([note('get', '/a/:code'), note('get', '/a')], { variables: { TRUST_PROXY: 'loopback' } });
    await ask('/A/x%2Fy', { headers: { 'x-forwarded-proto': 'https' } });
    expect([seen?.params, wasSecure]).toEqual([{ code: 'x/y' }, true]);
    await ask('/a/b');
    expect([seen?.params, wasSecure]).toEqual([{ code: 'b' }, false]);
    // At a path of its own a route is found without Express.
    await ask('/a', { headers: { 'x-forwarded-proto': 'https, http' } });
    expect(wasSecure).toBe(true);
    await ask('/a', { headers: { 'x-forwarded-proto': 'http' } });
    expect(wasSecure).toBe(false);
    expect((await ask('/a/b')).headers).not.toHaveProperty('x-powered-by');
  });

  it('has its body in the form of the route', async () => {
    await start([
      note('post', '/json', { body: 'json' }),
      note('post', '/form', { body: 'form' }),
      note('post', '/text', { body: 'text', largestBody: 10_000 }),
      note('post', '/none'),
    ]);
    await post('/json', '{"a":[1]}');
    expect(seen?.body).toEqual({ a: [1] });
    await post('/form', 'a=1&b=%20&c[d]=2', 'application/x-www-form-urlencoded');
    expect({ ...(seen?.body as object) }).toEqual({ a: '1', b: ' ', 'c[d]': '2' });
    await post('/text', '{"a":1}', 'image/png');
    expect(seen?.body).toBe('{"a":1}');
    await post('/none', '{"a":1}');
    expect(seen?.body).toBeUndefined();
    for (const [path, size, status] of [
      ['/json', 4_096, 200],
      ['/json', 4_097, 413],
      ['/text', 10_000, 200],
      ['/text', 10_001, 413],
    ] as const) {
      const got = await post(path, JSON.stringify(['x'.repeat(size - 4)]));
      expect([path, size, got.status]).toEqual([path, size, status]);
    }
    expect(messageOf(await post('/json', '{"a"'))).toBe('malformed request');
    expect((await post('/json', '1')).status).toBe(400);
    expect((await post('/json', '{}', 'application/json', { 'content-encoding': 'x' })).status).toBe(415);
    const five = 'a=1&b=2&c=3&d=4&e=5';
    expect((await post('/form', five, 'application/x-www-form-urlencoded')).status).toBe(413);
  });

  it('is guarded before its body is read', async () => {
    const guard = () => {
      throw new HttpError(401, 'who are you?');
    };
    await start([note('post', '/a', { body: 'json', guard }), note('get', '/a', { guard })]);
    expect((await post('/a', '{"a"')).status).toBe(401);
    expect((await ask('/a')).status).toBe(401);
  });

  it('is received only where there is room for its body, unpacked', async () => {
    // A quarter is for one client, and four times the body is held.
    const largestBody = 200_000;
    const began: number[] = [];
    const route = note('post', '/a', {
      body: 'text',
      largestBody,
      guard: () => void began.push(1),
    });
    await start([route, note('get', '/quick')], { variables: { MAX_BUFFERED_MB: '4' } });
    const begin = async (work: () => void) => {
      const count = began.length;
      work();
      await vi.waitFor(() => expect(began.length).toBeGreaterThan(count));
    };
    /** Whether another body waits until one that began with these headers is gone. */
    const waits = async (headers: Record<string, string>) => {
      const holding = httpRequest(`${service.url}/a`, { method: 'POST', agent: false, headers });
      holding.on('error', () => undefined);
      await begin(() => holding.write('x'));
      const statuses: unknown[] = [];
      const post = { method: 'POST', body: 'x'.repeat(100_000), headers: { 'content-type': 'text/plain' } };
      let other: Promise<unknown> | undefined;
      await begin(() => {
        other = ask('/a', post).then(({ status }) => statuses.push(status));
      });
      for (let n = 0; n < 5; n++) await ask('/quick');
      const isWaiting = statuses.length === 0;
      holding.destroy();
      await other;
      expect(statuses).toEqual([200]);
      return isWaiting;
    };
    const outcomes = [
      await waits({ 'content-length': '200000' }),
      await waits({ 'content-length': '100000' }),
      await waits({ 'content-length': '100', 'content-encoding': 'gzip' }),
      await waits({}),
    ];
    expect(outcomes).toEqual([true, false, true, true]);
  });

  it('is told which methods there are', async () => {
    await start([note('get', '/a'), note('post', '/a'), note('get', '/b/:code')]);
    const options = await ask('/a', { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.headers).toMatchObject({
      allow: 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-max-age': '86400',
    });
    expect(options.headers).not.toHaveProperty('vary');
    expect(options.headers).not.toHaveProperty('access-control-allow-headers');
    const preflight = await ask('/b/x', {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'x-a' },
    });
    expect(preflight.headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      vary: 'access-control-request-headers',
      'access-control-allow-headers': 'x-a',
    });
    const refused = await ask('/b/x', { method: 'PUT' });
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(messageOf(refused)).toBe('PUT is not allowed here: use GET');
  });

  it('is told what there is not', async () => {
    await start([note('get', '/a')]);
    const path = `/${'b'.repeat(50)}`;
    expect(messageOf(await ask(path))).toBe(`nothing at ${path.slice(0, 40)}…`);
    for (const method of ['OPTIONS', 'POST']) expect((await ask('/b', { method })).status).toBe(404);
    expect(await ask('/%E0%A4%A')).toMatchObject({ status: 400 });
  });

  it('may go to an application that is mounted, once its guard lets it', async () => {
    const guarded = vi.fn();
    const guard: Mount['guard'] = async ({ headers }) => {
      guarded();
      if (headers.cookie === undefined) throw new HttpError(401, 'who are you?');
      return headers.cookie === 'old' ? uncachedJson('log in') : undefined;
    };
    const application: Mount['application'] = async () => (request, response) => response.end(request.url);
    const routes: string[] = [];
    await start([note('get', '/app/inside')], {
      mounts: [
        { path: '/app', guard, application, securityPolicy: 'policy' },
        { path: '/guarded', guard },
      ],
      onEnd: ({ route }) => void routes.push(route),
    });
    const as = (cookie: string) => ({ headers: { cookie, 'x-request-id': 'mine' } });
    expect((await ask('/app/page')).status).toBe(401);
    expect((await ask('/app/page', as('old'))).body.toString()).toBe('"log in"');
    const page = await ask('/app/page', as('new'));
    expect(page.body.toString()).toBe('/page');
    expect(page.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'content-security-policy': 'policy',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': 'mine',
    });
    expect((await ask('/guarded/x', as('new'))).status).toBe(404);
    expect((await ask('/guarded/x')).status).toBe(401);
    const unguarded = guarded.mock.calls.length;
    expect((await ask('/app/inside')).status).toBe(200);
    expect((await ask('/other')).status).toBe(404);
    expect(guarded).toHaveBeenCalledTimes(unguarded);
    await vi.waitFor(() => expect(routes).toHaveLength(7));
    expect(routes).toEqual([
      'unmatched',
      'unmatched',
      '/app/*',
      'unmatched',
      'unmatched',
      '/app/inside',
      'unmatched',
    ]);
  });
});
