import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, isWeekend } from '../../../../core/domain/dates.js';
import { repeatedOnWeekends } from '../../../../worker/feeds/toolbox/repeated-weekends.js';

test('a figure is left out on weekends alone, and where it repeats the day before or that is not known', () => {
  const days = fc.array(
    fc.record({ EUR: fc.integer({ min: 1, max: 2 }), USD: fc.integer({ min: 1, max: 2 }) }),
  );
  fc.assert(
    fc.property(days, (prices) => {
      const figures = prices.flatMap((ofDay, index) =>
        Object.entries(ofDay).map(([code, price]) => ({ date: addDays('2026-03-07', index), code, price })),
      );
      const repeated = repeatedOnWeekends(figures);
      for (const [index, { date, code, price }] of figures.entries()) {
        const before = figures[index - 2]?.price ?? price;
        expect(repeated.has(`${date} ${code}`)).toBe(isWeekend(date) && before === price);
      }
    }),
  );
});
