import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readInPortions } from '../../../core/concurrency/read-in-portions.js';

it('gives the first rows of a list, whatever its length and the limit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(2_500), fc.integer({ min: 1, max: 2_500 }), async (length, limit) => {
      const all = Array.from({ length }, (_, index) => index);
      let turns = 0;
      const wanted: number[] = [];
      const rows = await readInPortions<number>(
        async (most, after = -1) => {
          wanted.push(most);
          return all.slice(after + 1, after + 1 + most);
        },
        { limit, yieldNow: () => void turns++ },
      );
      expect(rows).toEqual(all.slice(0, limit));
      expect(Math.max(...wanted)).toBeLessThanOrEqual(250);
      expect(turns).toBe(wanted.length);
      expect(turns).toBeLessThanOrEqual(Math.floor(Math.min(length, limit) / 250) + 1);
    }),
  );
});
