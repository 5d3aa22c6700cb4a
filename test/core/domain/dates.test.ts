import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as calendar from '../../../core/domain/dates.js';
import { propertyRuns } from '../../support/property-runs.js';

const CENTURIES = { from: '1700-01-01', to: '2100-12-31' };
const day = fc.integer({ min: calendar.dayNumber(CENTURIES.from), max: calendar.dayNumber(CENTURIES.to) });
const date = day.map(calendar.fromDayNumber);

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const daysIn = (year: number, month: number) =>
  month === 2 ? 28 + Number(isLeap(year)) : 30 + Number([1, 3, 5, 7, 8, 10, 12].includes(month));

it('every day of four centuries follows the one before it, in number, month, year and weekday', () => {
  let [year, month, dayOfMonth, weekday] = [1700, 1, 1, 5]; // A Friday.
  let number = calendar.dayNumber(CENTURIES.from);
  for (const one of calendar.eachDay(CENTURIES.from, CENTURIES.to)) {
    const wanted = calendar.calendarDate(year, month, dayOfMonth);
    if (one !== wanted || calendar.dayNumber(one) !== number || calendar.isoWeekday(one) !== weekday)
      expect([one, calendar.dayNumber(one), calendar.isoWeekday(one)]).toEqual([wanted, number, weekday]);
    number++;
    weekday = (weekday % 7) + 1;
    if (++dayOfMonth > daysIn(year, month)) [month, dayOfMonth] = [month + 1, 1];
    if (month > 12) [year, month] = [year + 1, 1];
  }
  expect([year, month, dayOfMonth]).toEqual([2101, 1, 1]);
});

it('a text is a date exactly where its month has its day', () => {
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(14), fc.nat(33), (year, month, dayOfMonth) => {
      const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
      // Date reads years below 100 as of the twentieth century; they are refused, as no source has such a day.
      const isMonth = year >= 100 && month >= 1 && month <= 12;
      const exists = isMonth && dayOfMonth >= 1 && dayOfMonth <= daysIn(year, month);
      expect(calendar.isCalendarDate(text)).toBe(exists);
      if (exists) expect(calendar.calendarDate(year, month, dayOfMonth)).toBe(text);
      else
        expect(() => calendar.calendarDate(year, month, dayOfMonth)).toThrow(
          new RangeError(`not a calendar date: "${text}"`),
        );
    }),
    propertyRuns(2000),
  );
});

it.each([
  ['the turn of a month', '2000-02-29', '0100-03-01', '9999-12-31'],
  ['the turn of the epoch', '1970-01-01', '1969-12-31'],
])('%s exists', (_, ...dates) => {
  for (const one of dates)
    expect([calendar.isCalendarDate(one), calendar.fromDayNumber(calendar.dayNumber(one))]).toEqual([
      true,
      one,
    ]);
});

it.each([
  ['no such day', '2025-02-30', '1900-02-29', '2025-13-01', '2025-00-10'],
  ['no two digits', '2025-1-1', '20250101', '12025-01-01', '2025-01-011'],
  ['something more', '', '2025-01-01T00', ' 2025-01-01'],
  ['a year that no source has', '0050-01-01', '0099-12-31'],
])('%s is no date', (_, ...texts) => {
  for (const text of texts) {
    expect(calendar.isCalendarDate(text)).toBe(false);
    expect(() => calendar.dayNumber(text)).toThrow(
      new RangeError(`not a calendar date: ${JSON.stringify(text)}`),
    );
  }
});

it('the date of an instant is that of UTC, with a year of four digits', () => {
  const dateOf = (instant: string) => calendar.toCalendarDate(new Date(instant));
  expect(dateOf('2024-12-31T23:59:59.999Z')).toBe('2024-12-31');
  expect(dateOf('2025-01-01T00:30:00+01:00')).toBe('2024-12-31');
  expect(dateOf('0000-01-01T00:00:00Z')).toBe('0000-01-01');
  expect(dateOf('9999-12-31T00:00:00Z')).toBe('9999-12-31');
  const refused = (year: number) => new RangeError(`no date with a year of four digits: ${year}`);
  expect(() => dateOf('+010000-01-01T00:00:00Z')).toThrow(refused(10_000));
  expect(() => dateOf('-000001-01-01T00:00:00Z')).toThrow(refused(-1));
});

it('days are counted since 1970', () => {
  expect(['1970-01-01', '1969-12-31', '2024-03-01'].map(calendar.dayNumber)).toEqual([0, -1, 19_783]);
  const weekend = ['2024-01-05', '2024-01-06', '2024-01-07', '2024-01-08'].map(calendar.isWeekend);
  expect(weekend).toEqual([false, true, true, false]);
});

it('date arithmetic takes back what it adds, and orders days as text and as numbers alike', () => {
  fc.assert(
    fc.property(date, fc.integer({ min: -40_000, max: 40_000 }), (from, days) => {
      const to = calendar.addDays(from, days);
      expect([calendar.addDays(to, -days), calendar.daysBetween(from, to), from < to]).toEqual([
        from,
        days,
        days > 0,
      ]);
      expect([calendar.earlier(from, to), calendar.later(from, to)]).toEqual([from, to].sort());
      expect([calendar.earlier(to, from), calendar.later(to, from)]).toEqual([from, to].sort());
    }),
  );
});

it('date arithmetic finds the week and the month that hold a day', () => {
  fc.assert(
    fc.property(date, (one) => {
      const monday = calendar.periodAround('week', one).from;
      expect([calendar.isoWeekday(monday), calendar.daysBetween(monday, one)]).toEqual([
        1,
        calendar.isoWeekday(one) - 1,
      ]);
      const { from: first, to: last } = calendar.periodAround('month', one);
      expect([first.slice(8), calendar.addDays(last, 1).slice(8)]).toEqual(['01', '01']);
      expect([first.slice(0, 7), last.slice(0, 7)]).toEqual([one.slice(0, 7), one.slice(0, 7)]);
    }),
    { examples: [['2025-01-05'], ['2024-12-30'], ['1969-12-31'], ['2024-02-29'], ['2023-12-05']] },
  );
});

it('date arithmetic cuts any window into months and days without gap or overlap', () => {
  fc.assert(
    fc.property(date, fc.nat(800), (from, length) => {
      const to = calendar.addDays(from, length);
      const days = [...calendar.eachDay(from, to)];
      if (length > 0)
        expect([
          ...calendar.eachDay(to, from),
          ...calendar.eachPeriod('month', { from: to, to: calendar.addDays(from, -31) }),
        ]).toEqual([]);
      expect([days.length, days[0], days.at(-1)]).toEqual([length + 1, from, to]);
      const months = [...calendar.eachPeriod('month', { from, to })];
      const first = (day: string) => `${day.slice(0, 8)}01`;
      expect(months.map((month) => month.from)).toEqual([...new Set(days.map(first))]);
    }),
    // Up to the first day of a month.
    { ...propertyRuns(30), examples: [['2023-12-31', 32]] },
  );
});
