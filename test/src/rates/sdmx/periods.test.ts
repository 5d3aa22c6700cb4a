import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber, firstDayOf, fromDayNumber, lastDayOf } from '../../../../core/domain/dates.js';
import {
  daysOfPeriod,
  FREQUENCIES,
  type Frequency,
  periodsWithin,
  timePeriod,
} from '../../../../src/rates/sdmx/periods.js';

const anyDay = fc.integer({ min: dayNumber('1700-01-01'), max: dayNumber('9999-12-01') });
const anyFrequency = fc.constantFrom(...(Object.keys(FREQUENCIES) as Frequency[]));

describe('a period', () => {
  it.each([
    ['2026-03-17', '2026-03-17..2026-03-17'],
    ['2026-W12', '2026-03-16..2026-03-22'],
    ['2026-W01', '2025-12-29..2026-01-04'],
    ['2020-W53', '2020-12-28..2021-01-03'],
    ['2026-03', '2026-03-01..2026-03-31'],
    ['2026-Q1', '2026-01-01..2026-03-31'],
    ['2026-Q4', '2026-10-01..2026-12-31'],
    ['2026-S1', '2026-01-01..2026-06-30'],
    ['2026-S2', '2026-07-01..2026-12-31'],
    ['2026', '2026-01-01..2026-12-31'],
    ['2026-03-17T16:00:00', '2026-03-17..2026-03-17'],
    ['2026-03-17T23:59:59.5Z', '2026-03-17..2026-03-17'],
    ['2026-03-17T00:00:00+05:00', '2026-03-17..2026-03-17'],
    ['2026-03-17T00:00:00 05:00', '2026-03-17..2026-03-17'],
  ])('%s is %s', (text, days) => {
    const { from, to } = daysOfPeriod(text) ?? { from: 0, to: 0 };
    expect(`${fromDayNumber(from)}..${fromDayNumber(to)}`).toBe(days);
  });

  it('is none of a year, a part or a time that there is not', () => {
    const years = ',26,2026-,202603,0000,yesterday,2026-03-17 ';
    const parts = '2026-13,2026-00,2026-3,2026-02-30,2026-Q0,2026-Q5,2026-S3';
    const weeks = '2026-W00,9999-W53,2026-W54,2025-W53';
    const times = '2026-03-17T24:00:00,2026-03-17T16:00';
    for (const text of [years, parts, weeks, times].join().split(','))
      expect([text, daysOfPeriod(text)]).toEqual([text, undefined]);
  });

  it('is read as it is written', () => {
    fc.assert(
      fc.property(anyDay, anyFrequency, (day, frequency) => {
        const { period } = FREQUENCIES[frequency];
        const from = firstDayOf(period, day);
        expect(daysOfPeriod(timePeriod(frequency, from))).toEqual({ from, to: lastDayOf(period, day) });
      }),
    );
  });

  it('belongs to days that have its first day', () => {
    fc.assert(
      fc.property(anyDay, fc.nat(800), anyFrequency, (from, length, frequency) => {
        const { period } = FREQUENCIES[frequency];
        const days = Array.from({ length: length + 1 }, (_, index) => from + index);
        const firsts = days.filter((day) => firstDayOf(period, day) === day);
        const last = firsts.at(-1);
        expect(periodsWithin(frequency, { from, to: from + length })).toEqual(
          last === undefined ? undefined : { from: firsts[0], to: lastDayOf(period, last) },
        );
      }),
    );
  });
});
