import { expect, it } from 'vitest';
import { currencies, isCurrency, lifetimeOf } from '../../../core/domain/currencies.js';
import { pegs } from '../../../core/domain/pegs.js';
import { providers } from '../../../core/domain/providers.js';

it.each([
  ['CHF', { iso_numeric: '756', name: 'Swiss Franc', symbol: 'CHF' }],
  ['DEM', { iso_numeric: '276', name: 'Deutsche Mark', symbol: 'DM' }],
  ['XEU', { iso_numeric: '954', name: 'European Currency Unit' }],
  ['XDR', { iso_numeric: '960', name: 'Special Drawing Rights' }],
  ['JEP', { iso_numeric: null, name: 'Jersey Pound', symbol: '£' }],
  ['XCG', { iso_numeric: '532', name: 'Caribbean Guilder' }],
])('currencies: %s', (code, facts) =>
  expect(currencies.get(code)).toMatchObject({ iso_code: code, ...facts }),
);

it('currencies are found by their codes, and hold every code that other data names', () => {
  expect([...currencies].every(([code, facts]) => facts.iso_code === code)).toBe(true);
  const anchors = pegs.flatMap(({ base, quote }) => [base, quote]);
  const named = [...anchors, ...providers.flatMap(({ pivot_currency }) => pivot_currency ?? [])];
  expect(named.filter((code) => !isCurrency(code))).toEqual([]);
  expect(['XXX', 'XTS', 'SDR', 'ECU', 'CMD', 'GOLD', 'eur', ''].filter(isCurrency)).toEqual([]);
});

const byEuro = (ratio: number, since: string) => {
  const fixed = expect.objectContaining({
    since,
    regulation: expect.stringMatching(/^Council Regulation \(E/),
  });
  return { code: 'EUR', ratio, fixed };
};

it.each([
  ['EUR', { from: '1999-01-04' }],
  ['HRK', { from: '1994-05-30', until: '2023-01-01', successor: byEuro(7.5345, '2023-01-01') }],
  ['YUN', { from: '1990-01-01', until: '1994-01-24' }],
  ['ANG', { until: '2025-07-01', successor: { code: 'XCG', ratio: 1 } }],
  ['DEM', { until: '2002-01-01', successor: byEuro(1.95583, '1999-01-01') }],
  ['USD', {}],
  ['XEU', { from: '1979-03-13', until: '1999-01-04', successor: byEuro(1, '1999-01-01') }],
])('currencies have lifetimes: %s', (code, lifetime) => expect(lifetimeOf(code)).toEqual(lifetime));
