import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays, dayNumber, daysBetween, fromDayNumber } from '../../../core/domain/dates.js';
import { BEFORE_ALL } from '../../../worker/feeds/feed.js';
import { newestWindow, nextBackfill, recentFrom } from '../../../worker/ingest/windows.js';
import { propertyRuns } from '../../support/property-runs.js';

const TODAY = '2026-11-20';
const NEVER_REQUESTED = { backfilledTo: null, through: null, endDate: null };
const WHOLE = { backfilledTo: '1999-01-04', through: TODAY, endDate: TODAY };

it.each<[string, Partial<Parameters<typeof recentFrom>[0]>, string, correctionDays?: number]>([
  ['two weeks at first', NEVER_REQUESTED, '2026-11-07'],
  ['two weeks at first, whatever was imported', { ...NEVER_REQUESTED, endDate: '2026-03-01' }, '2026-11-07'],
  ['longer at first, for long corrections', NEVER_REQUESTED, '2026-10-22', 30],
  ['no shorter at first, for short corrections', NEVER_REQUESTED, '2026-11-07', 3],
  ['a week for corrections', {}, '2026-11-13'],
  ['a week from today, of rates dated ahead', { endDate: '2026-11-21' }, '2026-11-13'],
  ['a week from the newest day', { endDate: '2026-11-18' }, '2026-11-11'],
  ['a week from the last month', { endDate: '2026-09-30' }, '2026-09-23'],
  ['a month, for long corrections', {}, '2026-10-21', 30],
  ['92 days of a source that is silent for years', { endDate: '2020-01-01' }, addDays(TODAY, -92)],
  ['92 days, also for long corrections', { endDate: '2020-01-01' }, addDays(TODAY, -92), 30],
  ['more than 92 days, for longer corrections', {}, addDays(TODAY, -120), 120],
  ['without a gap after a standstill', { through: '2025-06-10', endDate: '2025-06-09' }, '2025-06-02'],
  ['from what was imported', { through: null, endDate: '2026-11-10' }, '2026-11-03'],
  ['from history', { backfilledTo: '2026-10-01', through: null, endDate: null }, '2026-09-24'],
  ['from the last day that was asked for', { through: '2026-11-12', endDate: null }, '2026-11-05'],
  ['again what was asked for ahead of today', { through: '2026-11-30', endDate: null }, '2026-11-13'],
])('the newest window is %s', (_which, state, from, correctionDays) => {
  expect(recentFrom({ ...WHOLE, ...state }, TODAY, correctionDays)).toBe(from);
});

it.each<[string, Parameters<typeof nextBackfill>, [from: string, to: string] | undefined]>([
  ['waits for the newest window', [null, '1999-01-04', 90], undefined],
  ['waits for it also where history comes whole', [null, null, undefined], undefined],
  ['takes history whole', ['2026-11-07', '1999-01-04', undefined], ['1999-01-04', '2026-11-06']],
  ['takes all there is', ['2026-11-07', null, undefined], [BEFORE_ALL, '2026-11-06']],
  ['takes no days without a first one', ['2026-11-07', null, 30], undefined],
  ['takes the first day', ['2026-11-07', '2026-11-06', 90], ['2026-11-06', '2026-11-06']],
  ['ends at the first day', ['2026-11-07', '2026-11-07', 90], undefined],
  ['ends before a later first day', ['2026-11-07', '2026-11-08', 90], undefined],
  ['goes step by step until nothing comes', ['2026-11-07', null, 30, true], ['2026-10-08', '2026-11-06']],
  ['then ends', [BEFORE_ALL, null, 30, true], undefined],
  ['or at a first day', ['2026-11-07', '2026-11-01', 30, true], ['2026-11-01', '2026-11-06']],
])('a backfill %s', (_which, given, window) => {
  expect(nextBackfill(...given)).toEqual(window && { from: window[0], to: window[1] });
});

it.each([
  [{ key: 'ECB' }, '2026-11-07', undefined],
  // Within their schedules these may have nothing newer than that for weeks or months.
  [{ key: 'FRED' }, '2026-10-24', undefined],
  [{ key: 'HKMA' }, '2026-08-13', undefined],
  [{ key: 'UST' }, '2026-01-25', undefined],
  [{ key: 'BBK', lastDay: '1998-12-30' }, '1998-12-17', '1998-12-30'],
])('%j is judged by its days from %s on', (feed, from, to) => {
  expect(newestWindow(feed, TODAY)).toEqual({ from, to });
});

const day = fc.integer({ min: dayNumber('1948-01-01'), max: dayNumber('2126-12-31') }).map(fromDayNumber);

it('a backfill asks for each day before the first look once, without gaps, down to the first day', () => {
  const steps = fc.option(fc.integer({ min: 5, max: 400 }), { nil: undefined });
  fc.assert(
    fc.property(day, fc.integer({ min: -30, max: 1_500 }), steps, (start, days, backfillDays) => {
      let backfilledTo = addDays(start, days);
      for (let window = nextBackfill(backfilledTo, start, backfillDays); window; ) {
        expect(addDays(window.to, 1)).toBe(backfilledTo);
        expect(window.from <= window.to && window.from >= start).toBe(true);
        if (backfillDays) expect(daysBetween(window.from, window.to)).toBeLessThan(backfillDays);
        backfilledTo = window.from;
        window = nextBackfill(backfilledTo, start, backfillDays);
      }
      expect(backfilledTo).toBe(days > 0 ? start : addDays(start, days));
    }),
    { ...propertyRuns(100), examples: [['2025-12-30', 312, 90]] },
  );
});

it('the newest window leaves no day out since the last one, and is at most three months older', () => {
  const age = fc.integer({ min: -2, max: 3_000 });
  fc.assert(
    fc.property(day, age, age, (today, throughAge, endAge) => {
      const through = addDays(today, -throughAge);
      const endDate = addDays(today, -endAge);
      const from = recentFrom({ backfilledTo: BEFORE_ALL, through, endDate }, today);
      const asked = through < today ? through : today;
      expect(from <= addDays(asked, 1)).toBe(true);
      expect(from <= addDays(today, -7)).toBe(true);
      expect(daysBetween(from, asked)).toBeLessThanOrEqual(92);
      // What a bank may still correct is asked for again.
      if (daysBetween(endDate, asked) <= 85) expect(from <= addDays(endDate, -7)).toBe(true);
    }),
  );
});
