import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { within } from '../../../core/concurrency/within.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

it('gives what comes in time, and leaves no timer behind', async () => {
  expect(await within(100, Promise.resolve('done'), 'late')).toBe('done');
  await expect(within(100, Promise.reject(new Error('failed')), 'late')).rejects.toThrow('failed');
  expect(vi.getTimerCount()).toBe(0);
});

it('gives the other value once the time is over, whatever comes then', async () => {
  let fail = (_error: Error) => {};
  const work = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const settled = vi.fn();
  const outcome = within(100, work, 'late').finally(settled);
  await vi.advanceTimersByTimeAsync(99);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await outcome).toBe('late');
  fail(new Error('nobody waits for this'));
});
