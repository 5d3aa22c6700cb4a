import { expect, it } from 'vitest';
import { createCoolDown } from '../../../core/concurrency/within.js';

it('is active until its time is over, and a shorter one does not cut it', () => {
  let now = 1_000;
  const coolDown = createCoolDown(() => now);
  expect(coolDown.isActive()).toBe(false);
  coolDown.start(500);
  coolDown.start(100);
  now = 1_499;
  expect([coolDown.isActive(), coolDown.remaining()]).toEqual([true, 1]);
  now = 1_500;
  expect([coolDown.isActive(), coolDown.remaining()]).toEqual([false, 0]);
});
