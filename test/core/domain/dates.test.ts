import { describe, expect, test } from 'vitest';
import {
  addDays,
  calendarDate,
  dayNumber,
  daysBetween,
  eachDay,
  eachMonth,
  earlier,
  firstOfMonth,
  firstOfQuarter,
  firstOfWeek,
  fromDayNumber,
  isCalendarDate,
  isoWeekday,
  isWeekend,
  lastOfMonth,
  lastOfQuarter,
  later,
  toCalendarDate,
} from '../../../core/domain/dates.js';

describe('calendar dates', () => {
  test.each(['1970-01-01', '2000-02-29', '1999-12-31', '0100-03-01', '9999-12-31'])('%s exists', (date) => {
    expect(isCalendarDate(date)).toBe(true);
    expect(fromDayNumber(dayNumber(date))).toBe(date);
  });

  test.each([
    '2025-02-30',
    '1900-02-29',
    '2025-13-01',
    '2025-00-10',
    '2025-1-1',
    '20250101',
    '',
    '2025-01-01T00',
  ])('%j does not', (text) => {
    expect(isCalendarDate(text)).toBe(false);
    expect(() => dayNumber(text)).toThrow(RangeError);
  });

  test('count days since 1970', () => {
    expect(dayNumber('1970-01-01')).toBe(0);
    expect(dayNumber('1969-12-31')).toBe(-1);
    expect(dayNumber('2024-03-01')).toBe(19_783);
    expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2);
    expect(daysBetween('2023-03-01', '2023-02-28')).toBe(-1);
    expect(addDays('2024-12-31', 1)).toBe('2025-01-01');
    expect(addDays('2024-03-01', -1)).toBe('2024-02-29');
  });

  test('of an instant are those of UTC', () => {
    expect(toCalendarDate(new Date('2024-12-31T23:59:59.999Z'))).toBe('2024-12-31');
    expect(toCalendarDate(new Date('2025-01-01T00:30:00+01:00'))).toBe('2024-12-31');
  });

  test('are made from numbers, where there is such a day', () => {
    expect(calendarDate(2024, 2, 29)).toBe('2024-02-29');
    expect(() => calendarDate(2023, 2, 29)).toThrow(RangeError);
  });

  test('know their ISO week', () => {
    expect(isoWeekday('2024-01-01')).toBe(1);
    expect(isoWeekday('1969-12-28')).toBe(7);
    expect(['2024-01-05', '2024-01-06', '2024-01-07', '2024-01-08'].map(isWeekend)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(firstOfWeek('2025-01-05')).toBe('2024-12-30');
    expect(firstOfWeek('2024-12-30')).toBe('2024-12-30');
    expect(firstOfWeek('1969-12-31')).toBe('1969-12-29');
  });

  test('know their month', () => {
    expect(firstOfMonth('2024-02-29')).toBe('2024-02-01');
    expect(lastOfMonth('2024-02-01')).toBe('2024-02-29');
    expect(lastOfMonth('2023-12-05')).toBe('2023-12-31');
  });

  test.each([
    ['2026-01-01', '2026-01-01', '2026-03-31'],
    ['2026-03-31', '2026-01-01', '2026-03-31'],
    ['2026-04-01', '2026-04-01', '2026-06-30'],
    ['2026-08-15', '2026-07-01', '2026-09-30'],
    ['2026-12-31', '2026-10-01', '2026-12-31'],
  ])('of the quarter of %s are %s and %s', (date, first, last) => {
    expect([firstOfQuarter(date), lastOfQuarter(date)]).toEqual([first, last]);
  });

  test('have years of four digits', () => {
    expect(toCalendarDate(new Date('0000-01-01T00:00:00Z'))).toBe('0000-01-01');
    expect(toCalendarDate(new Date('9999-12-31T00:00:00Z'))).toBe('9999-12-31');
    expect(() => toCalendarDate(new Date('+010000-01-01T00:00:00Z'))).toThrow(
      new RangeError('no date with a year of four digits: 10000'),
    );
    expect(() => toCalendarDate(new Date('-000001-01-01T00:00:00Z'))).toThrow(
      new RangeError('no date with a year of four digits: -1'),
    );
  });

  test('that do not exist are named in the error', () => {
    expect(() => dayNumber('2025-02-30')).toThrow(new RangeError('not a calendar date: "2025-02-30"'));
    expect(() => calendarDate(25, 1, 1)).toThrow(new RangeError('not a calendar date: "0025-01-01"'));
  });

  test('run from one to another, both included', () => {
    expect([...eachDay('2024-02-28', '2024-03-01')]).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    expect([...eachDay('2024-03-01', '2024-02-28')]).toEqual([]);
    expect([...eachMonth('2023-12-31', '2024-02-01')]).toEqual(['2023-12-01', '2024-01-01', '2024-02-01']);
  });

  test('order as text', () => {
    const [old, young] = ['2023-12-31', '2024-01-02'];
    expect([earlier(old, young), earlier(young, old)]).toEqual([old, old]);
    expect([later(old, young), later(young, old)]).toEqual([young, young]);
  });
});
