import { describe, expect, it } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { addDays, isWeekend } from '../../../core/domain/dates.js';
import { deviationsIn } from '../../../tools/truth/deviations.js';
import { explanations, isTrusted } from '../../../tools/truth/explanations.js';
import { objectionsTo } from '../../../tools/truth/objections.js';

const FIRST = '2025-06-02';
const CURRENCIES = ['EUR', 'JPY', 'GBP', 'CHF', 'SEK', 'NOK'];

/** Weekdays and a price that rises by half a per cent a day. */
const DAYS = Array.from({ length: 60 }, (_, index) => addDays(FIRST, index)).filter((day) => !isWeekend(day));
const price = (currency: string, index: number) => (CURRENCIES.indexOf(currency) + 1) * 1.005 ** index;

function row(provider: string, date: string, quote: string, rate: number): RawRow {
  return { provider, date, base: 'USD', quote, rate };
}

/** Rows of three providers that agree, and those of `DDD`, whose rate of a day is made of its index. */
function rows(rateOf: (currency: string, index: number) => number): RawRow[] {
  return DAYS.flatMap((date, index) =>
    CURRENCIES.flatMap((currency) => [
      ...['AAA', 'BBB', 'CCC'].map((key) => row(key, date, currency, price(currency, index))),
      row('DDD', date, currency, rateOf(currency, index)),
    ]),
  );
}

const deviations = (made: RawRow[]) => deviationsIn(made, isTrusted);

describe('deviations', () => {
  it('are none in rates that agree', () => {
    expect(deviations(rows(price))).toEqual([]);
  });

  it('name the provider and day of a wrong unit, and none of the others', () => {
    const factor = (currency: string, index: number) => (currency === 'JPY' && index === 7 ? 100 : 1);
    expect(deviations(rows((currency, index) => price(currency, index) * factor(currency, index)))).toEqual([
      { provider: 'DDD', quote: 'JPY', date: DAYS[7], deviation: expect.closeTo(99) },
    ]);
  });

  it('leave out a rate of a near day', () => {
    const day = DAYS[20] ?? '';
    const late = rows(price);
    for (const one of late) {
      if (one.date > day || (one.date === day && one.provider !== 'DDD')) one.rate *= 1.1;
    }
    expect(deviations(late)).toEqual([]);
  });

  it('compare a pegged currency with its peg, and a currency that nobody else has with nothing', () => {
    expect(deviations([row('AAA', FIRST, 'AED', 3.8), row('AAA', FIRST, 'XYZ', 1)])).toEqual([
      { provider: 'AAA', quote: 'AED', date: FIRST, deviation: expect.closeTo(3.8 / 3.6725 - 1) },
    ]);
  });

  it('compare a currency whose peg has ended with what others say', () => {
    const of = (date: string) =>
      deviations([row('AAA', date, 'ANG', 1.9), row('BBB', date, 'ANG', 1.6)])[0]?.deviation;
    expect(of('2025-06-30')).toBeCloseTo(1.9 / 1.79 - 1);
    expect(of('2025-07-01')).toBeCloseTo(1.9 / 1.6 - 1);
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

describe('explanations', () => {
  it('are about a range, single days or all of them, and none without a limit but what never ships', () => {
    for (const one of explanations) {
      expect(one.days === undefined || one.from === undefined, one.provider).toBe(true);
      expect(one.most !== undefined || one.kind === 'slip', one.provider).toBe(true);
    }
  });
});
