import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usualOfIncompleteDay } from '../../../core/domain/incomplete-day.js';

it.each([
  [15, Array(30).fill(30), undefined],
  [14, Array(30).fill(30), 30],
  // Five days are enough to judge by.
  [1, [10, 10, 10, 10], undefined],
  [1, [10, 10, 10, 10, 10], 10],
  [4, [20, 20, 10, 9, 8], 10],
  // Of two in the middle, the smaller.
  [4, [20, 20, 20, 10, 9, 8], 10],
])('a day is incomplete with less than half of the median: %i after %j, %s', (currencies, before, usual) => {
  expect(usualOfIncompleteDay(currencies, before)).toBe(usual);
});

const counts = fc.array(fc.integer({ min: 1, max: 180 }), { minLength: 5, maxLength: 30 });

it('no more currencies make a day incomplete, and no order of the days before it', () => {
  fc.assert(
    fc.property(counts, fc.nat(180), fc.nat(180), (before, currencies, more) => {
      const usual = usualOfIncompleteDay(currencies, before);
      expect(usualOfIncompleteDay(currencies, before.toReversed())).toBe(usual);
      if (usual === undefined) expect(usualOfIncompleteDay(currencies + more, before)).toBeUndefined();
      else {
        expect(before).toContain(usual);
        expect(currencies).toBeLessThan(usual);
        const above = before.filter((one) => one > currencies * 2);
        expect(above.length * 2).toBeGreaterThanOrEqual(before.length);
      }
      // Nor is a day like one of at least half of the days before it.
      const median = before.toSorted((one, other) => one - other)[Math.floor(before.length / 2)] ?? 0;
      expect(usualOfIncompleteDay(median, before)).toBeUndefined();
    }),
  );
});
