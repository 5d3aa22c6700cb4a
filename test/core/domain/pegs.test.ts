import { describe, expect, it } from 'vitest';
import { isCurrency } from '../../../core/domain/currencies.js';
import { isAnchor, pegOf, pegs } from '../../../core/domain/pegs.js';

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
});
