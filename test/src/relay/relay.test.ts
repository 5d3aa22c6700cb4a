import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/http/errors.js';
import { createRelay, type RelayOptions } from '../../../src/relay/relay.js';
import { UpstreamFault } from '../../../src/relay/upstream-error.js';
import { logLines, movableClock, openMemory } from '../utilities/support.js';

const fails = async () => {
  throw new UpstreamFault('unreachable', 'connection fault: ECONNREFUSED');
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
    expect(lines.join()).toContain('ECONNREFUSED');
    pass(1);
    await expect(relay.fetch(['k'], fails)).rejects.toMatchObject({ status: 502, message: 'nothing there' });
  });

  it('is a 502 whose cause is for the log, when nothing can answer', async () => {
    const { relay } = set();
    const error = await relay.fetch(['k'], fails).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect((error as HttpError).cause).toBeInstanceOf(UpstreamFault);
  });

  it('leaves errors that are not the upstream’s as they are, and keeps none', async () => {
    const { relay, cache } = set();
    const refused = new HttpError(400, 'no such language');
    const refuse = async () => {
      throw refused;
    };
    await expect(relay.fetch(['k'], refuse)).rejects.toBe(refused);
    expect(cache.keys()).toEqual([]);
  });

  it('hashes what was asked', async () => {
    const { relay, cache } = set();
    await relay.fetch(['48.2081', '16.3743'], async () => 'x');
    expect(cache.keys()).toHaveLength(1);
    expect(cache.keys()[0]).toMatch(/^relay:test:[\w-]{43}$/);
  });

  it('takes a copy that can not be read for none', async () => {
    const { relay, cache } = set();
    await relay.fetch(['k'], async () => 'one');
    await cache.set(cache.keys()[0] ?? '', Buffer.from('{"value"'), 10);
    expect((await relay.fetch(['k'], async () => 'two')).value).toBe('two');
  });

  it('ends a load at its deadline', async () => {
    const { relay } = set({ deadlineMs: 50 });
    const load = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => reject(new UpstreamFault('timeout', 'late')));
      });
    await expect(relay.fetch(['k'], load)).rejects.toMatchObject({ status: 502 });
  });
});
