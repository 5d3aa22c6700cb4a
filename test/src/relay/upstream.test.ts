import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fit } from '../../../src/relay/parse-body.js';
import { openUpstream, type UpstreamOptions } from '../../../src/relay/upstream.js';
import { UpstreamFault } from '../../../src/relay/upstream-error.js';
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
const soon = () => AbortSignal.timeout(5_000);
const question = {
  path: '/x',
  read: ({ body }: { body: unknown }) => fit(z.object({ n: z.number() }), body),
};

async function faultOf(work: Promise<unknown>): Promise<UpstreamFault> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof UpstreamFault)) throw new Error(`no upstream fault: ${String(thrown)}`);
  return thrown;
}

describe('an answer', () => {
  it('is read by the question', async () => {
    stub.route('/x', answer({ n: 4 }));
    expect(await open().ask({ ...question, query: { a: 'ü&b', none: undefined } }, soon())).toEqual({ n: 4 });
    expect(stub.requests[0]?.query.toString()).toBe('a=%C3%BC%26b');
    expect(stub.requests[0]?.headers['user-agent']).toContain('almanac');
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
  ])('%s is a misfit, asked once and told without its text', async (_, handler, told) => {
    stub.route('/x', handler);
    const fault = await faultOf(open().ask(question, soon()));
    expect(fault.kind).toBe('misfit');
    expect(fault.message).toContain(told);
    expect(fault.message).not.toContain('SECRET');
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
    const fault = await faultOf(open({ maxBytes: 50_000 }).ask(question, soon()));
    expect(fault.kind).toBe('too-large');
    expect(stub.requests).toHaveLength(1);
    expect(sent).toBeLessThan(20_000_000);
  });
});

describe('a redirect', () => {
  it.each(['http://127.0.0.1:1/elsewhere', '/x2'])('to %s is not followed', async (location) => {
    stub.route('/x', answer('', 302, { location }));
    stub.route('/x2', answer({ n: 1 }));
    expect((await faultOf(open().ask(question, soon()))).kind).toBe('redirect');
    expect(stub.requests).toHaveLength(1);
  });
});

describe('retries', () => {
  it('come twice on a 5xx', async () => {
    stub.route('/x', answer('', 503));
    const fault = await faultOf(open().ask(question, soon()));
    expect(fault).toMatchObject({ kind: 'status', message: 'status 503' });
    expect(stub.requests).toHaveLength(3);
  });

  it('come on a broken connection, and may succeed', async () => {
    let asked = 0;
    stub.route('/x', (_, response) => {
      if (++asked < 3) response.socket?.destroy();
      else response.end('{"n":7}');
    });
    expect(await open().ask(question, soon())).toEqual({ n: 7 });
  });

  it('come on an answer that breaks off in the middle', async () => {
    let asked = 0;
    stub.route('/x', (_, response) => {
      if (++asked > 1) return void response.end('{"n":8}');
      response.writeHead(200, { 'content-length': '100' }).write('{"n":');
      setTimeout(() => response.socket?.end(), 20);
    });
    expect(await open().ask(question, soon())).toEqual({ n: 8 });
  });

  it.each([400, 401, 403, 404, 418, 429])('do not come on a %i', async (status) => {
    stub.route('/x', answer({ error: 'no' }, status));
    await faultOf(open().ask(question, soon()));
    expect(stub.requests).toHaveLength(1);
  });
});

describe('time', () => {
  it('ends for an upstream that never answers', async () => {
    stub.route('/x', () => undefined);
    const started = performance.now();
    const fault = await faultOf(open().ask(question, AbortSignal.timeout(200)));
    expect(fault.kind).toBe('timeout');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('ends for an upstream that trickles', async () => {
    stub.route('/x', (_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect((await faultOf(open().ask(question, AbortSignal.timeout(200)))).kind).toBe('timeout');
  });

  it('ends for a server that accepts and says nothing', async () => {
    const silent = createTcpServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address() as import('node:net').AddressInfo;
    const upstream = open({ baseUrl: `http://127.0.0.1:${address.port}` });
    expect((await faultOf(upstream.ask(question, AbortSignal.timeout(200)))).kind).toBe('timeout');
    silent.close();
  });

  it('is not wasted on a closed port', async () => {
    const { url } = stub;
    await stub.close();
    const fault = await faultOf(open({ baseUrl: url }).ask(question, soon()));
    expect(fault).toMatchObject({ kind: 'unreachable', message: 'connection fault: ECONNREFUSED' });
    stub = await httpStub();
  });
});

describe('the circuit', () => {
  it('opens after five faults in a row, lets one try later, and closes when it goes well', async () => {
    stub.route('/x', answer('', 400));
    const states: string[] = [];
    const observer = { asked: () => undefined, circuit: (_: string, state: string) => states.push(state) };
    const upstream = open({ circuitMs: 300, observer });
    for (let n = 0; n < 5; n++) {
      expect((await faultOf(upstream.ask(question, soon()))).kind).toBe('status');
    }
    expect((await faultOf(upstream.ask(question, soon()))).kind).toBe('open-circuit');
    expect(stub.requests).toHaveLength(5);
    stub.route('/x', answer({ n: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 350));
    expect(await upstream.ask(question, soon())).toEqual({ n: 1 });
    expect(states).toEqual(['open', 'half-open', 'closed']);
  });

  it('stays closed when answers come in between', async () => {
    const upstream = open();
    for (let n = 0; n < 12; n++) {
      stub.route('/x', n % 4 === 3 ? answer({ n }) : answer('', 400));
      await upstream.ask(question, soon()).catch(() => undefined);
    }
    expect(stub.requests).toHaveLength(12);
  });
});

describe('a 429 with retry-after', () => {
  it.each([
    ['120', 120],
    ['Sat, 21 Nov 2026 06:02:00 GMT', 120],
  ])('%s gives the upstream its rest', async (retryAfter, seconds) => {
    const own = movableClock('2026-11-21T06:00:00Z');
    stub.route('/x', answer('', 429, { 'retry-after': retryAfter }));
    const upstream = open({ clock: own.clock });
    expect(await faultOf(upstream.ask(question, soon()))).toMatchObject({
      kind: 'limited',
      restSeconds: seconds,
    });
    stub.route('/x', answer({ n: 1 }));
    own.pass(seconds - 1);
    expect((await faultOf(upstream.ask(question, soon()))).message).toBe('it asked for a rest');
    expect(stub.requests).toHaveLength(1);
    own.pass(2);
    expect(await upstream.ask(question, soon())).toEqual({ n: 1 });
  });

  it('of a year is not waited for', async () => {
    stub.route('/x', answer('', 429, { 'retry-after': '31536000' }));
    const upstream = open();
    await faultOf(upstream.ask(question, soon()));
    stub.route('/x', answer({ n: 1 }));
    pass(901);
    expect(await upstream.ask(question, soon())).toEqual({ n: 1 });
  });
});

describe('the bulkhead', () => {
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
    const asked = await Promise.allSettled(Array.from({ length: 7 }, () => upstream.ask(question, soon())));
    expect(most).toBe(2);
    const refused = asked.filter((one) => one.status === 'rejected');
    expect(refused.map((one) => (one.reason as UpstreamFault).kind)).toEqual(['busy', 'busy']);
  });
});
