import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSingleFlight } from '../../../core/concurrency/single-flight.js';

it('runs once for all calls with one key, and again for a call after the end', async () => {
  const flight = createSingleFlight<number>();
  let runs = 0;
  const work = async () => {
    await sleep(1);
    return ++runs;
  };
  expect(await Promise.all([flight('a', work), flight('a', work), flight('b', work)])).toEqual([1, 1, 2]);
  expect(await flight('a', work)).toBe(3);
});

it('shares a failure and forgets it', async () => {
  const flight = createSingleFlight<string>();
  const failing = () => flight('a', () => Promise.reject(new Error('down')));
  const outcomes = await Promise.allSettled([failing(), failing()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await flight('a', async () => 'up')).toBe('up');
});

it('ends the work when all callers have left, and not before', async () => {
  const share = createSingleFlight<string>();
  const signals: AbortSignal[] = [];
  const work = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      setTimeout(resolve, 20, 'done');
    });
  };
  const leaving = new AbortController();
  const first = share('key', work, leaving.signal);
  const second = share('key', work, new AbortController().signal);
  leaving.abort();
  await expect(first).rejects.toBe(leaving.signal.reason);
  expect(await second).toBe('done');

  const other = new AbortController();
  const abandoned = share('key', work, other.signal);
  other.abort();
  await expect(abandoned).rejects.toBe(other.signal.reason);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  expect(await share('key', work)).toBe('done');
});
