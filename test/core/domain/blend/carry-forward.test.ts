import { describe, expect, it } from 'vitest';
import {
  createCarriedRows,
  isCarried,
  observe,
  seriesOf,
  sortedSeries,
} from '../../../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../../../core/domain/blend/dollar-pivot.js';

describe('a series', () => {
  it('keeps its newest row, and of one day the last', () => {
    const series = seriesOf(createCarriedRows(), 'A', 'USD', 'NOK');
    observe(series, 5, 10);
    observe(series, 4, 9);
    expect(series).toMatchObject({ day: 5, rate: 10 });
    observe(series, 5, 11);
    expect(series).toMatchObject({ day: 5, rate: 11 });
  });

  it('is carried for fourteen days after its newest row, and not before the first', () => {
    const series = seriesOf(createCarriedRows(), 'A', 'USD', 'NOK');
    expect(isCarried(series, 5)).toBe(false);
    observe(series, 5, 10);
    expect([5, 19, 20].map((day) => isCarried(series, day))).toEqual([true, true, false]);
  });

  it('is one for each provider and pair, also where it was made as a bridge', () => {
    const carried = createCarriedRows();
    const cross = seriesOf(carried, 'A', 'EUR', 'NOK');
    expect(seriesOf(carried, 'A', 'EUR', 'NOK')).toBe(cross);
    expect(seriesOf(carried, 'B', 'EUR', 'NOK')).not.toBe(cross);
    expect(seriesOf(carried, 'A', 'NOK', 'EUR')).not.toBe(cross);
    expect(cross.bridges).toEqual({
      dollarQuote: seriesOf(carried, 'A', 'USD', 'NOK'),
      dollarBase: seriesOf(carried, 'A', 'USD', 'EUR'),
      baseDollar: seriesOf(carried, 'A', 'EUR', 'USD'),
    });
    expect(seriesOf(carried, 'A', 'USD', 'NOK').bridges).toBeUndefined();
    expect(seriesOf(carried, 'A', 'NOK', 'USD').bridges).toBeUndefined();
  });

  it('stands in the order of provider, base and quote, also when another is added', () => {
    const carried = createCarriedRows();
    const names = () => sortedSeries(carried).map(({ provider, base, quote }) => provider + base + quote);
    for (const [provider, base, quote] of ['B USD NOK', 'AB USD NOK', 'A USD SEK'].map((one) =>
      one.split(' '),
    ))
      seriesOf(carried, provider ?? '', base ?? '', quote ?? '');
    expect(names()).toEqual(['AUSDSEK', 'ABUSDNOK', 'BUSDNOK']);
    seriesOf(carried, 'A', 'USD', 'NOK');
    expect(names()).toEqual(['AUSDNOK', 'AUSDSEK', 'ABUSDNOK', 'BUSDNOK']);
  });
});

it.each([
  ['USD/NOK', undefined, { quote: 'NOK', rate: 8, rises: true }],
  ['NOK/USD', undefined, { quote: 'NOK', rate: 0.125, rises: false }],
  ['EUR/NOK', 'USD/NOK', { quote: 'EUR', rate: 0.5, rises: false }],
  ['EUR/NOK', 'USD/EUR', { quote: 'NOK', rate: 32, rises: true }],
  ['EUR/NOK', 'EUR/USD', { quote: 'NOK', rate: 2, rises: true }],
  ['EUR/NOK', 'NOK/USD', undefined],
  ['EUR/NOK', undefined, undefined],
])('8 for %s, with 4 for %s, tells of a currency in dollars', (pair, bridge, figure) => {
  const carried = createCarriedRows();
  const series = (of: string) => {
    const [base = '', quote = ''] = of.split('/');
    return seriesOf(carried, 'A', base, quote);
  };
  if (bridge) observe(series(bridge), 1, 4);
  expect(toDollars(series(pair), 8, 1)).toEqual(figure);
  // The bridge has left the window; a pair with the dollar needs none.
  expect(toDollars(series(pair), 8, 16)).toEqual(bridge ? undefined : figure);
});
