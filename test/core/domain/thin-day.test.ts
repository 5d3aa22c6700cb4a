import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usualOfThinDay } from '../../../core/domain/thin-day.js';

const counts = fc.array(fc.integer({ min: 1, max: 180 }), { minLength: 5, maxLength: 30 });

it('a day is thin exactly where it has less than half of the median', () => {
  expect(usualOfThinDay(15, Array(30).fill(30))).toBeUndefined();
  expect(usualOfThinDay(14, Array(30).fill(30))).toBe(30);
  expect(usualOfThinDay(5, [30, 30, 30, 30])).toBeUndefined();
  expect(usualOfThinDay(10, [10, 10, 10, 160, 10])).toBeUndefined();
  expect(usualOfThinDay(4, [20, 20, 10, 9, 8])).toBe(10);
  // Of two in the middle, the smaller.
  expect(usualOfThinDay(4, [20, 20, 20, 10, 9, 8])).toBe(10);
});

it('no more currencies make a day thin, and no order of the days before it', () => {
  fc.assert(
    fc.property(counts, fc.nat(180), fc.nat(180), (before, currencies, more) => {
      const usual = usualOfThinDay(currencies, before);
      expect(usualOfThinDay(currencies, before.toReversed())).toBe(usual);
      if (usual === undefined) expect(usualOfThinDay(currencies + more, before)).toBeUndefined();
      else {
        expect(before).toContain(usual);
        expect(currencies).toBeLessThan(usual);
        expect(before.filter((one) => one > currencies * 2).length * 2).toBeGreaterThanOrEqual(before.length);
      }
    }),
  );
});

it('a day like one of at least half of the days before it is not thin', () => {
  fc.assert(
    fc.property(counts, (before) => {
      const median = before.toSorted((one, other) => one - other)[Math.floor(before.length / 2)] ?? 0;
      expect(usualOfThinDay(median, before)).toBeUndefined();
    }),
  );
});

it('five days before it are enough to judge a day by', () => {
  expect(usualOfThinDay(1, [10, 10, 10, 10, 10])).toBe(10);
  expect(usualOfThinDay(1, [10, 10, 10, 10])).toBeUndefined();
});
