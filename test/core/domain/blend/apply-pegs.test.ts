import { expect, it } from 'vitest';
import { blendedDay } from '../../../../core/domain/blend/apply-pegs.js';

const DAY = '2026-03-02';
const euro = { quote: 'EUR', date: DAY, rate: 0.5 };
const of = (quote: string, rates: ReturnType<typeof blendedDay>) =>
  rates.find((rate) => rate.quote === quote);

it('a day has its blends, the pegs over them and the dollar, which costs one', () => {
  const rates = blendedDay(DAY, [euro, { quote: 'AED', date: DAY, rate: 3.7 }]);
  expect(of('EUR', rates)).toEqual(euro);
  expect(of('AED', rates)).toEqual({ quote: 'AED', date: DAY, rate: 3.6725 });
  expect(of('XOF', rates)).toEqual({ quote: 'XOF', date: DAY, rate: 655.957 / 2 });
  expect(rates.at(-1)).toEqual({ quote: 'USD', date: DAY, rate: 1 });
});

it('what was carried from an earlier day is no rate of this one', () => {
  const rates = blendedDay(DAY, [euro, { quote: 'NOK', date: '2026-03-01', rate: 10 }]);
  expect(of('NOK', rates)).toBeUndefined();
  expect(of('USD', rates)).toBeDefined();
});

it('a day without a rate of its own has none, not even the dollar', () => {
  expect(blendedDay(DAY, [{ quote: 'NOK', date: '2026-03-01', rate: 10 }])).toEqual([]);
  expect(blendedDay(DAY, [])).toEqual([]);
});

it.each([
  ['1998-12-31', '1998-12-31', 1.67],
  ['1999-01-04', '1998-12-31', 1.95583 / 2],
  ['1999-01-04', '1999-01-04', 1.95583 / 2],
])('a peg holds from its first day: on %s with a rate of %s', (day, date, rate) => {
  const blends = [
    { quote: 'EUR', date: day, rate: 0.5 },
    { quote: 'DEM', date, rate: 1.67 },
  ];
  expect(of('DEM', blendedDay(day, blends))).toEqual({ quote: 'DEM', date: day, rate });
});
