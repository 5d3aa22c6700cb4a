import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  calendarDate,
  dayNumber,
  daysBetween,
  eachDay,
  eachMonth,
  earlier,
  firstOfMonth,
  firstOfWeek,
  fromDayNumber,
  isCalendarDate,
  isoWeekday,
  lastOfMonth,
  later,
} from '../../../core/domain/dates.js';
import { firstDayOf, lastDayOf, wholePeriods } from '../../../core/domain/periods.js';
import { propertyRuns } from '../../support/property-runs.js';

const CENTURIES = { from: '1700-01-01', to: '2100-12-31' };
const day = fc.integer({ min: dayNumber(CENTURIES.from), max: dayNumber(CENTURIES.to) });
const date = day.map(fromDayNumber);

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysIn = (year: number, month: number) =>
  month === 2 ? 28 + Number(isLeap(year)) : 30 + Number([1, 3, 5, 7, 8, 10, 12].includes(month));

it('every day of four centuries follows the one before it, in number, month, year and weekday', {
  timeout: 60_000,
}, () => {
  let [year, month, dayOfMonth, weekday] = [1700, 1, 1, 5]; // A Friday.
  let number = dayNumber(CENTURIES.from);
  for (const one of eachDay(CENTURIES.from, CENTURIES.to)) {
    const wanted = calendarDate(year, month, dayOfMonth);
    if (one !== wanted || dayNumber(one) !== number || isoWeekday(one) !== weekday) {
      expect([one, dayNumber(one), isoWeekday(one)]).toEqual([wanted, number, weekday]);
    }
    number++;
    weekday = (weekday % 7) + 1;
    if (++dayOfMonth > daysIn(year, month)) [month, dayOfMonth] = [month + 1, 1];
    if (month > 12) [year, month] = [year + 1, 1];
  }
  expect([year, month, dayOfMonth]).toEqual([2101, 1, 1]);
});

it('a text is a date exactly where its month has its day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(14), fc.nat(33), (year, month, dayOfMonth) => {
      const pad = (value: number, width: number) => String(value).padStart(width, '0');
      const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
      // Date reads years below 100 as of the twentieth century; they are refused, as no source has such a day.
      const exists =
        year >= 100 && month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= daysIn(year, month);
      expect(isCalendarDate(text)).toBe(exists);
      if (exists) expect(calendarDate(year, month, dayOfMonth)).toBe(text);
      else expect(() => calendarDate(year, month, dayOfMonth)).toThrow(JSON.stringify(text));
    }),
    propertyRuns(2000),
  );
});

it.each(['12025-01-01', '2025-01-011', ' 2025-01-01', '0050-01-01', '0099-12-31'])(
  '%j is no date',
  (text) => {
    expect(isCalendarDate(text)).toBe(false);
  },
);

describe('date arithmetic', () => {
  it('takes back what it adds, and orders days as text and as numbers alike', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: -40_000, max: 40_000 }), (from, days) => {
        const to = addDays(from, days);
        expect(addDays(to, -days)).toBe(from);
        expect(daysBetween(from, to)).toBe(days);
        expect(from < to).toBe(days > 0);
        expect([earlier(from, to), later(from, to)]).toEqual([from, to].sort());
        expect([earlier(to, from), later(to, from)]).toEqual([from, to].sort());
      }),
    );
  });

  it('finds the week and the month that hold a day', () => {
    fc.assert(
      fc.property(date, (one) => {
        const monday = firstOfWeek(one);
        expect(isoWeekday(monday)).toBe(1);
        expect(daysBetween(monday, one)).toBe(isoWeekday(one) - 1);
        const [first, last] = [firstOfMonth(one), lastOfMonth(one)];
        expect(first <= one && one <= last).toBe(true);
        expect([first.slice(8), addDays(last, 1).slice(8)]).toEqual(['01', '01']);
        expect([first.slice(0, 7), last.slice(0, 7)]).toEqual([one.slice(0, 7), one.slice(0, 7)]);
      }),
    );
  });

  it('cuts any window into months and days without gap or overlap', () => {
    fc.assert(
      fc.property(date, fc.nat(800), (from, length) => {
        const to = addDays(from, length);
        const days = [...eachDay(from, to)];
        expect([days.length, days[0], days.at(-1)]).toEqual([length + 1, from, to]);
        const months = [...eachMonth(from, to)];
        expect(months).toEqual([...new Set(days.map(firstOfMonth))]);
      }),
      propertyRuns(30),
    );
  });
});

describe('periods', () => {
  const period = fc.constantFrom('day' as const, 'week' as const, 'month' as const);

  it('hold their days, touch each other, and are the same for all of their days', () => {
    fc.assert(
      fc.property(period, day, (one, number) => {
        const [first, last] = [firstDayOf(one, number), lastDayOf(one, number)];
        expect(first <= number && number <= last).toBe(true);
        expect(firstDayOf(one, last)).toBe(first);
        expect(lastDayOf(one, first)).toBe(last);
        expect(firstDayOf(one, last + 1)).toBe(last + 1);
      }),
    );
  });

  it('widen a range once', () => {
    fc.assert(
      fc.property(period, date, fc.nat(1000), (one, from, length) => {
        const wide = wholePeriods(one, { from, to: addDays(from, length) });
        expect(wide.from <= from && addDays(from, length) <= wide.to).toBe(true);
        expect(wholePeriods(one, wide)).toEqual(wide);
      }),
    );
  });
});
