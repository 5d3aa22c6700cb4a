import { expect, it } from 'vitest';
import { within } from '../../../core/concurrency/within.js';

const never = new Promise<never>(() => {});

it('gives what the work gives in time, also an error', async () => {
  expect(await within(60_000, Promise.resolve('done'), 'late')).toBe('done');
  await expect(within(60_000, Promise.reject(new Error('broken')), 'late')).rejects.toThrow('broken');
});

it('gives the other value where the work takes longer', async () => {
  // The timer keeps no process alive by itself.
  const alive = setInterval(() => {}, 1_000);
  expect(await within(1, never, 'late')).toBe('late');
  clearInterval(alive);
});
