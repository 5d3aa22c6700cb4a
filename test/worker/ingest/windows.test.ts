import { describe, expect, it } from 'vitest';
import { addDays } from '../../../core/domain/dates.js';
import { BEFORE_ALL } from '../../../worker/feeds/feed.js';
import { NOT_BEGUN, newestWindow, nextBackfill, recentFrom } from '../../../worker/ingest/windows.js';

const today = '2026-11-20';

describe('the newest window', () => {
  it('is two weeks at first, whatever was stored before anything was asked', () => {
    expect(recentFrom({ backfilledTo: null, through: null, endDate: null }, today)).toBe('2026-11-07');
    expect(recentFrom({ backfilledTo: null, through: null, endDate: '2026-03-01' }, today)).toBe(
      '2026-11-07',
    );
  });

  it('goes back a week for corrections', () => {
    const asked = { backfilledTo: '1999-01-04', through: today };
    expect(recentFrom({ ...asked, endDate: '2026-11-20' }, today)).toBe('2026-11-13');
    expect(recentFrom({ ...asked, endDate: '2026-11-21' }, today)).toBe('2026-11-13');
    expect(recentFrom({ ...asked, endDate: '2026-11-18' }, today)).toBe('2026-11-11');
  });

  it('reaches the newest day of a bank that publishes a month at a time', () => {
    const asked = { backfilledTo: '1999-01-04', through: today, endDate: '2026-09-30' };
    expect(recentFrom(asked, today)).toBe('2026-09-23');
  });

  it('does not ask a silent source for years of silence', () => {
    const asked = { backfilledTo: '1999-01-04', through: today, endDate: '2020-01-01' };
    expect(recentFrom(asked, today)).toBe(addDays(today, -92));
  });

  it('leaves no gap after a long standstill', () => {
    const asked = { backfilledTo: '1999-01-04', through: '2025-06-10', endDate: '2025-06-09' };
    expect(recentFrom(asked, today)).toBe('2025-06-02');
  });

  it('is longer, at first too, for a source that corrects its rates for longer', () => {
    expect(recentFrom(NOT_BEGUN, today, 30)).toBe('2026-10-22');
    expect(recentFrom(NOT_BEGUN, today, 3)).toBe('2026-11-07');
    const asked = { backfilledTo: '1999-01-04', through: today };
    expect(recentFrom({ ...asked, endDate: today }, today, 30)).toBe('2026-10-21');
    expect(recentFrom({ ...asked, endDate: '2020-01-01' }, today, 30)).toBe(addDays(today, -92));
    expect(recentFrom({ ...asked, endDate: today }, today, 120)).toBe(addDays(today, -120));
  });

  it('begins before the newest day that was imported, or that was asked for in history, where no newer one was', () => {
    const asked = { backfilledTo: '2026-10-01', through: null };
    expect(recentFrom({ ...asked, endDate: '2026-11-10' }, today)).toBe('2026-11-03');
    expect(recentFrom({ ...asked, endDate: null }, today)).toBe('2026-09-24');
  });

  it('of a source that has no rates yet begins before the last day that was asked for', () => {
    const asked = { backfilledTo: '1999-01-04', endDate: null };
    expect(recentFrom({ ...asked, through: '2026-11-12' }, today)).toBe('2026-11-05');
    // What was asked for ahead of today is asked for again.
    expect(recentFrom({ ...asked, through: '2026-11-30' }, today)).toBe('2026-11-13');
  });
});

describe('a backfill', () => {
  it('waits for the newest window', () => {
    expect(nextBackfill(null, '1999-01-04', 90)).toBeUndefined();
    expect(nextBackfill(null, null, undefined)).toBeUndefined();
  });

  it('covers every day once, newest first, and ends at the first day', () => {
    let backfilledTo = '2026-11-07';
    const days = new Set<string>();
    for (let window = nextBackfill(backfilledTo, '2025-12-30', 90); window; ) {
      expect(window.to < backfilledTo).toBe(true);
      for (let day = window.from; day <= window.to; day = addDays(day, 1)) {
        expect(days.has(day)).toBe(false);
        days.add(day);
      }
      backfilledTo = window.from;
      window = nextBackfill(backfilledTo, '2025-12-30', 90);
    }
    expect(backfilledTo).toBe('2025-12-30');
    expect(days.size).toBe(312);
  });

  it('takes the history whole where the source gives it so', () => {
    expect(nextBackfill('2026-11-07', '1999-01-04', undefined)).toEqual({
      from: '1999-01-04',
      to: '2026-11-06',
    });
    expect(nextBackfill('2026-11-07', null, undefined)?.to).toBe('2026-11-06');
    expect(nextBackfill('2026-11-07', null, 30)).toBeUndefined();
  });

  it('ends at the first day, which is asked for', () => {
    expect(nextBackfill('2026-11-07', '2026-11-06', 90)).toEqual({ from: '2026-11-06', to: '2026-11-06' });
    expect(nextBackfill('2026-11-07', '2026-11-07', 90)).toBeUndefined();
    expect(nextBackfill('2026-11-07', '2026-11-08', 90)).toBeUndefined();
  });

  it('goes back step by step where the first day is found by asking', () => {
    const step = { from: '2026-10-08', to: '2026-11-06' };
    expect(nextBackfill('2026-11-07', null, 30, true)).toEqual(step);
    expect(nextBackfill(BEFORE_ALL, null, 30, true)).toBeUndefined();
    expect(nextBackfill('2026-11-07', '2026-11-01', 30, true)).toEqual({ ...step, from: '2026-11-01' });
  });
});

it.each([
  [{ key: 'ECB' }, '2026-11-07', undefined],
  // Within their schedules these may have nothing newer than that for weeks or months.
  [{ key: 'FRED' }, '2026-10-24', undefined],
  [{ key: 'HKMA' }, '2026-08-13', undefined],
  [{ key: 'UST' }, '2026-01-25', undefined],
  [{ key: 'BBK', lastDay: '1998-12-30' }, '1998-12-17', '1998-12-30'],
])('the days by which it is told whether %j gives what it should', (feed, from, to) => {
  expect(newestWindow(feed, today)).toEqual({ from, to });
});
