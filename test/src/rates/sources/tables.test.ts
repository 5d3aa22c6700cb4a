import { describe, expect, it } from 'vitest';
import { rateAt } from '../../../../core/columns/columns.js';
import { blendsOn, countedRows, createBlendedTable } from '../../../../src/rates/sources/day-blends.js';
import { portionsOf } from '../../../../src/rates/sources/portions.js';
import { rawRows } from '../../../../src/rates/sources/raw-table.js';
import { createSubsetBlend } from '../../../../src/rates/sources/subset-blend.js';
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

  it('that count are those that are not suspect', () => {
    const held: unknown[] = [];
    const counted = [...countedRows(tableOf(ROWS), 20_501, 20_503, (suspect) => held.push(suspect))];
    expect(counted.map(({ rate }) => rate)).toEqual([1.5]);
    const row = { provider: 'ECB', date: '2026-02-17', base: 'EUR', quote: 'USD', rate: 12.5 };
    expect(held).toEqual([{ row, day: 20_501, reason: 'factor_of_ten' }]);
    expect([...countedRows(tableOf(ROWS), 20_500, 20_504)]).toHaveLength(4);
  });
});

describe('the blends of days', () => {
  it('are those of the wanted days, and a pause at each other', () => {
    const daysOf = (from: number, to: number, isWanted: (day: number) => boolean) =>
      [...blendsOn(tableOf(ROWS), from, to, isWanted)].map((day) => day && [day.day, ...day.blends.keys()]);
    const last = [20_504, 'EUR', 'JPY'];
    const found = daysOf(20_503, 20_504, (day) => day === 20_504);
    expect(found.filter((day) => day)).toEqual([last]);
    // Days before the window, then one that is not wanted.
    expect(found.at(-1)).toEqual(last);
    expect(found.length).toBeGreaterThan(1);
    expect(daysOf(20_500, 20_504, () => true).map((day) => day?.[0])).toEqual([20_500, 20_503, 20_504]);
  });

  it('are made once for the same days', async () => {
    let yields = 0;
    const table = tableOf(ROWS);
    const blended = createBlendedTable(table, () => {
      yields++;
      return undefined;
    });
    expect(blended.table).toBe(table);
    expect(blended.computedBlends(20_500, 20_503)).toBeUndefined();
    const first = await blended.blends(20_500, 20_503);
    expect([...(blended.computedBlends(20_500, 20_503) ?? [])]).toEqual(
      first.map((each) => [each.day, each]),
    );
    expect(blended.computedBlends(20_500, 20_504)).toBeUndefined();
    expect(blended.computedBlends(20_501, 20_503)).toBeUndefined();
    expect(yields).toBe(2);
    expect(await blended.blends(20_500, 20_503)).toBe(first);
    const daysOf = async (from: number, to: number) => (await blended.blends(from, to)).map(({ day }) => day);
    expect(await daysOf(20_500, 20_503)).toEqual([20_500, 20_503]);
    expect(await daysOf(20_500, 20_504)).toEqual([20_500, 20_503, 20_504]);
    expect(await daysOf(20_501, 20_504)).toEqual([20_503, 20_504]);
  });
});

it('portions are of sixty-two days, the last of what is left', () => {
  expect([...portionsOf(0, 61)]).toEqual([{ from: 0, to: 61 }]);
  expect([...portionsOf(0, 62)].flatMap(({ from, to }) => [from, to])).toEqual([0, 61, 62, 62]);
  expect([...portionsOf(5, 5)]).toEqual([{ from: 5, to: 5 }]);
  expect([...portionsOf(6, 5)]).toEqual([]);
});

it('the blend of a subset is made window by window, and has the days on which one of them published', async () => {
  const blend = createSubsetBlend();
  let yields = 0;
  const yieldNow = () => {
    yields++;
    return undefined;
  };
  await blend.add(tableOf(ROWS.slice(0, 4)), { from: 20_500, to: 20_502 }, yieldNow);
  await blend.add(tableOf(ROWS), { from: 20_503, to: 20_504 }, yieldNow);
  const { days, byQuote, quotes } = await blend.finish(yieldNow);
  // Others may go first before each window, and after each of its days and of those carried into it.
  expect([[...days], quotes, yields]).toEqual([[20_500, 20_503, 20_504], ['EUR', 'JPY', 'USD'], 2 + 4]);
  const rates = (code: string) => {
    const column = byQuote.get(code);
    return column && [0, 1, 2].map((at) => Number(rateAt(column, at).toPrecision(8)));
  };
  expect(rates('EUR')).toEqual([0.8, 0.66666667, Number.NaN]);
  expect(rates('JPY')).toEqual([150, Number.NaN, 151]);
});
