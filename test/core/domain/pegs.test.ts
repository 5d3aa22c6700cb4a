import { describe, expect, it } from 'vitest';
import { isCurrency } from '../../../core/domain/currencies.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { inForce, isAnchor, type Peg, pegOf, pegs, withAnchors } from '../../../core/domain/pegs.js';

describe('the pegs that ship', () => {
  it('are between currencies, one for each pegged one, and to anchors that float', () => {
    expect(new Set(pegs.map(({ quote }) => quote)).size).toBe(pegs.length);
    for (const { quote, base } of pegs) {
      expect([quote, base].every(isCurrency), `${quote} to ${base}`).toBe(true);
      expect(pegOf(base), `${quote} to ${base}`).toBeUndefined();
    }
  });

  it('are found by the pegged currency', () => {
    expect(pegOf('XOF')).toMatchObject({ base: 'EUR', rate: 655.957, since: '1999-01-01' });
    expect(pegOf('EUR')).toBeUndefined();
  });

  it('tell to which currencies others are pegged', () => {
    expect(['EUR', 'USD', 'XOF', 'JPY'].map(isAnchor)).toEqual([true, true, false, false]);
  });

  it('end with the currency where nothing else is said', () => {
    expect(pegs.flatMap(({ quote, until }) => (until ? [[quote, until]] : []))).toEqual([
      ['ANG', '2025-07-01'],
    ]);
  });
});

describe('a peg', () => {
  const peg: Peg = {
    quote: 'DKK',
    base: 'EUR',
    rate: 7.46,
    since: '2020-01-01',
    until: '2021-01-01',
    authority: 'an authority',
    source: 'https://example.com',
  };
  const on = (given: Peg, first: string, last = first) => inForce(given)(dayNumber(first), dayNumber(last));

  it('is in force from its first day to the day before its end', () => {
    const days = ['2019-12-31', '2020-01-01', '2020-12-31', '2021-01-01'];
    expect(days.map((day) => on(peg, day))).toEqual([false, true, true, false]);
    expect(on({ ...peg, until: undefined }, '2999-12-31')).toBe(true);
  });

  it('is in force through a period only on all of its days', () => {
    expect(on(peg, '2020-01-01', '2020-12-31')).toBe(true);
    expect(on(peg, '2019-12-31', '2020-12-31')).toBe(false);
    expect(on(peg, '2020-01-01', '2021-01-01')).toBe(false);
  });
});

it('currencies are joined by those that they are pegged to', () => {
  expect([...withAnchors(['XOF', 'JPY', 'AED', 'XAF'])].sort()).toEqual([
    'AED',
    'EUR',
    'JPY',
    'USD',
    'XAF',
    'XOF',
  ]);
  expect([...withAnchors([])]).toEqual([]);
});
