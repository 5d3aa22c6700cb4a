import { expect, test } from 'vitest';
import { keepNextTickFast } from '../../../core/process/next-tick.js';

test('an object that Node makes for a tick is kept', () => {
  const kept = keepNextTickFast();
  expect(kept).toMatchObject({ callback: expect.any(Function) });
  expect(Object.getOwnPropertySymbols(kept ?? {})).not.toEqual([]);
  expect(keepNextTickFast(), 'the same one').toBe(kept);
});
