import { getEventListeners } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { HttpError } from '../../../src/http/errors.js';
import { createRelay, type RelayOptions, relayReply } from '../../../src/relay/relay.js';
import { UpstreamError, withinDeadline } from '../../../src/relay/upstream-error.js';
import { fixed } from '../../../src/relay/upstream-request.js';
import { event } from '../../support/event.js';
import { logLines, movableClock, openMemory } from '../utilities/support.js';

type Load = (signal: AbortSignal) => Promise<string>;

const fails: Load = async () => {
  throw new UpstreamError('unreachable', 'could not be reached (ECONNREFUSED)');
};
const never: Load = () => new Promise(() => undefined);
function gives(value: string): Load {
  return async () => value;
}

const STANDARD = {
  ...{ name: 'test', unavailable: 'nothing there' },
  ...{ freshSeconds: 10, staleSeconds: 60, shared: true },
};

function set(options: Partial<RelayOptions> = {}) {
  const { clock, pass } = movableClock('2026-11-21T06:00:00Z');
  const cache = openMemory();
  const { log, lines } = logLines();
  const relay = createRelay<string>({ clock, cache, log }, { ...STANDARD, ...options });
  /** What is given for one question. */
  const fetch = (load: Load) => relay.fetch(['k'], load);
  return { fetch, pass, cache, lines, relay };
}

it('a relay gives its copy while that is fresh', async () => {
  const { fetch, pass } = set();
  expect(await fetch(gives('one'))).toMatchObject({ value: 'one', ageSeconds: 0 });
  pass(9);
  const kept = { value: 'one', ageSeconds: 9, cacheControl: 'public, max-age=10' };
  expect(await fetch(gives('two'))).toMatchObject(kept);
  pass(1);
  expect(await fetch(gives('two'))).toMatchObject({ value: 'two', ageSeconds: 0 });
});

it.each([
  [59, 'one'],
  [60, 'two'],
  [30 * 86_400, 'two'],
])('a relay takes a copy from %i s ahead, as clocks differ, for: %s', async (ahead, value) => {
  const { fetch, pass } = set();
  await fetch(gives('one'));
  pass(-ahead);
  expect(await fetch(gives('two'))).toMatchObject({ value, ageSeconds: 0 });
});

it.each([
  [10, 60],
  [60, 10],
])('a relay keeps for 60 s what is fresh for %i s and stale for %i s', async (fresh, stale) => {
  const { cache, fetch } = set({ freshSeconds: fresh, staleSeconds: stale, shared: false });
  const kept = vi.spyOn(cache, 'set');
  expect(await fetch(gives('one'))).toMatchObject({ cacheControl: `private, max-age=${fresh}` });
  expect(kept.mock.calls.map(([, , seconds]) => seconds)).toEqual([60]);
});

it('a relay keeps different questions apart, by a hash', async () => {
  const { relay, cache } = set();
  for (const [question, value] of [
    [['a', 'b'], 'one'],
    [['a,b'], 'two'],
    [['a', undefined, 'b'], 'three'],
  ] as const)
    expect((await relay.fetch(question, gives(value))).value).toBe(value);
  expect(cache.keys()).toEqual(Array(3).fill(expect.stringMatching(/^relay:test:[\w-]{43}$/)));
});

it('a relay lets those who ask the same at once share one fetch, or its failure', async () => {
  const { fetch } = set();
  const load = vi.fn(fails);
  await Promise.allSettled([fetch(load), fetch(load)]);
  expect(load).toHaveBeenCalledTimes(1);
  load.mockImplementation(gives('back'));
  const copies = await Promise.all(Array.from({ length: 50 }, () => fetch(load)));
  expect(new Set(copies.map(({ value }) => value))).toEqual(new Set(['back']));
  expect(load).toHaveBeenCalledTimes(2);
});

it('a relay gives a stale copy when the upstream fails, up to its limit, and logs why', async () => {
  const { fetch, pass, lines } = set();
  await fetch(gives('old'));
  pass(60);
  expect(await fetch(fails)).toMatchObject({ value: 'old', ageSeconds: 60 });
  const why = { relay: 'test', kind: 'unreachable', reason: 'could not be reached (ECONNREFUSED)', age: 60 };
  const msg = 'upstream failed: a stale copy is served';
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ ...why, msg }]);
  pass(1);
  const error = await fetch(fails).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HttpError);
  // The cause is for the log.
  const cause = expect.any(UpstreamError);
  expect(error).toMatchObject({ status: 502, message: 'nothing there', headers: {}, cause });
});

it('a relay says when to ask again where the upstream is left alone', async () => {
  const rests = new UpstreamError('limited', 'status 429', { coolDownMs: 89_001 });
  const refused = set().fetch(() => Promise.reject(rests));
  await expect(refused).rejects.toMatchObject({ headers: { 'retry-after': '90' } });
});

it('a relay gives a stale copy where the upstream hangs, and keeps what it gives in the end', async () => {
  const { fetch, pass } = set({ patienceMs: 50, deadlineMs: 60_000 });
  await fetch(gives('old'));
  pass(30);
  const { happen, happened } = event();
  expect((await fetch(() => happened.then(() => 'new'))).value).toBe('old');
  happen();
  await vi.waitFor(async () => expect((await fetch(fails)).value).toBe('new'));
});

it('a relay waits for a hanging upstream two seconds where there is a stale copy', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { fetch, pass } = set({ deadlineMs: 60_000 });
  await fetch(gives('old'));
  pass(30);
  const given = vi.fn();
  const waiting = fetch(never).then(given);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(given).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(given).toHaveBeenCalledWith(expect.objectContaining({ value: 'old' }));
});

it('a relay leaves errors that are not those of the upstream as they are, and keeps none', async () => {
  const { fetch, cache, pass } = set();
  const refused = new HttpError(400, 'no such language');
  const refuse = () => Promise.reject(refused);
  await expect(fetch(refuse)).rejects.toBe(refused);
  expect(cache.keys()).toEqual([]);
  await fetch(gives('stale'));
  pass(30);
  await expect(fetch(refuse)).rejects.toBe(refused);
});

it('a relay takes a copy that can not be read for none', async () => {
  const { fetch, cache } = set();
  await fetch(gives('one'));
  const [key = ''] = cache.keys();
  const incomplete = ['{}', '{"fetchedAt":1}', '{"value":1}', '{"value":1,"fetchedAt":"1"}'];
  for (const copy of ['{"value"', 'null', '1', ...incomplete]) {
    await cache.set(key, Buffer.from(copy), 10);
    expect([copy, (await fetch(gives(`not ${copy}`))).value]).toEqual([copy, `not ${copy}`]);
  }
});

it('a relay lets a load listen for its deadline many times', async () => {
  const warned = vi.spyOn(process, 'emitWarning');
  await set().fetch(async (signal) => {
    for (let count = 0; count < 20; count++) signal.addEventListener('abort', () => undefined);
    return 'one';
  });
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

it.each<[string, Load]>([
  [
    'that listens for it',
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new UpstreamError('timeout', 'late')));
      }),
  ],
  ['that does not', never],
])('a relay ends a load %s at its deadline, and loads anew afterwards', async (_, load) => {
  const { fetch } = set({ deadlineMs: 50 });
  await expect(fetch(load)).rejects.toMatchObject({ status: 502 });
  expect((await fetch(gives('back'))).value).toBe('back');
});

it('a deadline that has passed ends work at once', async () => {
  const message = 'no response within the time limit';
  const ended = withinDeadline(AbortSignal.abort(), new Promise<never>(() => undefined));
  await expect(ended).rejects.toMatchObject({ kind: 'timeout', message });
});

it('a deadline is not listened for after the work has ended', async () => {
  const { signal } = new AbortController();
  expect(await withinDeadline(signal, Promise.resolve('done'))).toBe('done');
  await expect(withinDeadline(signal, fails(signal))).rejects.toMatchObject({ kind: 'unreachable' });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
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
