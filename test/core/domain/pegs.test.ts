import { expect, it } from 'vitest';
import { dayNumber } from '../../../core/domain/dates.js';
import { inForce, isAnchor, type Peg, pegOf, pegs, withAnchors } from '../../../core/domain/pegs.js';

it('the pegs that ship are one for each pegged currency, to anchors that float, and found by it', () => {
  expect(new Set(pegs.map(({ quote }) => quote)).size).toBe(pegs.length);
  expect(pegs.filter(({ base }) => pegOf(base))).toEqual([]);
  expect(pegOf('XOF')).toMatchObject({ base: 'EUR', rate: 655.957, since: '1999-01-01' });
  expect(['EUR', 'USD', 'XOF', 'JPY'].map(isAnchor)).toEqual([true, true, false, false]);
  const ended = pegs.filter(({ until }) => until);
  expect(ended.map(({ quote, until }) => [quote, until])).toEqual([['ANG', '2025-07-01']]);
});

it('a peg is in force on each of its days, and through a period only on all of its days', () => {
  const peg: Peg = {
    ...{ quote: 'DKK', base: 'EUR', rate: 7.46, since: '2020-01-01', until: '2021-01-01' },
    ...{ authority: 'an authority', source: 'https://example.com' },
  };
  const on = (first: string, last = first, given = peg) => inForce(given)(dayNumber(first), dayNumber(last));
  const days = ['2019-12-31', '2020-01-01', '2020-12-31', '2021-01-01'];
  expect(days.map((day) => on(day))).toEqual([false, true, true, false]);
  expect(on('2999-12-31', '2999-12-31', { ...peg, until: undefined })).toBe(true);
  expect(on('2020-01-01', '2020-12-31')).toBe(true);
  expect(on('2019-12-31', '2020-12-31')).toBe(false);
  expect(on('2020-01-01', '2021-01-01')).toBe(false);
});

it('currencies are joined by those that they are pegged to', () => {
  const all = [...withAnchors(['XOF', 'JPY', 'AED', 'XAF'])];
  expect(all.sort()).toEqual(['AED', 'EUR', 'JPY', 'USD', 'XAF', 'XOF']);
  expect([...withAnchors([])]).toEqual([]);
});
