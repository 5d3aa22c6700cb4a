import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { HttpError } from '../../../src/http/errors.js';
import { withinDeadline } from '../../../src/relay/deadline.js';
import { fixed } from '../../../src/relay/fixed.js';
import { createRelay, type RelayOptions } from '../../../src/relay/relay.js';
import { relayReply } from '../../../src/relay/relay-reply.js';
import { openUpstream } from '../../../src/relay/upstream.js';
import { UpstreamError } from '../../../src/relay/upstream-error.js';
import { answer, httpStub } from '../../support/http-stub.js';
import { logLines, movableClock, openMemory } from '../utilities/support.js';

const fails = async () => {
  throw new UpstreamError('unreachable', 'could not be reached (ECONNREFUSED)');
};

function set(options: Partial<RelayOptions> = {}) {
  const time = movableClock('2026-11-21T06:00:00Z');
  const cache = openMemory();
  const { log, lines } = logLines();
  const relay = createRelay<string>(
    { clock: time.clock, cache, log },
    {
      name: 'test',
      unavailable: 'nothing there',
      freshSeconds: 10,
      staleSeconds: 60,
      shared: true,
      ...options,
    },
  );
  return { ...time, cache, lines, relay };
}

describe('a relay', () => {
  it('answers from its copy while that is fresh', async () => {
    const { relay, pass } = set();
    expect(await relay.fetch(['k'], async () => 'one')).toMatchObject({ value: 'one', ageSeconds: 0 });
    pass(9);
    const kept = await relay.fetch(['k'], async () => 'two');
    expect(kept).toMatchObject({ value: 'one', ageSeconds: 9, cacheControl: 'public, max-age=10' });
    pass(1);
    expect(await relay.fetch(['k'], async () => 'two')).toMatchObject({ value: 'two', ageSeconds: 0 });
  });

  it('takes no copy for fresh that was fetched before the clock was set back', async () => {
    const { relay, pass } = set();
    await relay.fetch(['k'], async () => 'one');
    pass(-30 * 86_400);
    expect(await relay.fetch(['k'], async () => 'two')).toMatchObject({ value: 'two', ageSeconds: 0 });
  });

  it.each([
    [59, 'one'],
    [60, 'two'],
  ])('takes a copy from %i s ahead, as clocks differ, for what it is', async (ahead, value) => {
    const { relay, pass } = set();
    await relay.fetch(['k'], async () => 'one');
    pass(-ahead);
    expect(await relay.fetch(['k'], async () => 'two')).toMatchObject({ value, ageSeconds: 0 });
  });

  it.each([
    [10, 60],
    [60, 10],
  ])('keeps copies for as long as they are of use: fresh for %i s, stale for %i s', async (fresh, stale) => {
    const kept: (number | undefined)[] = [];
    const cache = {
      get: async () => undefined,
      set: async (_: string, _bytes: Uint8Array, s: number) => void kept.push(s),
    };
    const { clock } = movableClock('2026-11-21T06:00:00Z');
    const options = {
      name: 'test',
      unavailable: '',
      freshSeconds: fresh,
      staleSeconds: stale,
      shared: false,
    };
    const relay = createRelay<string>({ clock, cache, log: logLines().log }, options);
    const { cacheControl } = await relay.fetch(['k'], async () => 'one');
    expect(kept).toEqual([60]);
    expect(cacheControl).toBe(`private, max-age=${fresh}`);
  });

  it('keeps different questions apart', async () => {
    const { relay } = set();
    await relay.fetch(['a', 'b'], async () => 'one');
    expect((await relay.fetch(['a,b'], async () => 'two')).value).toBe('two');
    expect((await relay.fetch(['a', undefined, 'b'], async () => 'three')).value).toBe('three');
  });

  it('lets those who ask the same at once share one fetch', async () => {
    const { relay } = set();
    let asked = 0;
    const load = async () => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return `answer ${asked}`;
    };
    const answers = await Promise.all(Array.from({ length: 50 }, () => relay.fetch(['k'], load)));
    expect(asked).toBe(1);
    expect(new Set(answers.map(({ value }) => value))).toEqual(new Set(['answer 1']));
  });

  it('shares a failure too, and asks again afterwards', async () => {
    const { relay } = set();
    let asked = 0;
    const load = async () => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return fails();
    };
    await Promise.allSettled([relay.fetch(['k'], load), relay.fetch(['k'], load)]);
    expect(asked).toBe(1);
    expect((await relay.fetch(['k'], async () => 'back')).value).toBe('back');
  });

  it('answers a stale copy when the upstream fails, up to its limit, and logs why', async () => {
    const { relay, pass, lines } = set();
    await relay.fetch(['k'], async () => 'old');
    pass(60);
    expect(await relay.fetch(['k'], fails)).toMatchObject({ value: 'old', ageSeconds: 60 });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        relay: 'test',
        kind: 'unreachable',
        reason: 'could not be reached (ECONNREFUSED)',
        age: 60,
        msg: 'upstream failed: a stale copy is served',
      }),
    ]);
    pass(1);
    await expect(relay.fetch(['k'], fails)).rejects.toMatchObject({ status: 502, message: 'nothing there' });
  });

  it('is a 502 whose cause is for the log, when nothing can answer', async () => {
    const { relay } = set();
    const error = await relay.fetch(['k'], fails).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect((error as HttpError).cause).toBeInstanceOf(UpstreamError);
  });

  it('says when to ask again where the upstream is left alone', async () => {
    const { relay } = set();
    const rests = async () => {
      throw new UpstreamError('limited', 'status 429', { coolDownMs: 89_001 });
    };
    await expect(relay.fetch(['k'], rests)).rejects.toMatchObject({ headers: { 'retry-after': '90' } });
    await expect(relay.fetch(['k'], fails)).rejects.toMatchObject({ headers: {} });
  });

  it('answers a stale copy where the upstream hangs, and keeps what it gives in the end', async () => {
    const { relay, pass } = set({ patienceMs: 50, deadlineMs: 60_000 });
    await relay.fetch(['k'], async () => 'old');
    pass(30);
    let give = (_: string) => {};
    const hangs = () =>
      new Promise<string>((resolve) => {
        give = resolve;
      });
    const started = performance.now();
    expect((await relay.fetch(['k'], hangs)).value).toBe('old');
    expect(performance.now() - started).toBeLessThan(20_000);
    give('new');
    await vi.waitFor(async () => expect((await relay.fetch(['k'], fails)).value).toBe('new'));
  });

  it('waits for a hanging upstream no longer than two seconds where there is a stale copy', async () => {
    const { relay, pass } = set({ deadlineMs: 60_000 });
    await relay.fetch(['k'], async () => 'old');
    pass(30);
    const started = performance.now();
    expect((await relay.fetch(['k'], () => new Promise<string>(() => undefined))).value).toBe('old');
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('leaves errors that are not the upstream’s as they are, and keeps none', async () => {
    const { relay, cache, pass } = set();
    const refused = new HttpError(400, 'no such language');
    const refuse = async () => {
      throw refused;
    };
    await expect(relay.fetch(['k'], refuse)).rejects.toBe(refused);
    expect(cache.keys()).toEqual([]);
    await relay.fetch(['k'], async () => 'stale');
    pass(30);
    await expect(relay.fetch(['k'], refuse)).rejects.toBe(refused);
  });

  it('hashes what was asked', async () => {
    const { relay, cache } = set();
    await relay.fetch(['48.2081', '16.3743'], async () => 'x');
    expect(cache.keys()).toHaveLength(1);
    expect(cache.keys()[0]).toMatch(/^relay:test:[\w-]{43}$/);
  });

  it.each(['{"value"', 'null', '1', '{}', '{"fetchedAt":1}', '{"value":1}', '{"value":1,"fetchedAt":"1"}'])(
    'takes a copy that can not be read for none: %s',
    async (copy) => {
      const { relay, cache } = set();
      await relay.fetch(['k'], async () => 'one');
      await cache.set(cache.keys()[0] ?? '', Buffer.from(copy), 10);
      expect((await relay.fetch(['k'], async () => 'two')).value).toBe('two');
    },
  );

  it('lets a load listen for its deadline many times', async () => {
    const warned = vi.spyOn(process, 'emitWarning');
    const { relay } = set();
    await relay.fetch(['k'], async (signal) => {
      for (let count = 0; count < 20; count++) signal.addEventListener('abort', () => undefined);
      return 'one';
    });
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('ends a load at its deadline', async () => {
    const { relay } = set({ deadlineMs: 50 });
    const load = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => reject(new UpstreamError('timeout', 'late')));
      });
    await expect(relay.fetch(['k'], load)).rejects.toMatchObject({ status: 502 });
  });

  it('ends a load that takes no notice of its deadline too, and loads anew afterwards', async () => {
    const { relay } = set({ deadlineMs: 50 });
    const never = () => new Promise<string>(() => undefined);
    await expect(relay.fetch(['k'], never)).rejects.toMatchObject({ status: 502 });
    expect((await relay.fetch(['k'], async () => 'back')).value).toBe('back');
  });

  it('gives everyone who waits for a stalled upstream an outcome, and serves again once it is well', async () => {
    const stub = await httpStub({ '/x': () => undefined });
    const { relay, clock } = set({ deadlineMs: 300 });
    const upstream = openUpstream({ name: 'stub', baseUrl: stub.url, clock, circuitMs: 100 });
    const load = (signal: AbortSignal) =>
      upstream.send({ path: '/x', parse: ({ body }) => String(body) }, signal);
    const started = performance.now();
    const keys = Array.from({ length: 40 }, (_, index) => [index]);
    const outcomes = await Promise.allSettled(keys.map((key) => relay.fetch(key, load)));
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true);
    stub.route('/x', answer('"well"'));
    // The circuit lets a request through once it has been open for its time.
    await vi.waitFor(() => relay.fetch(['first'], load), { timeout: 3_000 });
    // On a busy machine the last requests of before fail only now, and may open it again.
    for (const key of keys) {
      const copy = await vi.waitFor(() => relay.fetch(key, load), { timeout: 3_000 });
      expect(copy.value).toBe('well');
    }
    await stub.close();
  });
});

describe('a deadline', () => {
  const never = new Promise<never>(() => undefined);

  it('that has passed ends work at once', async () => {
    await expect(withinDeadline(AbortSignal.abort(), never)).rejects.toMatchObject({
      kind: 'timeout',
      message: 'no response within the time limit',
    });
  });

  it('is not listened for after the work has ended', async () => {
    const { signal } = new AbortController();
    expect(await withinDeadline(signal, Promise.resolve('done'))).toBe('done');
    await expect(withinDeadline(signal, fails())).rejects.toMatchObject({ kind: 'unreachable' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

it('a reply has the age of what was relayed', () => {
  expect(relayReply({ ageSeconds: 7, cacheControl: 'private, max-age=9' }, { a: 1 })).toMatchObject({
    validity: { cacheControl: 'private, max-age=9' },
    headers: ['age', '7'],
    content: { body: Buffer.from('{"a":1}') },
  });
});

it.each([
  [-0.001, 2, '0.00'],
  [-0, 0, '0'],
  [0, 1, '0.0'],
  [-1.25, 1, '-1.3'],
  [16.3743, 3, '16.374'],
])('%d has %i decimals as %s', (value, decimals, text) => {
  expect(fixed(value, decimals)).toBe(text);
});
