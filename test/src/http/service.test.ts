import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { DataOutdated, HttpError } from '../../../src/http/errors.js';
import type { Exchange } from '../../../src/http/exchange.js';
import type { Mount } from '../../../src/http/express-adapter.js';
import { json, NO_STORE, type Reply, type Task, uncachedJson } from '../../../src/http/reply.js';
import { defineRoute, type RequestContext, type Route } from '../../../src/http/route.js';
import { strictQuery } from '../../../src/parameters/query.js';
import { event } from '../../support/event.js';
import { logLines, movableClock, serve } from '../utilities/support.js';
import { type Got, open as openRequest, ask as request, type Sent } from './support.js';

type Parts = NonNullable<Parameters<typeof serve>[2]>;

let service: Awaited<ReturnType<typeof serve>>;
const { log, lines } = logLines();
beforeEach(() => {
  lines.length = 0;
});
const logged = () => lines.map((line) => JSON.parse(line));

async function start(routes: readonly Route[], parts: Parts = {}): Promise<void> {
  service = await serve(routes, log, parts);
  onTestFinished(service.close);
}

const open = (path: string, options = {}) => openRequest(service.url + path, options);
const ask = (path: string, sent?: Sent) => request(service.url + path, sent);
const statusOf = async (path: string, sent?: Sent) => (await ask(path, sent)).status;
const messageOf = ({ body }: Got) => JSON.parse(body.toString()).message;

/** A connection on which these requests by GET are sent without waiting. */
function pipeline(...paths: string[]) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** A route by GET that gives a reply. */
const replying = (path: string, reply: Route['handle'] | Reply, more: Partial<Route> = {}) =>
  defineRoute({ method: 'get', path, handle: typeof reply === 'function' ? reply : () => reply, ...more });

const LONG = 'x'.repeat(1_024);
const TAGGED = { tag: 'tag', cacheControl: 'public, max-age=7' };
const KNOWN = { 'if-none-match': '"tag"' };
const ID = { 'x-request-id': 'mine' };

it('a reply has the headers of its validity, its body and its own', async () => {
  const content = { type: 'text/x', body: LONG, headers: ['x-body', '1'], securityPolicy: 'policy' };
  const validity = { ...TAGGED, vary: ['accept'] };
  await start([replying('/a', { status: 201, validity, headers: ['x-own', '2'], content })]);
  const plain = await ask('/a');
  expect(plain).toMatchObject({ status: 201, body: Buffer.from(LONG) });
  const headers = {
    ...{ etag: '"tag"', vary: 'accept, accept-encoding', 'cache-control': 'public, max-age=7' },
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringMatching(/^age, etag, /),
  };
  const about = {
    ...{ 'x-own': '2', 'content-type': 'text/x', 'content-length': '1024', 'x-body': '1' },
    ...{ 'content-security-policy': 'policy', 'x-content-type-options': 'nosniff' },
  };
  expect(plain.headers).toMatchObject({ ...headers, ...about });
  const known = await ask('/a', { headers: { ...KNOWN, ...ID } });
  expect(known).toMatchObject({ status: 304, headers: { ...headers, ...ID } });
  for (const name of Object.keys(about)) expect(known.headers).not.toHaveProperty(name);
});

it('a reply is compressed from a length on, by what was compressed ahead if there is that', async () => {
  const compressed = { br: Buffer.from('ahead'), gzip: Buffer.from('of time') };
  const of = (body: string, more = {}) => ({ validity: TAGGED, content: { type: 'x', body, ...more } });
  await start([
    replying('/long', of(LONG)),
    replying('/short', of(LONG.slice(1))),
    replying('/ahead', of(LONG, { compressed })),
    replying('/secret', { ...of(LONG), validity: NO_STORE }),
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
  for (const name of ['content-encoding', 'vary']) expect(secret.headers).not.toHaveProperty(name);
});

it('a reply may have no body, and has none for HEAD', async () => {
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
  expect(await statusOf('/a', { headers: { 'if-none-match': '*' } })).toBe(200);
  const head = await ask('/a', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, headers: { 'content-length': '7' }, body: Buffer.alloc(0) });
});

/** A reply whose content is to be made. */
function taskOf(parts: Partial<Task>): Task {
  const cost = { rows: 1, rawDays: 0 };
  return { maker: 'any', input: {}, snapshot: undefined, validity: NO_STORE, cost, ...parts };
}

it('a reply is not made for a client that has it', async () => {
  const makeContent = vi.fn(() => json(1));
  await start([replying('/a', () => taskOf({ validity: TAGGED }))], { makeContent });
  expect(await statusOf('/a', { headers: KNOWN })).toBe(304);
  expect(makeContent).not.toHaveBeenCalled();
  expect((await ask('/a', { headers: { 'if-none-match': '"other"' } })).body.toString()).toBe('1');
});

/** A route with a stream of these chunks, and what was taken of it, and whether it was closed. */
function streamOf(chunks: readonly (string | Error | Promise<unknown>)[], path = '/a') {
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
  const content = { type: 'text/x', body: stream, headers: ['x-body', '1'] };
  const reply = { validity: TAGGED, headers: ['x-own', '2'], content };
  return { state, reply, route: replying(path, reply) };
}

it.each([
  ['identity', undefined, '"tag"', (body: Buffer) => body],
  ['gzip', 'gzip', '"tag-gzip"', gunzipSync],
  ['br', 'br', '"tag-br"', brotliDecompressSync],
])('a stream is sent in %s', async (coding, encoding, etag, decoded) => {
  const { state, route } = streamOf(['one', 'two', LONG]);
  await start([route]);
  const { headers, body } = await ask('/a', { headers: { 'accept-encoding': coding } });
  expect(decoded(body).toString()).toBe(`onetwo${LONG}`);
  expect(headers).toMatchObject({
    ...{ etag, 'x-own': '2', 'x-body': '1', 'content-type': 'text/x', 'cache-control': TAGGED.cacheControl },
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(headers['content-encoding']).toBe(encoding);
  expect(state).toEqual({ taken: 3, closed: true });
});

it.each([
  ['HEAD', { method: 'HEAD' }, 200],
  ['a client that has it', { headers: KNOWN }, 304],
])('a stream is closed unread for %s', async (_, sent, status) => {
  const { state, reply } = streamOf(['one']);
  // Only what is made says that the client has it.
  const makeContent = () => ({ ...reply.content, tag: 'tag' });
  await start([replying('/a', () => taskOf({}))], { makeContent });
  expect(await ask('/a', sent)).toMatchObject({ status, body: Buffer.alloc(0) });
  expect(state).toEqual({ taken: 0, closed: true });
});

const CODINGS = ['identity', 'gzip'];
it.each(CODINGS)('a stream in %s that fails breaks the connection, which is logged', async (coding) => {
  const { state, route } = streamOf(['one', new Error('broke off'), 'two']);
  await start([route]);
  const headers = { 'accept-encoding': coding, ...ID };
  await expect(ask('/a', { headers })).rejects.toThrow(/aborted|hang up/);
  expect(state).toEqual({ taken: 2, closed: true });
  expect(logged()).toMatchObject([{ id: 'mine', err: { message: 'broke off' } }]);
});

it.each(CODINGS)('a stream in %s ends without a line where the client leaves', async (coding) => {
  const left = event();
  const { state, route } = streamOf(['one', left.happened, ...Array(100).fill(LONG)]);
  const outcomes: unknown[] = [];
  const onEnd = ({ outcome }: Exchange) => {
    outcomes.push(outcome);
    left.happen();
  };
  await start([route], { onEnd });
  const sent = open('/a', { headers: { 'accept-encoding': coding } }).end();
  await vi.waitFor(() => expect(state.taken).toBe(2));
  sent.destroy();
  await vi.waitFor(() => expect(state.closed).toBe(true));
  expect(outcomes).toEqual(['aborted']);
  expect(state.taken).toBeLessThan(10);
  expect(lines).toEqual([]);
});

it('a stream is read no faster than the client reads', async () => {
  const { state, route } = streamOf(Array(1_000).fill('x'.repeat(100_000)));
  await start([route]);
  const socket = pipeline('/a').pause();
  let before = -1;
  // Buffers of the system take some megabytes.
  await vi.waitFor(() => {
    const since = before;
    before = state.taken;
    expect(before).toBe(since);
    expect(before).toBeGreaterThan(1);
  });
  expect(state.taken).toBeLessThan(900);
  socket.destroy();
  await vi.waitFor(() => expect(state.closed).toBe(true));
});

it('a stream waits unread behind another on its connection', async () => {
  const held = event();
  const [first, second] = [streamOf(['one', held.happened], '/1'), streamOf(['two'], '/2')];
  await start([first.route, second.route]);
  const received: Buffer[] = [];
  pipeline('/1', '/2').on('data', (some) => received.push(some));
  await vi.waitFor(() => expect(received.join('')).toContain('one'));
  expect(second.state.taken).toBe(0);
  held.happen();
  await vi.waitFor(() => expect(received.join('')).toContain('two'));
});

it('the response cache has replies of the current data and day from their second time on', async () => {
  const { clock, pass } = movableClock('2026-03-20T12:00:00Z');
  let dataVersion: string | undefined = '1';
  const made = vi.fn(() => ({ validity: TAGGED, dataVersion: dataVersion ?? '', content: json('é') }));
  const onCacheHit = vi.fn();
  const query = strictQuery(z.object({ n: z.string().optional() }));
  const ofNone = () => ({ ...made(), dataVersion: undefined }) as unknown as Reply;
  await start([replying('/a', made, { query }), replying('/version-less', ofNone)], {
    ...{ clock, onCacheHit, dataVersion: () => dataVersion },
  });
  /** Where a reply came from. */
  const source = async (path = '/a', sent?: Sent) => {
    made.mockClear();
    onCacheHit.mockClear();
    const { status, body, headers } = await ask(path, sent);
    expect([status, headers.etag]).toEqual([200, '"tag"']);
    if (sent?.method !== 'HEAD') expect(body.toString()).toBe('"é"');
    return `${made.mock.calls.length} made, ${onCacheHit.mock.calls.length} cached`;
  };
  const [MADE, CACHED] = ['1 made, 0 cached', '0 made, 1 cached'];
  for (const from of [MADE, MADE, CACHED, CACHED]) expect(await source()).toBe(from);
  expect(await statusOf('/a', { headers: KNOWN })).toBe(304);
  expect(await source('/a', { headers: { 'if-none-match': '"other"' } })).toBe(CACHED);
  for (let n = 0; n < 3; n++) expect(await source('/a?n=1', { method: 'HEAD' })).toBe(MADE);
  expect(await source('/a', { method: 'HEAD' })).toBe(MADE);
  expect(await source('/a?n=1')).toBe(MADE);
  expect(await source('/a', { headers: { accept: 'text/csv' } })).toBe(MADE);
  for (let n = 0; n < 3; n++) expect(await source('/version-less')).toBe(MADE);
  pass(12 * 3_600);
  for (const from of [MADE, CACHED]) expect(await source()).toBe(from);
  dataVersion = '2';
  for (const from of [MADE, CACHED]) expect(await source()).toBe(from);
  dataVersion = undefined;
  expect(await source()).toBe(MADE);
});

it('a limit refuses at once or later, without a call of the route', async () => {
  const refuse = () => {
    throw new HttpError(429, 'too many', { headers: { 'retry-after': '9' } });
  };
  const made = vi.fn(() => uncachedJson(1));
  const routes = [
    replying('/now', made, { limit: 'currency' }),
    replying('/later', made, { limit: 'utility' }),
  ];
  await start(routes, { limits: { currency: refuse, utility: async () => refuse() } });
  for (const path of ['/now', '/later', '/LATER'])
    expect(await ask(path)).toMatchObject({ status: 429, headers: { 'retry-after': '9' } });
  expect(made).not.toHaveBeenCalled();
  expect(lines).toEqual([]);
});

it('a request is handled again with newer data, five times at most, where the database has moved on', async () => {
  const outdated = new DataOutdated('the database does not have this data version');
  const handled = vi.fn(() => taskOf({}));
  const catchUp = vi.fn(async () => {});
  const makeContent = vi.fn().mockRejectedValueOnce(outdated).mockRejectedValueOnce(outdated);
  await start([replying('/a', handled)], { makeContent: makeContent.mockReturnValueOnce(json(1)), catchUp });
  expect((await ask('/a')).body.toString()).toBe('1');
  expect([handled, catchUp].map(({ mock }) => mock.calls.length)).toEqual([3, 2]);
  makeContent.mockRejectedValue(outdated);
  const refused = await ask('/a');
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(messageOf(refused)).toBe('the rates are changing right now');
  expect(handled).toHaveBeenCalledTimes(3 + 5);
  catchUp.mockImplementation(() => new Promise(() => {}));
  expect(await statusOf('/a')).toBe(503);
  // Newer data may be there even where no more can be read.
  catchUp.mockRejectedValue(new Error('the origin is unreachable'));
  makeContent.mockRejectedValueOnce(outdated).mockReturnValueOnce(json(2));
  expect((await ask('/a')).body.toString()).toBe('2');
});

it('room is for a number of requests, and always for essential ones', async () => {
  const held = event();
  const routes = [
    replying('/held', () => held.happened.then(() => uncachedJson(1))),
    replying('/a', uncachedJson(1)),
    replying('/health', uncachedJson(1), { isEssential: true }),
  ];
  await start(routes, { admissionLimits: { requests: 1, requestsPerClient: 1 } });
  const first = statusOf('/held');
  await vi.waitFor(async () => expect(await statusOf('/a')).toBe(503));
  for (const path of ['/a', '/A', '/no']) {
    const refused = await ask(path);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    expect(messageOf(refused)).toBe('too many expensive requests at once');
  }
  expect(await statusOf('/health')).toBe(200);
  expect(await statusOf('/health?x', { method: 'HEAD' })).toBe(200);
  held.happen();
  expect(await first).toBe(200);
  await vi.waitFor(async () => expect(await statusOf('/a')).toBe(200));
});

it('an error of ours is logged with its cause if it has one, any other is not', async () => {
  const cause = new Error('the cause');
  const throwing = (path: string, error: Error) =>
    replying(path, () => {
      throw error;
    });
  await start([
    throwing('/502', new HttpError(502, 'failed', { cause })),
    throwing('/503', new HttpError(503, 'failed')),
    throwing('/404', new HttpError(404, 'failed', { cause })),
    throwing('/500', new Error('secret text of a driver')),
  ]);
  for (const status of [502, 503, 404]) {
    const got = await ask(`/${status}`, { headers: ID });
    expect([got.status, messageOf(got), got.headers['x-request-id']]).toEqual([status, 'failed', 'mine']);
  }
  const message = 'something went wrong on our side';
  const said = { success: false, status: 500, code: 'internal_error', message };
  expect(JSON.parse((await ask('/500')).body.toString())).toEqual(said);
  expect(logged()).toMatchObject([
    { level: 50, id: 'mine', msg: 'failed', err: { message: 'the cause' } },
    { level: 40, id: 'mine', msg: 'failed' },
    { level: 50, msg: message, err: { message: 'secret text of a driver' } },
  ]);
  expect(logged()[1]).not.toHaveProperty('err');
});

it('an error after its client has left is neither sent nor logged', async () => {
  const [began, ended] = [event(), event()];
  const outcomes: unknown[] = [];
  const wait: Route['handle'] = async (_, { signal }) => {
    began.happen();
    await once(signal, 'abort');
    queueMicrotask(() => setImmediate(ended.happen));
    throw signal.reason;
  };
  await start([replying('/a', wait)], {
    onEnd: ({ outcome, route, durationMs }) => outcomes.push([outcome, route, durationMs > 0]),
  });
  const sent = open('/a').end();
  await began.happened;
  sent.destroy();
  await ended.happened;
  expect(outcomes).toEqual([['aborted', '/a', true]]);
  expect(lines).toEqual([]);
});

let seen: RequestContext | undefined;
let wasSecure: boolean | undefined;
const note = (method: 'get' | 'post', path: string, more: Partial<Route> = {}) =>
  replying(
    path,
    (_, context) => {
      seen = context;
      // It depends on the connection, which is closed afterwards.
      wasSecure = context.isSecure;
      return uncachedJson(context.body ?? null);
    },
    { method, ...more },
  );
const FORM = 'application/x-www-form-urlencoded';
const post = (path: string, body: string, type = 'application/json', headers = {}) =>
  ask(path, { method: 'POST', headers: { 'content-type': type, ...headers }, body });

it('a request through Express has its parameters, and whether it is secure', async () => {
  await start([note('get', '/a/:code'), note('get', '/a')], { variables: { TRUST_PROXY: 'loopback' } });
  const by = (proto: string) => ({ headers: { 'x-forwarded-proto': proto } });
  await ask('/A/x%2Fy', by('https'));
  expect([seen?.params, wasSecure]).toEqual([{ code: 'x/y' }, true]);
  expect((await ask('/a/b')).headers).not.toHaveProperty('x-powered-by');
  expect([seen?.params, wasSecure]).toEqual([{ code: 'b' }, false]);
  // At a path of its own a route is found without Express.
  await ask('/a', by('https, http'));
  expect(wasSecure).toBe(true);
  await ask('/a', by('http'));
  expect(wasSecure).toBe(false);
});

it('a request through Express has its body in the form of the route', async () => {
  await start([
    note('post', '/json', { body: 'json' }),
    note('post', '/form', { body: 'form' }),
    note('post', '/text', { body: 'text', largestBody: 10_000 }),
    note('post', '/none'),
  ]);
  const bodyOf = async (...sent: Parameters<typeof post>) => {
    await post(...sent);
    return seen?.body;
  };
  expect(await bodyOf('/json', '{"a":[1]}')).toEqual({ a: [1] });
  const form = await bodyOf('/form', 'a=1&b=%20&c[d]=2', FORM);
  expect({ ...(form as object) }).toEqual({ a: '1', b: ' ', 'c[d]': '2' });
  expect(await bodyOf('/text', '{"a":1}', 'image/png')).toBe('{"a":1}');
  expect(await bodyOf('/none', '{"a":1}')).toBeUndefined();
  const sized = (size: number) => JSON.stringify(['x'.repeat(size - 4)]);
  const statuses = async (path: string, largest: number) =>
    [await post(path, sized(largest)), await post(path, sized(largest + 1))].map(({ status }) => status);
  expect(await statuses('/json', 4_096)).toEqual([200, 413]);
  expect(await statuses('/text', 10_000)).toEqual([200, 413]);
  expect(messageOf(await post('/json', '{"a"'))).toBe('malformed request');
  expect((await post('/json', '1')).status).toBe(400);
  expect((await post('/json', '{}', 'application/json', { 'content-encoding': 'x' })).status).toBe(415);
  expect((await post('/form', 'a=1&b=2&c=3&d=4&e=5', FORM)).status).toBe(413);
});

it('a request through Express is guarded before its body is read', async () => {
  const guard = () => {
    throw new HttpError(401, 'who are you?');
  };
  await start([note('post', '/a', { body: 'json', guard }), note('get', '/a', { guard })]);
  expect((await post('/a', '{"a"')).status).toBe(401);
  expect(await statusOf('/a')).toBe(401);
});

it.each([
  [{ 'content-length': '200000' }, true],
  [{ 'content-length': '100000' }, false],
  [{ 'content-length': '100', 'content-encoding': 'gzip' }, true],
  [{}, true],
])('a request through Express with %j takes room, and another waits: %s', async (headers, isWaiting) => {
  let began = 0;
  const guard = () => void began++;
  // A quarter is for one client, and four times the body is held.
  const route = note('post', '/a', { body: 'text', largestBody: 200_000, guard });
  await start([route, note('get', '/quick')], { admissionLimits: { bufferedBytes: 4 * 1024 * 1024 } });
  const holding = open('/a', { method: 'POST', headers });
  holding.write('x');
  await vi.waitFor(() => expect(began).toBe(1));
  const statuses: unknown[] = [];
  const other = post('/a', 'x'.repeat(100_000), 'text/plain').then(({ status }) => statuses.push(status));
  await vi.waitFor(() => expect(began).toBe(2));
  for (let n = 0; n < 5; n++) await ask('/quick');
  expect(statuses).toEqual(isWaiting ? [] : [200]);
  holding.destroy();
  await other;
  expect(statuses).toEqual([200]);
});

it('a request through Express learns which methods there are', async () => {
  await start([note('get', '/a'), note('post', '/a'), note('get', '/b/:code')]);
  const options = await ask('/a', { method: 'OPTIONS' });
  const allow = 'GET, HEAD, POST, OPTIONS';
  expect(options).toMatchObject({
    status: 204,
    headers: { allow, 'access-control-allow-methods': allow, 'access-control-max-age': '86400' },
  });
  for (const name of ['vary', 'access-control-allow-headers'])
    expect(options.headers).not.toHaveProperty(name);
  const headers = { 'access-control-request-headers': 'x-a' };
  expect((await ask('/b/x', { method: 'OPTIONS', headers })).headers).toMatchObject({
    ...{ allow: 'GET, HEAD, OPTIONS', vary: 'access-control-request-headers' },
    'access-control-allow-headers': 'x-a',
  });
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
    const refused = await ask('/b/x', { method });
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
    expect(messageOf(refused)).toBe(`${method} is not allowed here: use GET`);
  }
  expect(messageOf(await ask('/a', { method: 'PUT' }))).toBe('PUT is not allowed here: use GET or POST');
});

it('a request through Express learns that there is nothing', async () => {
  await start([note('get', '/a')]);
  const path = `/${'b'.repeat(50)}`;
  expect(messageOf(await ask(path))).toBe(`nothing at ${path.slice(0, 40)}…`);
  for (const method of ['OPTIONS', 'POST']) expect(await statusOf('/b', { method })).toBe(404);
  expect(await statusOf('/%E0%A4%A')).toBe(400);
  const [received] = await once(pipeline('http://[/a'), 'data');
  expect(String(received)).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request".*malformed request target/s);
});

it('a request through Express learns of the nearest path that is for all', async () => {
  const described = { description: { responses: {} } };
  const others = ['/admin/runs', '/metrics', '/script.js', '/v1/:days'].map((path) => note('get', path));
  const hidden = [note('get', '/secrets', { guard: async () => {} }), note('post', '/orders')];
  await start([...others, ...hidden, note('get', '/coverage'), note('get', '/listing.csv', described)]);
  for (const path of ['/coverage', '/listing.csv'])
    expect(messageOf(await ask(path.slice(0, 3) + path.slice(4)))).toMatch(new RegExp(`: use ${path}$`));
  for (const path of ['/admin/run', '/metric', '/scrip.js', '/secret', '/order', '/v2/soon'])
    expect(messageOf(await ask(path))).toBe(`nothing at ${path}`);
});

it('a request through Express may go to an application that is mounted, once its guard lets it', async () => {
  const guarded = vi.fn();
  const guard: Mount['guard'] = async ({ headers }) => {
    guarded();
    if (headers.cookie === undefined) throw new HttpError(401, 'who are you?');
    return headers.cookie === 'old' ? uncachedJson('log in') : undefined;
  };
  const application: Mount['application'] = async () => (request, response) => response.end(request.url);
  const routes: string[] = [];
  const app = { path: '/app', guard, application, securityPolicy: 'policy' };
  const mounts = [app, { path: '/guarded', guard }];
  await start([note('get', '/app/inside')], { mounts, onEnd: ({ route }) => void routes.push(route) });
  const as = (cookie: string) => ({ headers: { cookie, ...ID } });
  expect(await statusOf('/app/page')).toBe(401);
  expect((await ask('/app/page', as('old'))).body.toString()).toBe('"log in"');
  const page = await ask('/app/page', as('new'));
  expect(page.body.toString()).toBe('/page');
  expect(page.headers).toMatchObject({
    ...{ 'access-control-allow-origin': '*', 'content-security-policy': 'policy', ...ID },
    ...{ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' },
  });
  expect(await statusOf('/guarded/x', as('new'))).toBe(404);
  expect(await statusOf('/guarded/x')).toBe(401);
  const calls = guarded.mock.calls.length;
  expect(await statusOf('/app/inside')).toBe(200);
  expect(await statusOf('/other')).toBe(404);
  expect(guarded).toHaveBeenCalledTimes(calls);
  await vi.waitFor(() => expect(routes).toHaveLength(7));
  expect(routes.join(' ')).toBe('unmatched unmatched /app/* unmatched unmatched /app/inside unmatched');
});
