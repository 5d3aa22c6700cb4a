import { describe, expect, it } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { addDays, isWeekend } from '../../../core/domain/dates.js';
import { explanations } from '../../../tools/truth/explanations.js';
import { judge } from '../../../tools/truth/judge.js';
import { objectionsTo } from '../../../tools/truth/objections.js';
import { shapeOf } from '../../../tools/truth/shape.js';
import { linesOf, tablesOf } from '../../../tools/truth/table.js';

const FIRST = '2025-06-02';
const CURRENCIES = ['EUR', 'JPY', 'GBP', 'CHF', 'SEK', 'NOK'];

/** Weekdays and a price that rises by half a per cent a day. */
const DAYS = Array.from({ length: 60 }, (_, index) => addDays(FIRST, index)).filter((day) => !isWeekend(day));
const price = (currency: string, index: number) => (CURRENCIES.indexOf(currency) + 1) * 1.005 ** index;

function row(provider: string, date: string, quote: string, rate: number): RawRow {
  return { provider, date, base: 'USD', quote, rate };
}

/** Rows of three providers that agree, and those of `provider`, whose rate of a day is made of its index. */
function rows(provider: string, rateOf: (currency: string, index: number) => number): RawRow[] {
  return DAYS.flatMap((date, index) =>
    CURRENCIES.flatMap((currency) => [
      ...['AAA', 'BBB', 'CCC'].map((key) => row(key, date, currency, price(currency, index))),
      row(provider, date, currency, rateOf(currency, index)),
    ]),
  );
}

const seriesOf = (provider: string, made: RawRow[]) =>
  judge(made).comparisons.filter((one) => one.provider === provider);

describe('judge', () => {
  it('finds nothing in rates that agree', () => {
    const { comparisons, deviations, otherDays } = judge(rows('DDD', price));
    expect(comparisons).toHaveLength(4 * CURRENCIES.length);
    expect(comparisons.every(({ median, lag }) => median === 0 && lag === 0)).toBe(true);
    expect([deviations, otherDays]).toEqual([[], []]);
  });

  it('names the provider and day of a wrong unit, and of none of the others', () => {
    const factor = (currency: string, index: number) => (currency === 'JPY' && index === 7 ? 100 : 1);
    const made = rows('DDD', (currency, index) => price(currency, index) * factor(currency, index));
    const { deviations } = judge(made);
    expect(deviations).toEqual([
      { provider: 'DDD', quote: 'JPY', date: DAYS[7], deviation: expect.closeTo(99), explanation: undefined },
    ]);
    const yen = seriesOf('DDD', made).find(({ quote }) => quote === 'JPY');
    expect(yen?.worst).toMatchObject({ date: DAYS[7], shape: 'x100' });
  });

  it.each([
    [1, 'follow'],
    [-1, 'come before'],
  ])('tells that rates are those of other days: by %i where they %s the others', (days) => {
    const shifted = rows('DDD', (currency, index) => price(currency, index - days));
    expect(seriesOf('DDD', shifted).filter(({ lag }) => lag === days)).toHaveLength(CURRENCIES.length);
  });

  it('counts a rate of a near day as near, not as a deviation', () => {
    const day = DAYS[20] ?? '';
    const late = rows('DDD', price);
    for (const one of late) {
      if (one.date > day || (one.date === day && one.provider !== 'DDD')) one.rate *= 1.1;
    }
    expect(judge(late).deviations).toEqual([]);
    expect(seriesOf('DDD', late).filter(({ near }) => near === 1)).toHaveLength(CURRENCIES.length);
  });

  it('compares a pegged currency with its peg, and a currency that nobody else has with nothing', () => {
    const made = [row('AAA', FIRST, 'AED', 3.8), row('AAA', FIRST, 'XYZ', 1)];
    const [dirham, alone] = judge(made).comparisons;
    expect(dirham?.median).toBeCloseTo(3.8 / 3.6725 - 1);
    expect(alone).toMatchObject({ quote: 'XYZ', compared: 0, median: undefined });
  });

  it('compares a currency whose peg has ended with what others say', () => {
    const of = (date: string) =>
      judge([row('AAA', date, 'ANG', 1.8), row('BBB', date, 'ANG', 1.6)]).comparisons[0]?.median;
    expect(of('2025-06-30')).toBeCloseTo(1.8 / 1.79 - 1);
    expect(of('2025-07-01')).toBeCloseTo(1.8 / 1.6 - 1);
  });

  it('finds the day whose rates a provider gives under another date', () => {
    const made = rows('DDD', (currency, index) => price(currency, index < 30 ? index : index - 20));
    const found = judge(made).otherDays;
    expect(found[0]).toMatchObject({ provider: 'DDD', date: DAYS[30], like: DAYS[10] });
  });
});

describe('objectionsTo', () => {
  it('objects to what deviates without an explanation, to slips and to suspects', () => {
    const wrong: [RawRow, string][] = [
      [row('DDD', FIRST, 'JPY', 1), 'unexplained deviation'],
      [row('BOB', '2019-03-19', 'CNY', 1), 'wrong figure'],
      [row('AAA', '2025-06-04', 'XYZ', 30), 'suspect'],
    ];
    const right = [
      row('AAA', FIRST, 'JPY', 100),
      row('BBB', FIRST, 'JPY', 100),
      row('AAA', '2019-03-19', 'CNY', 6.7),
      row('BOB', '2019-03-19', 'JPY', 100),
      row('AAA', '2025-06-02', 'XYZ', 3),
      row('AAA', '2025-06-03', 'XYZ', 3.01),
    ];
    expect([...objectionsTo([...right, ...wrong.map(([one]) => one)])]).toEqual(wrong);
  });
});

describe('shapeOf', () => {
  it.each([
    [100, 1, 'x100'],
    [1.04, 10.2, '/10'],
    [0.02, 48, 'inverse'],
    [1.3, 1, undefined],
    [3, 1, undefined],
  ])('%d beside %d is %s', (rate, others, shape) => {
    expect(shapeOf(rate, others)).toBe(shape);
  });
});

describe('the tables', () => {
  it('list what is unexplained, and make a document', () => {
    const verdict = judge(rows('DDD', (currency, index) => price(currency, index) * (index === 7 ? 0.5 : 1)));
    const lines = linesOf(verdict);
    expect(lines).toContain(`DDD EUR ${DAYS[7]}: -50.00 % off, unexplained`);
    expect(lines.at(-1)).toBe('24 series, 6 deviations, 6 unexplained');
    expect(tablesOf(verdict)).toContain('| DDD | 6 | 6 |');
  });
});

describe('explanations', () => {
  it('are about a range, single days or all of them, and none without a limit but what never ships', () => {
    for (const one of explanations) {
      expect(one.days === undefined || one.from === undefined, one.provider).toBe(true);
      expect(one.most !== undefined || one.kind === 'slip', one.provider).toBe(true);
    }
  });
});
