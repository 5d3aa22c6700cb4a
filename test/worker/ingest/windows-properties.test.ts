import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays, dayNumber, daysBetween, fromDayNumber } from '../../../core/domain/dates.js';
import { nextBackfill, recentFrom } from '../../../worker/ingest/windows.js';
import { propertyRuns } from '../../support/property-runs.js';

const day = fc.integer({ min: dayNumber('1948-01-01'), max: dayNumber('2126-12-31') }).map(fromDayNumber);
const step = fc.integer({ min: 5, max: 400 });

it('a backfill asks for each day before the first look once, without gaps, down to the first day', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: -30, max: 1_500 }), step, (start, days, backfillDays) => {
      let backfilledTo = addDays(start, days);
      for (let window = nextBackfill(backfilledTo, start, backfillDays); window; ) {
        expect(addDays(window.to, 1)).toBe(backfilledTo);
        expect(daysBetween(window.from, window.to)).toBeLessThan(backfillDays);
        expect(window.from <= window.to).toBe(true);
        expect(window.from >= start).toBe(true);
        backfilledTo = window.from;
        window = nextBackfill(backfilledTo, start, backfillDays);
      }
      expect(backfilledTo).toBe(days > 0 ? start : addDays(start, days));
    }),
    propertyRuns(50),
  );
});

it('a source that gives its history whole is asked for all that is left', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 1, max: 40_000 }), (start, days) => {
      const backfilledTo = addDays(start, days);
      const window = { from: start, to: addDays(backfilledTo, -1) };
      expect(nextBackfill(backfilledTo, start, undefined)).toEqual(window);
      expect(nextBackfill(start, start, undefined)).toBeUndefined();
    }),
  );
});

it('without a first day only a source that gives its history whole is asked for history', () => {
  expect(nextBackfill('2026-03-02', null, 30)).toBeUndefined();
  expect(nextBackfill('2026-03-02', null, undefined)).toEqual({ from: '1940-01-01', to: '2026-03-01' });
  expect(nextBackfill(null, '1999-01-04', undefined)).toBeUndefined();
});

it('the newest window leaves no day out since the last one, and is at most three months older', () => {
  const age = fc.integer({ min: -2, max: 3_000 });
  fc.assert(
    fc.property(day, age, age, (today, throughAge, endAge) => {
      const through = addDays(today, -throughAge);
      const endDate = addDays(today, -endAge);
      const from = recentFrom({ backfilledTo: '1940-01-01', through, endDate }, today);
      const asked = through < today ? through : today;
      expect(from <= addDays(asked, 1)).toBe(true);
      expect(from <= addDays(today, -7)).toBe(true);
      expect(daysBetween(from, asked)).toBeLessThanOrEqual(92);
      // What a bank may still correct is asked for again.
      if (daysBetween(endDate, asked) <= 85) expect(from <= addDays(endDate, -7)).toBe(true);
    }),
  );
});
