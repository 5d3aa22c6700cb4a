import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { arrayOf, parseBody, parseJson } from '../../../src/relay/parse-body.js';
import { openUpstream, type UpstreamObserver, type UpstreamOptions } from '../../../src/relay/upstream.js';
import { UpstreamError } from '../../../src/relay/upstream-error.js';
import { answer, type HttpStub, httpStub, type StubHandler } from '../../support/http-stub.js';
import { movableClock } from '../utilities/support.js';

let stub: HttpStub;
let time: ReturnType<typeof movableClock>;
beforeEach(async () => {
  stub = await httpStub();
  time = movableClock('2026-11-21T06:00:00Z');
});
afterEach(() => stub.close());

const now = () => time.clock().getTime();
type Options = Partial<UpstreamOptions> & { upstreamObserver?: UpstreamObserver };
const open = ({ upstreamObserver, ...options }: Options = {}) => {
  const standard = { name: 'stub', baseUrl: stub.url, retryMs: 1, connectMs: 500 };
  const context = { clock: time.clock, ...(upstreamObserver && { upstreamObserver }) };
  return openUpstream(context, { ...standard, ...options });
};
const soon = () => AbortSignal.timeout(30_000);
const request = {
  path: '/x',
  parse: ({ body }: { body: unknown }) => parseBody(z.object({ n: z.number() }), body),
};
const WELL = answer({ n: 1 });
const FAILING = answer('', 500);

async function errorOf(work: Promise<unknown>): Promise<UpstreamError> {
  const thrown = await work.catch((error: unknown) => error);
  if (!(thrown instanceof UpstreamError)) throw new Error(`no UpstreamError: ${String(thrown)}`);
  return thrown;
}
/** The error of the request, sent by an upstream. */
const refusal = (upstream = open(), signal = soon()) => errorOf(upstream.send(request, signal));

/** An upstream whose circuit five errors in a row have opened. */
async function opened(options: Options) {
  stub.route('/x', FAILING);
  const upstream = open(options);
  const kindOf = async () => (await refusal(upstream)).kind;
  for (let n = 0; n < 5; n++) expect(await kindOf()).toBe('status');
  return { upstream, kindOf };
}

it('a request is a GET for JSON with its query', async () => {
  stub.route('/x', answer({ n: 4 }));
  expect(await open().send({ ...request, query: { a: 'ü&b', none: undefined } }, soon())).toEqual({ n: 4 });
  const [sent] = stub.requests;
  expect(sent?.query.toString()).toBe('a=%C3%BC%26b');
  const headers = { 'user-agent': expect.stringContaining('almanac'), accept: 'application/json' };
  expect(sent).toMatchObject({ method: 'GET', body: '', headers });
  expect(sent?.headers).not.toHaveProperty('content-type');
});

it('a request may have a body of JSON, and other headers', async () => {
  stub.route('POST /x', answer({ n: 4 }));
  const headers = { accept: 'text/json', key: 'k' };
  expect(await open().send({ ...request, json: { a: [1] }, headers }, soon())).toEqual({ n: 4 });
  const sent = { body: '{"a":[1]}', headers: { ...headers, 'content-type': 'application/json' } };
  expect(stub.requests).toMatchObject([sent]);
});

it.each([
  ['200', answer('1', 200, { 'retry-after': '3' }), { status: 200, body: 1, retryAfterMs: 3_000 }],
  ['that is accepted', answer({ n: 0 }, 404), { status: 404, body: { n: 0 }, retryAfterMs: undefined }],
  ['that is accepted, in HTML', answer('<h1>', 404), { status: 404, body: undefined }],
])('a response of a status %s is parsed', async (_, handler, response) => {
  stub.route('/x', handler);
  const parse = (received: unknown) => received;
  expect(await open().send({ path: '/x', accepts: [404, 410], parse }, soon())).toEqual(response);
});

it('a response that a request fails to parse is an error of ours, which it stays', async () => {
  stub.route('/x', answer({ n: 4 }));
  const mistake = new TypeError('a mistake of ours');
  const parse = () => {
    throw mistake;
  };
  const upstream = open();
  for (let n = 0; n < 6; n++)
    await expect(upstream.send({ path: '/x', parse }, soon())).rejects.toBe(mistake);
  expect(await upstream.send(request, soon())).toEqual({ n: 4 });
  // Nor does it keep a cool-down from beginning.
  stub.route('/x', answer('', 429, { 'retry-after': '60' }));
  for (let n = 0; n < 2; n++) expect((await refusal(upstream)).kind).toBe('limited');
  expect(stub.requests).toHaveLength(8);
});

const ended =
  (body: string | Buffer): StubHandler =>
  (_, response) =>
    void response.end(body);
it.each<[string, StubHandler, object]>([
  ['of another shape', answer({ n: 'HIDDEN' }), { kind: 'invalid', message: /n \(invalid_type\)$/ }],
  ['that is HTML', answer('<h1>HIDDEN</h1>'), { kind: 'invalid', message: /is not JSON$/ }],
  ['that is no UTF-8', ended(Buffer.from('22fffe22', 'hex')), { kind: 'invalid', message: /is not JSON$/ }],
  ['that is empty', answer(''), { kind: 'invalid', message: /0 bytes is not JSON$/ }],
  ['of an error', answer('HIDDEN', 400), { kind: 'status', message: /^status 400$/ }],
  ['that is no HTTP', (_, { socket }) => void socket?.end('HIDDEN\r\n\r\n'), { message: /./ }],
  ['elsewhere', answer('', 302, { location: '/x2?key=HIDDEN' }), { message: /^status 302, not followed$/ }],
  ['on another host', answer('', 302, { location: 'http://127.0.0.1:1/' }), { kind: 'redirect' }],
  ['too large', ended(`"${'x'.repeat(50_000)}"`), { message: /^the body is larger than 50000 bytes$/ }],
])('a response %s is refused without a word of what was sent or received', async (_, handler, error) => {
  stub.route('/x', handler);
  stub.route('/x2', WELL);
  const given = { query: { q: 'HIDDEN', key: 'HIDDEN' }, headers: { key: 'HIDDEN' } };
  const thrown = await errorOf(open({ maxBytes: 50_000 }).send({ ...request, ...given }, soon()));
  const { message, ...rest } = error as { message?: RegExp };
  expect(thrown).toMatchObject(rest);
  if (message) expect(thrown.message).toMatch(message);
  expect(inspect(thrown, { depth: null, showHidden: true })).not.toContain('HIDDEN');
  expect(stub.requests).toHaveLength(1);
});

it('a response larger than the limit is not read to its end', async () => {
  let sent = 0;
  stub.route('/x', async (_, response) => {
    response.on('error', () => undefined);
    for (let chunk = 0; chunk < 2_000 && !response.destroyed; chunk++) {
      response.write('x'.repeat(10_000));
      sent += 10_000;
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  expect((await refusal(open({ maxBytes: 50_000 }))).kind).toBe('too-large');
  expect(sent).toBeLessThan(20_000_000);
});

it('a response that is compressed is limited in bytes after that', async () => {
  stub.route('/x', (_, response) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(`{"n":3${' '.repeat(50_000)}}`));
  });
  expect(await open().send(request, soon())).toEqual({ n: 3 });
  expect((await refusal(open({ maxBytes: 10_000 }))).kind).toBe('too-large');
});

const parsed = (text: string) => {
  try {
    return parseJson(Buffer.from(text));
  } catch (error) {
    const { kind, message } = error as UpstreamError;
    return `${kind}: ${message}`;
  }
};

it.each([
  ['[', '', ']'],
  ['{"a":', '1', '}'],
])('the bounds of a JSON body are 32 levels of %s', (open, inner, close) => {
  const nested = (depth: number) => parsed(open.repeat(depth) + inner + close.repeat(depth));
  expect(nested(32)).toBeInstanceOf(Object);
  expect(nested(33)).toBe('invalid: the response is nested over 32 deep');
});

it('the bounds of a JSON body are a hundred thousand values', () => {
  const list = (length: number) => parsed(`[${Array(length).fill('1').join()}]`);
  expect(list(100_000)).toHaveLength(100_000);
  expect(list(100_001)).toBe('invalid: the response holds over 100000 values');
});

it.each([
  ['neighbours', Array(40).fill([{}])],
  ['brackets in strings', ['['.repeat(40), '{'.repeat(40), '"[{'.repeat(40), '\\"['.repeat(40)]],
  ['commas in strings', [','.repeat(100_001), '\\', '\\"']],
])('the bounds of a JSON body do not count %s', (_, value) => {
  expect(parsed(JSON.stringify(value))).toEqual(value);
});

it.each(['"', '"\\', '["a', '"\\"'])('a string without an end is no JSON: %s', (text) => {
  expect(parsed(text)).toBe(`invalid: the response of ${text.length} bytes is not JSON`);
});

it('the check of a body names the first three faults by their places', () => {
  const schema = z.object({ a: z.array(z.object({ n: z.number() })) });
  expect(() => parseBody(schema, 1)).toThrow(/^the response is invalid: body \(invalid_type\)$/);
  const faults = [0, 1, 2].map((at) => `a.${at}.n (invalid_type)`);
  expect(() => parseBody(schema, { a: Array(5).fill({ n: '' }) })).toThrow(
    new UpstreamError('invalid', `the response is invalid: ${faults.join(', ')}`),
  );
});

it('the check of a body reads only the first elements of an array', () => {
  const list = arrayOf(z.number(), 2);
  expect(parseBody(list, [1, 2, 'x'])).toEqual([1, 2]);
  expect(parseBody(list, [1])).toEqual([1]);
  expect(() => parseBody(list, 'text')).toThrow('body (invalid_type)');
});

it('retries come twice on a 5xx', async () => {
  stub.route('/x', answer('', 503));
  expect(await refusal()).toMatchObject({ kind: 'status', message: 'status 503' });
  expect(stub.requests).toHaveLength(3);
});

it.each<[string, number, (response: ServerResponse) => unknown]>([
  ['a broken connection', 2, ({ socket }) => socket?.destroy()],
  [
    'a response that breaks off in the middle',
    1,
    (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"n":');
      setTimeout(() => response.socket?.end(), 20);
    },
  ],
])('retries come on %s, and may succeed', async (_, failures, fail) => {
  stub.route('/x', (_, response) => {
    if (stub.requests.length <= failures) fail(response);
    else response.end('{"n":7}');
  });
  expect(await open().send(request, soon())).toEqual({ n: 7 });
});

it.each([400, 401, 403, 404, 418, 429])('retries do not come on a %i', async (status) => {
  stub.route('/x', answer({ error: 'no' }, status));
  await refusal();
  expect(stub.requests).toHaveLength(1);
});

it('retries do not come where the upstream wants to be left alone', async () => {
  stub.route('/x', (_, response) => void response.writeHead(503, { 'retry-after': '7' }).end());
  const upstream = open();
  expect(await refusal(upstream)).toMatchObject({ kind: 'status', coolDownMs: 7_000 });
  expect((await refusal(upstream)).kind).toBe('limited');
  expect(stub.requests).toHaveLength(1);
});

it.each<[string, StubHandler]>([
  ['never responds', () => undefined],
  [
    'trickles',
    (_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
])('a request ends in time for an upstream that %s', async (_, handler) => {
  stub.route('/x', handler);
  expect((await refusal(open(), AbortSignal.timeout(100))).kind).toBe('timeout');
});

it('a request to a closed port fails at once', async () => {
  const unreachable = { kind: 'unreachable', message: 'could not be reached (ECONNREFUSED)' };
  expect(await refusal(open({ baseUrl: 'http://127.0.0.1:1' }))).toMatchObject(unreachable);
});

it('the circuit opens after five errors in a row, lets one try later, and closes when it goes well', async () => {
  const states: string[][] = [];
  const outcomes: [string, string, number][] = [];
  const upstreamObserver: UpstreamObserver = {
    requested: (...outcome) => void outcomes.push(outcome),
    circuit: (...state) => void states.push(state),
  };
  const started = performance.now();
  const { upstream } = await opened({ circuitMs: 10_000, now, upstreamObserver });
  time.pass(4);
  const refused = { kind: 'open-circuit', message: 'it failed too often', coolDownMs: 6_000 };
  expect(await refusal(upstream)).toMatchObject(refused);
  expect(stub.requests).toHaveLength(15);
  stub.route('/x', WELL);
  time.pass(6);
  expect(await upstream.send(request, soon())).toEqual({ n: 1 });
  expect(states).toEqual(['open', 'half-open', 'closed'].map((state) => ['stub', state]));
  const kinds = [...Array(5).fill('status'), 'open-circuit', 'answered'];
  expect(outcomes.map(([name, kind]) => `${name} ${kind}`)).toEqual(kinds.map((kind) => `stub ${kind}`));
  const durations = outcomes.map(([, , milliseconds]) => milliseconds);
  expect(Math.min(...durations)).toBeGreaterThan(0);
  expect(Math.max(...durations)).toBeLessThan(performance.now() - started);
});

it('the circuit is open for its time and no longer where the clock is set back', async () => {
  const { upstream, kindOf } = await opened({ circuitMs: 100 });
  stub.route('/x', WELL);
  const wall = Date.now;
  const setBack = vi.spyOn(Date, 'now').mockImplementation(() => wall() - 30 * 86_400_000);
  onTestFinished(() => setBack.mockRestore());
  expect(await kindOf()).toBe('open-circuit');
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(await upstream.send(request, soon())).toEqual({ n: 1 });
});

it('the circuit stays open where the one that it lets try fails, until the next may', async () => {
  const { upstream, kindOf } = await opened({ circuitMs: 10_000, now });
  for (let round = 0; round < 2; round++) {
    time.pass(9);
    expect(await kindOf()).toBe('open-circuit');
    time.pass(1);
    expect([await kindOf(), await kindOf()]).toEqual(['status', 'open-circuit']);
  }
  stub.route('/x', WELL);
  time.pass(10);
  expect(await upstream.send(request, soon())).toEqual({ n: 1 });
});

it('the circuit stays closed when responses come in between', async () => {
  const upstream = open();
  for (let n = 0; n < 12; n++) {
    stub.route('/x', n % 4 === 3 ? answer({ n }) : FAILING);
    await upstream.send(request, soon()).catch(() => undefined);
  }
  expect(stub.requests).toHaveLength(3 * 9 + 3);
});

it('the circuit stays closed when the upstream refuses a query, and closes again by that', async () => {
  const { upstream, kindOf } = await opened({ circuitMs: 10_000, now });
  time.pass(10);
  for (const handler of [answer('', 400), answer('', 404), answer({ m: 1 })]) {
    stub.route('/x', handler);
    for (let n = 0; n < 6; n++) expect(await kindOf()).toMatch(/^(status|invalid)$/);
  }
  stub.route('/x', WELL);
  expect(await upstream.send(request, soon())).toEqual({ n: 1 });
});

it.each<[string, StubHandler, string]>([
  ['are too late', () => undefined, 'timeout'],
  ['break', (_, { socket }) => void socket?.destroy(), 'unreachable'],
])('the circuit opens after five responses that %s', async (_, handler, kind) => {
  stub.route('/x', handler);
  const upstream = open();
  const kinds: string[] = [];
  for (let n = 0; n < 7; n++) kinds.push((await refusal(upstream, AbortSignal.timeout(200))).kind);
  expect(kinds.slice(0, 5)).toEqual(Array(5).fill(kind));
  // The fifth request may end only after the sixth was sent.
  expect(kinds.at(-1)).toBe('open-circuit');
});

it('the circuit holds no one up who waits for the one request that it lets through', async () => {
  const { upstream } = await opened({ circuitMs: 10_000, now });
  time.pass(10);
  stub.route('/x', () => undefined);
  const leaving = new AbortController();
  const settled = vi.fn();
  const first = refusal(upstream, leaving.signal).finally(settled);
  expect((await refusal(upstream, AbortSignal.timeout(100))).kind).toBe('timeout');
  expect(settled).not.toHaveBeenCalled();
  leaving.abort();
  await first;
});

it.each([
  ['120', 120],
  ['Sat, 21 Nov 2026 06:02:00 GMT', 120],
  ['31536000', 900],
])('a cool-down that begins with a retry-after of %s is %i seconds long', async (retryAfter, seconds) => {
  stub.route('/x', answer('', 429, { 'retry-after': retryAfter }));
  const upstream = open({ now });
  const limited = { kind: 'limited', message: 'status 429', coolDownMs: seconds * 1_000 };
  expect(await refusal(upstream)).toMatchObject(limited);
  stub.route('/x', WELL);
  time.pass(seconds - 1);
  expect(await refusal(upstream)).toMatchObject({ message: 'it requested a cool-down', coolDownMs: 1_000 });
  expect(stub.requests).toHaveLength(1);
  time.pass(2);
  expect(await upstream.send(request, soon())).toEqual({ n: 1 });
});

it('a cool-down holds for the requests too that were waiting when it began', async () => {
  stub.route('/x', answer('', 429, { 'retry-after': '60' }));
  const upstream = open({ atOnce: 2 });
  const calls = Array.from({ length: 10 }, () => refusal(upstream));
  expect((await Promise.all(calls)).every(({ kind }) => kind === 'limited')).toBe(true);
  expect(stub.requests.length).toBeLessThanOrEqual(2);
});

it('a cool-down is not prolonged by a clock that is set back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  stub.route('/x', answer('', 429, { 'retry-after': '60' }));
  const upstream = open();
  await refusal(upstream);
  stub.route('/x', WELL);
  time.pass(-30 * 24 * 3600);
  vi.advanceTimersByTime(60_000);
  expect(await upstream.send(request, soon())).toEqual({ n: 1 });
});

it('requests at once are no more than the set number, and those are refused that would wait too far back', async () => {
  let [underWay, most] = [0, 0];
  stub.route('/x', async (_, response) => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 30));
    underWay--;
    response.end('{"n":1}');
  });
  const upstream = open({ atOnce: 2, waiting: 3 });
  const asked = await Promise.allSettled(Array.from({ length: 7 }, () => upstream.send(request, soon())));
  expect(most).toBe(2);
  const reasons = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(reasons).toEqual(Array(2).fill(new UpstreamError('busy', 'too many requests wait for it')));
});

it('requests at once are four where nothing is set, each of which may give two mebibytes, and 120 may wait', async () => {
  const held: ServerResponse[] = [];
  stub.route('/x', (_, response) => void held.push(response));
  const upstream = open();
  const signal = AbortSignal.timeout(60_000);
  const settled = Promise.allSettled(Array.from({ length: 120 }, () => upstream.send(request, signal)));
  const padded = (size: number) => `{"n":1${' '.repeat(size - 7)}}`;
  for (let first = 0; first < 120; first += 4) {
    await vi.waitFor(() => expect(held).toHaveLength(first + 4), { interval: 2 });
    const sizes = first === 0 ? [2 ** 21, 2 ** 21 + 1, 7, 7] : [7, 7, 7, 7];
    for (const [at, size] of sizes.entries()) held[first + at]?.end(padded(size));
  }
  const outcomes = (await settled).map(({ status }) => status);
  expect(outcomes.filter((status) => status === 'rejected')).toHaveLength(1);
});

it('requests at once all have an outcome where the upstream stalls, which is asked again once it is well', async () => {
  stub.route('/x', () => undefined);
  const upstream = open({ atOnce: 4, waiting: 64, circuitMs: 100 });
  const calls = Array.from({ length: 40 }, () => refusal(upstream, AbortSignal.timeout(200)));
  const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
  // The circuit may open just before the last of them time out.
  expect(kinds.filter((kind) => kind !== 'timeout' && kind !== 'open-circuit')).toEqual([]);
  stub.route('/x', answer({ n: 5 }));
  expect(await vi.waitFor(() => upstream.send(request, soon()))).toEqual({ n: 5 });
});
