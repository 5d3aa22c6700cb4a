import { expect, it } from 'vitest';
import * as carrying from '../../../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../../../core/domain/blend/dollar-pivot.js';

it('a series keeps its newest row, of one day the last, and is carried for fourteen days after it', () => {
  const series = carrying.seriesOf(carrying.createCarriedRows(), 'A', 'USD', 'NOK');
  expect(carrying.isCarried(series, 5)).toBe(false);
  carrying.observe(series, 5, 10);
  carrying.observe(series, 4, 9);
  expect(series).toMatchObject({ day: 5, rate: 10 });
  carrying.observe(series, 5, 11);
  expect(series).toMatchObject({ day: 5, rate: 11 });
  expect([5, 19, 20].map((day) => carrying.isCarried(series, day))).toEqual([true, true, false]);
});

it('a series is one for each provider and pair, also where it was made as a bridge', () => {
  const carried = carrying.createCarriedRows();
  const of = (provider: string, base: string, quote: string) =>
    carrying.seriesOf(carried, provider, base, quote);
  const cross = of('A', 'EUR', 'NOK');
  expect(of('A', 'EUR', 'NOK')).toBe(cross);
  for (const other of [of('B', 'EUR', 'NOK'), of('A', 'NOK', 'EUR')]) expect(other).not.toBe(cross);
  const [dollarQuote, dollarBase] = [of('A', 'USD', 'NOK'), of('A', 'USD', 'EUR')];
  expect(cross.bridges).toEqual({ dollarQuote, dollarBase, baseDollar: of('A', 'EUR', 'USD') });
  for (const dollars of [dollarQuote, of('A', 'NOK', 'USD')]) expect(dollars.bridges).toBeUndefined();
});

it('series stand in the order of provider, base and quote, also when another is added', () => {
  const carried = carrying.createCarriedRows();
  const names = () =>
    carrying.sortedSeries(carried).map(({ provider, base, quote }) => provider + base + quote);
  for (const [provider, quote] of Object.entries({ B: 'NOK', AB: 'NOK', A: 'SEK' }))
    carrying.seriesOf(carried, provider, 'USD', quote);
  expect(names()).toEqual(['AUSDSEK', 'ABUSDNOK', 'BUSDNOK']);
  carrying.seriesOf(carried, 'A', 'USD', 'NOK');
  expect(names()).toEqual(['AUSDNOK', 'AUSDSEK', 'ABUSDNOK', 'BUSDNOK']);
});

it.each([
  ['USD/NOK', undefined, { quote: 'NOK', rate: 8, rises: true }],
  ['NOK/USD', undefined, { quote: 'NOK', rate: 0.125, rises: false }],
  ['EUR/NOK', 'USD/NOK', { quote: 'EUR', rate: 0.5, rises: false }],
  ['EUR/NOK', 'USD/EUR', { quote: 'NOK', rate: 32, rises: true }],
  ['EUR/NOK', 'EUR/USD', { quote: 'NOK', rate: 2, rises: true }],
  ['EUR/NOK', 'NOK/USD', undefined],
  ['EUR/NOK', undefined, undefined],
])('8 for %s, with 4 for %s, gives a currency in dollars', (pair, bridge, figure) => {
  const carried = carrying.createCarriedRows();
  const series = (of: string) => carrying.seriesOf(carried, 'A', of.slice(0, 3), of.slice(4));
  if (bridge) carrying.observe(series(bridge), 1, 4);
  const converted = figure && { ...figure, bridge: bridge && series(bridge) };
  expect(toDollars(series(pair), 8, 1)).toEqual(converted);
  // The bridge has left the window; a pair with the dollar needs none.
  expect(toDollars(series(pair), 8, 16)).toEqual(bridge ? undefined : converted);
});
