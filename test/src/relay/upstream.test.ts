import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { arrayOf, parseBody } from '../../../src/relay/parse-body.js';
import { parseJson } from '../../../src/relay/parse-json.js';
import { openUpstream, type UpstreamOptions } from '../../../src/relay/upstream.js';
import { UpstreamError } from '../../../src/relay/upstream-error.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { movableClock } from '../utilities/support.js';

let stub: HttpStub;
const { clock, pass } = movableClock('2026-11-21T06:00:00Z');

beforeEach(async () => {
  stub = await httpStub();
});
afterEach(() => stub.close());

const open = (options: Partial<UpstreamOptions> = {}) =>
  openUpstream({ name: 'stub', baseUrl: stub.url, clock, retryMs: 1, connectMs: 500, ...options });
const soon = () => AbortSignal.timeout(30_000);
const request = {
  path: '/x',
  parse: ({ body }: { body: unknown }) => parseBody(z.object({ n: z.number() }), body),
};

async function errorOf(work: Promise<unknown>): Promise<UpstreamError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof UpstreamError)) throw new Error(`no UpstreamError: ${String(thrown)}`);
  return thrown;
}

describe('a response', () => {
  it('is parsed by the request', async () => {
    stub.route('/x', answer({ n: 4 }));
    expect(await open().send({ ...request, query: { a: 'ü&b', none: undefined } }, soon())).toEqual({ n: 4 });
    expect(stub.requests[0]?.query.toString()).toBe('a=%C3%BC%26b');
    expect(stub.requests[0]).toMatchObject({ method: 'GET', body: '' });
    expect(stub.requests[0]?.headers).toMatchObject({
      'user-agent': expect.stringContaining('almanac'),
      accept: 'application/json',
    });
    expect(stub.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it('may be asked for by JSON and with other headers', async () => {
    stub.route('POST /x', answer({ n: 4 }));
    const headers = { accept: 'text/json', key: 'k' };
    expect(await open().send({ ...request, json: { a: [1] }, headers }, soon())).toEqual({ n: 4 });
    expect(stub.requests[0]?.body).toBe('{"a":[1]}');
    expect(stub.requests[0]?.headers).toMatchObject({ ...headers, 'content-type': 'application/json' });
  });

  it.each([
    ['200', answer('1', 200, { 'retry-after': '3' }), { status: 200, body: 1, retryAfterMs: 3_000 }],
    ['that is accepted', answer({ n: 0 }, 404), { status: 404, body: { n: 0 }, retryAfterMs: undefined }],
    ['that is accepted, in HTML', answer('<h1>', 404), { status: 404, body: undefined }],
  ])('of a status %s is parsed', async (_, handler, response) => {
    stub.route('/x', handler);
    const parse = (received: unknown) => received;
    expect(await open().send({ path: '/x', accepts: [404, 410], parse }, soon())).toEqual(response);
  });

  it('that a request fails to parse is an error of ours, which it stays', async () => {
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
    for (let n = 0; n < 2; n++) expect((await errorOf(upstream.send(request, soon()))).kind).toBe('limited');
    expect(stub.requests).toHaveLength(8);
  });

  it.each([
    ['of another shape', answer({ n: 'SECRET' }), 'n (invalid_type)'],
    ['that is HTML', answer('<h1>SECRET</h1>'), 'is not JSON'],
    [
      'that is no UTF-8',
      (_: unknown, response: import('node:http').ServerResponse) => {
        response.end(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
      },
      'is not JSON',
    ],
    ['that is empty', answer(''), '0 bytes is not JSON'],
  ])('%s is invalid, asked for once and told without its text', async (_, handler, told) => {
    stub.route('/x', handler);
    const error = await errorOf(open().send(request, soon()));
    expect(error.kind).toBe('invalid');
    expect(error.message).toContain(told);
    expect(error.message).not.toContain('SECRET');
    expect(stub.requests).toHaveLength(1);
  });

  it('larger than the limit is not read to its end', async () => {
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
    const error = await errorOf(open({ maxBytes: 50_000 }).send(request, soon()));
    expect(error).toMatchObject({ kind: 'too-large', message: 'the body is larger than 50000 bytes' });
    expect(stub.requests).toHaveLength(1);
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('the bounds of a JSON body', () => {
  const parsed = (text: string) => {
    try {
      return parseJson(Buffer.from(text));
    } catch (error) {
      const { kind, message } = error as UpstreamError;
      return `${kind}: ${message}`;
    }
  };
  const nested = (depth: number, [open = '', close = ''] = ['[', ']']) =>
    open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth);

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('are 32 levels of %s', (...brackets) => {
    expect(parsed(nested(32, brackets))).toBeInstanceOf(Object);
    expect(parsed(nested(33, brackets))).toBe('invalid: the response is nested over 32 deep');
  });

  it('are a hundred thousand values', () => {
    expect(parsed(`[${Array(100_000).fill('1').join()}]`)).toHaveLength(100_000);
    expect(parsed(`[${Array(100_001).fill('1').join()}]`)).toBe(
      'invalid: the response holds over 100000 values',
    );
  });

  it.each([
    ['neighbours', Array(40).fill([{}])],
    ['brackets in strings', [`${'['.repeat(40)}`, '{'.repeat(40), '"[{'.repeat(40), '\\"['.repeat(40)]],
    ['commas in strings', [','.repeat(100_001), '\\', '\\"']],
  ])('do not count %s', (_, value) => {
    expect(parsed(JSON.stringify(value))).toEqual(value);
  });

  it.each(['"', '"\\', '["a', '"\\"'])('are of no account to a string without an end: %s', (text) => {
    expect(parsed(text)).toBe(`invalid: the response of ${text.length} bytes is not JSON`);
  });
});

describe('the check of a body', () => {
  const faults = (body: unknown) => {
    try {
      return parseBody(z.object({ a: z.array(z.object({ n: z.number() })) }), body);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('names the first three faults by their places', () => {
    expect(faults(1)).toBe('the response is invalid: body (invalid_type)');
    expect(faults({ a: Array(5).fill({ n: '' }) })).toBe(
      'the response is invalid: a.0.n (invalid_type), a.1.n (invalid_type), a.2.n (invalid_type)',
    );
  });

  it('reads only the first elements of an array', () => {
    const list = arrayOf(z.number(), 2);
    expect(parseBody(list, [1, 2, 'x'])).toEqual([1, 2]);
    expect(parseBody(list, [1])).toEqual([1]);
    expect(() => parseBody(list, 'text')).toThrow('body (invalid_type)');
  });
});

describe('a redirect', () => {
  it.each(['http://127.0.0.1:1/elsewhere', '/x2'])('to %s is not followed', async (location) => {
    stub.route('/x', answer('', 302, { location }));
    stub.route('/x2', answer({ n: 1 }));
    expect(await errorOf(open().send(request, soon()))).toMatchObject({
      kind: 'redirect',
      message: 'status 302, not followed',
    });
    expect(stub.requests).toHaveLength(1);
  });
});

describe('retries', () => {
  it('come twice on a 5xx', async () => {
    stub.route('/x', answer('', 503));
    const error = await errorOf(open().send(request, soon()));
    expect(error).toMatchObject({ kind: 'status', message: 'status 503' });
    expect(stub.requests).toHaveLength(3);
  });

  it('come on a broken connection, and may succeed', async () => {
    let asked = 0;
    stub.route('/x', (_, response) => {
      if (++asked < 3) response.socket?.destroy();
      else response.end('{"n":7}');
    });
    expect(await open().send(request, soon())).toEqual({ n: 7 });
  });

  it('come on an answer that breaks off in the middle', async () => {
    let asked = 0;
    stub.route('/x', (_, response) => {
      if (++asked > 1) return void response.end('{"n":8}');
      response.writeHead(200, { 'content-length': '100' }).write('{"n":');
      setTimeout(() => response.socket?.end(), 20);
    });
    expect(await open().send(request, soon())).toEqual({ n: 8 });
  });

  it.each([400, 401, 403, 404, 418, 429])('do not come on a %i', async (status) => {
    stub.route('/x', answer({ error: 'no' }, status));
    await errorOf(open().send(request, soon()));
    expect(stub.requests).toHaveLength(1);
  });
});

describe('time', () => {
  it('ends for an upstream that never answers', async () => {
    stub.route('/x', () => undefined);
    const started = performance.now();
    const error = await errorOf(open().send(request, AbortSignal.timeout(200)));
    expect(error.kind).toBe('timeout');
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('ends for an upstream that trickles', async () => {
    stub.route('/x', (_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect((await errorOf(open().send(request, AbortSignal.timeout(200)))).kind).toBe('timeout');
  });

  it('ends for a server that accepts and says nothing', async () => {
    const silent = createTcpServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address() as import('node:net').AddressInfo;
    const upstream = open({ baseUrl: `http://127.0.0.1:${address.port}` });
    expect((await errorOf(upstream.send(request, AbortSignal.timeout(200)))).kind).toBe('timeout');
    silent.close();
  });

  it('is not wasted on a closed port', async () => {
    const { url } = stub;
    await stub.close();
    const error = await errorOf(open({ baseUrl: url }).send(request, soon()));
    expect(error).toMatchObject({ kind: 'unreachable', message: 'could not be reached (ECONNREFUSED)' });
    stub = await httpStub();
  });
});

describe('the circuit', () => {
  it('opens after five errors in a row, lets one try later, and closes when it goes well', async () => {
    const started = performance.now();
    stub.route('/x', answer('', 400));
    const states: string[][] = [];
    const outcomes: unknown[][] = [];
    const observer = {
      requested: (...outcome: unknown[]) => void outcomes.push(outcome),
      circuit: (...state: string[]) => void states.push(state),
    };
    const upstream = open({ circuitMs: 300, observer });
    for (let n = 0; n < 5; n++) {
      expect((await errorOf(upstream.send(request, soon()))).kind).toBe('status');
    }
    const refused = await errorOf(upstream.send(request, soon()));
    expect(refused).toMatchObject({ kind: 'open-circuit', message: 'it failed too often' });
    expect(refused.coolDownMs).toBeGreaterThan(0);
    expect(refused.coolDownMs).toBeLessThanOrEqual(300);
    expect(stub.requests).toHaveLength(5);
    stub.route('/x', answer({ n: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(await upstream.send(request, soon())).toEqual({ n: 1 });
    expect(states).toEqual([
      ['stub', 'open'],
      ['stub', 'half-open'],
      ['stub', 'closed'],
    ]);
    expect(outcomes.map(([name, kind]) => `${name} ${kind}`)).toEqual([
      ...Array(5).fill('stub status'),
      'stub open-circuit',
      'stub answered',
    ]);
    for (const [, , milliseconds] of outcomes) {
      expect(milliseconds).toBeGreaterThan(0);
      expect(milliseconds).toBeLessThan(performance.now() - started);
    }
  });

  it('is open for its time and no longer where the clock is set back', async () => {
    stub.route('/x', answer('', 400));
    const upstream = open({ circuitMs: 200 });
    for (let n = 0; n < 5; n++) await errorOf(upstream.send(request, soon()));
    stub.route('/x', answer({ n: 1 }));
    const now = Date.now;
    const clockSetBack = vi.spyOn(Date, 'now').mockImplementation(() => now() - 30 * 86_400_000);
    try {
      expect((await errorOf(upstream.send(request, soon()))).kind).toBe('open-circuit');
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(await upstream.send(request, soon())).toEqual({ n: 1 });
    } finally {
      clockSetBack.mockRestore();
    }
  });

  it('stays open where the one that it lets try fails, until the next may', async () => {
    stub.route('/x', answer('', 400));
    const own = movableClock('2026-11-21T06:00:00Z');
    const upstream = open({ circuitMs: 10_000, now: () => own.clock().getTime() });
    const kindOf = async () => (await errorOf(upstream.send(request, soon()))).kind;
    for (let n = 0; n < 5; n++) await kindOf();
    for (let round = 0; round < 2; round++) {
      own.pass(9);
      expect(await kindOf()).toBe('open-circuit');
      own.pass(1);
      expect([await kindOf(), await kindOf()]).toEqual(['status', 'open-circuit']);
    }
    stub.route('/x', answer({ n: 1 }));
    own.pass(10);
    expect(await upstream.send(request, soon())).toEqual({ n: 1 });
  });

  it('stays closed when answers come in between', async () => {
    const upstream = open();
    for (let n = 0; n < 12; n++) {
      stub.route('/x', n % 4 === 3 ? answer({ n }) : answer('', 400));
      await upstream.send(request, soon()).catch(() => undefined);
    }
    expect(stub.requests).toHaveLength(12);
  });
});

describe('a 429 with retry-after', () => {
  it.each([
    ['120', 120],
    ['Sat, 21 Nov 2026 06:02:00 GMT', 120],
  ])('%s starts a cool-down that long', async (retryAfter, seconds) => {
    const own = movableClock('2026-11-21T06:00:00Z');
    stub.route('/x', answer('', 429, { 'retry-after': retryAfter }));
    const upstream = open({ clock: own.clock, now: () => own.clock().getTime() });
    expect(await errorOf(upstream.send(request, soon()))).toMatchObject({
      kind: 'limited',
      message: 'status 429',
      coolDownMs: seconds * 1_000,
    });
    stub.route('/x', answer({ n: 1 }));
    own.pass(seconds - 1);
    expect(await errorOf(upstream.send(request, soon()))).toMatchObject({
      message: 'it asked for a cool-down',
      coolDownMs: 1_000,
    });
    expect(stub.requests).toHaveLength(1);
    own.pass(2);
    expect(await upstream.send(request, soon())).toEqual({ n: 1 });
  });

  it('of a year is not waited for', async () => {
    stub.route('/x', answer('', 429, { 'retry-after': '31536000' }));
    const upstream = open({ now: () => clock().getTime() });
    await errorOf(upstream.send(request, soon()));
    stub.route('/x', answer({ n: 1 }));
    pass(901);
    expect(await upstream.send(request, soon())).toEqual({ n: 1 });
  });
});

describe('a cool-down', () => {
  it('holds for the requests too that were waiting when it began', async () => {
    stub.route('/x', answer('', 429, { 'retry-after': '60' }));
    const upstream = open({ atOnce: 2 });
    const calls = Array.from({ length: 10 }, () => errorOf(upstream.send(request, soon())));
    expect((await Promise.all(calls)).every(({ kind }) => kind === 'limited')).toBe(true);
    expect(stub.requests.length).toBeLessThanOrEqual(2);
  });

  it('is not prolonged by a clock that is set back', async () => {
    stub.route('/x', answer('', 429, { 'retry-after': '1' }));
    const own = movableClock('2026-11-21T06:00:00Z');
    const upstream = open({ clock: own.clock });
    await errorOf(upstream.send(request, soon()));
    own.pass(-30 * 24 * 3600);
    stub.route('/x', answer({ n: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await upstream.send(request, soon())).toEqual({ n: 1 });
  });
});

describe('the semaphore', () => {
  it('lets no more than the set number through at once, and refuses who would wait too far back', async () => {
    let now = 0;
    let most = 0;
    stub.route('/x', async (_, response) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 30));
      now--;
      response.end('{"n":1}');
    });
    const upstream = open({ atOnce: 2, waiting: 3 });
    const asked = await Promise.allSettled(Array.from({ length: 7 }, () => upstream.send(request, soon())));
    expect(most).toBe(2);
    const refused = asked.filter((one) => one.status === 'rejected');
    const busy = new UpstreamError('busy', 'too many requests wait for it');
    expect(refused.map(({ reason }) => reason)).toEqual([busy, busy]);
  });

  it('lets four through where nothing is set, each of which may give two mebibytes', async () => {
    const held: import('node:http').ServerResponse[] = [];
    stub.route('/x', (_, response) => void held.push(response));
    const upstream = open();
    const all = Array.from({ length: 5 }, () => upstream.send(request, soon()));
    const holding = (count: number) =>
      vi.waitFor(() => expect(held).toHaveLength(count), { timeout: 10_000 });
    const padded = (size: number) => `{"n":1${' '.repeat(size - 7)}}`;
    await holding(4);
    for (const [at, response] of held.entries()) response.end(padded(at === 0 ? 2 ** 21 : 7));
    await holding(5);
    held[4]?.end(padded(2 ** 21 + 1));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(4).fill('fulfilled'), 'rejected']);
  });
});

describe('the queue', () => {
  it('takes 120 different requests at once', async () => {
    stub.route('/x', async (_, response) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.end('{"n":1}');
    });
    const upstream = open();
    const all = Array.from({ length: 120 }, (_, q) =>
      upstream.send({ ...request, query: { q } }, AbortSignal.timeout(60_000)),
    );
    expect(await Promise.all(all)).toHaveLength(120);
  });
});

describe('an upstream that stalls', () => {
  it('holds no one up who waits for the one request that an open circuit lets through', async () => {
    stub.route('/x', answer('', 400));
    const upstream = open({ circuitMs: 50 });
    for (let n = 0; n < 5; n++) await errorOf(upstream.send(request, soon()));
    await new Promise((resolve) => setTimeout(resolve, 80));
    stub.route('/x', () => undefined);
    const leaving = new AbortController();
    let settled = false;
    const first = errorOf(upstream.send(request, leaving.signal)).finally(() => {
      settled = true;
    });
    expect((await errorOf(upstream.send(request, AbortSignal.timeout(100)))).kind).toBe('timeout');
    expect(settled).toBe(false);
    leaving.abort();
    await first;
  });

  it('leaves no call without an outcome, and answers again once it is well', async () => {
    stub.route('/x', () => undefined);
    const upstream = open({ atOnce: 4, waiting: 64, circuitMs: 100 });
    const calls = Array.from({ length: 40 }, () => errorOf(upstream.send(request, AbortSignal.timeout(300))));
    const outcomes = await Promise.race([
      Promise.all(calls).then((errors) => errors.map(({ kind }) => kind)),
      new Promise<string[]>((resolve) => setTimeout(resolve, 20_000, ['some calls never settled'])),
    ]);
    expect(outcomes).toHaveLength(40);
    // The circuit may open just before the last of them time out.
    expect(outcomes.filter((kind) => kind !== 'timeout' && kind !== 'open-circuit')).toEqual([]);
    stub.route('/x', answer({ n: 5 }));
    const again = await vi.waitFor(() => upstream.send(request, soon()), { timeout: 3_000 });
    expect(again).toEqual({ n: 5 });
  });
});

describe('an error', () => {
  it.each([
    ['a status', answer('', 400)],
    ['a redirect', answer('', 302, { location: '/elsewhere?key=HIDDEN' })],
    ['another shape', answer({ n: 'HIDDEN' })],
    [
      'what is not HTTP',
      (_: unknown, response: import('node:http').ServerResponse) => {
        response.socket?.end('HIDDEN HIDDEN\r\n\r\n');
      },
    ],
  ])('for %s holds nothing that was asked for, nor a key, nor what came', async (_, handler) => {
    stub.route('/x', handler);
    const error = await errorOf(
      open().send({ ...request, query: { q: 'HIDDEN', key: 'HIDDEN' }, headers: { key: 'HIDDEN' } }, soon()),
    );
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain('HIDDEN');
    expect(stub.requests).toHaveLength(1);
  });
});

describe('a compressed response', () => {
  it('is decompressed, and its limit counts bytes after that', async () => {
    stub.route('/x', (_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(`{"n":3${' '.repeat(50_000)}}`));
    });
    expect(await open().send(request, soon())).toEqual({ n: 3 });
    expect((await errorOf(open({ maxBytes: 10_000 }).send(request, soon()))).kind).toBe('too-large');
  });
});

it('is not asked again at once where it wants to be left alone', async () => {
  stub.route('/x', (_, response) => void response.writeHead(503, { 'retry-after': '7' }).end());
  const upstream = open();
  expect(await errorOf(upstream.send(request, soon()))).toMatchObject({ kind: 'status', coolDownMs: 7_000 });
  expect(stub.requests).toHaveLength(1);
  expect((await errorOf(upstream.send(request, soon()))).kind).toBe('limited');
  expect(stub.requests).toHaveLength(1);
});
