import { describe, expect, it } from 'vitest';
import { blendsOn } from '../../../../src/rates/sources/day-blends.js';
import { rawRows } from '../../../../src/rates/sources/raw-table.js';
import { rowsOf, tableOf } from './in-memory.js';

const ROWS = rowsOf([
  ...['ECB 20500 EUR/USD 1.25', 'BOC 20500 USD/JPY 150', 'ECB 20501 EUR/USD 12.5 factor_of_ten'],
  ...['ECB 20503 EUR/USD 1.5', 'BOC 20504 USD/JPY 151'],
]);

describe('the rows of a table', () => {
  const plain = ROWS.map(({ suspect: _, ...rest }) => rest);
  it.each([
    [20_500, 20_504, plain],
    [20_501, 20_503, plain.slice(2, 4)],
    [20_502, 20_502, []],
    [20_400, 20_500, plain.slice(0, 2)],
    [20_505, 20_600, []],
  ])('are those from day %i to day %i, both included', (from, to, expected) => {
    expect([...rawRows(tableOf(ROWS), from, to)]).toEqual(expected);
  });
});

it('the blends of days are those of the wanted days in a window', () => {
  const daysOf = (from: number, to: number, isWanted?: (day: number) => boolean) =>
    [...blendsOn(tableOf(ROWS), { from, to }, isWanted)].map(({ day, blends }) => [day, ...blends.keys()]);
  expect(daysOf(20_503, 20_504, (day) => day === 20_504)).toEqual([[20_504, 'EUR', 'JPY']]);
  expect(daysOf(20_500, 20_504).map(([day]) => day)).toEqual([20_500, 20_503, 20_504]);
  expect(daysOf(20_501, 20_503)).toEqual([[20_503, 'EUR', 'JPY']]);
});
