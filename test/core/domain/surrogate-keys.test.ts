import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { keysOfAnswer, keysOfChange, type RatesOfAnswer } from '../../../core/domain/surrogate-keys.js';

const MONTHS = ['2025-12', '2026-01', '2026-02', '2026-03'];
const ECB = { provider: 'ECB' };

it.each<[RatesOfAnswer, from: string, to: string, keys: string[]]>([
  ['blend', '2025-12-30', '2026-03-17', MONTHS.map((month) => `b-${month}`)],
  ['all', '2025-12-30', '2026-03-17', MONTHS.map((month) => `raw-${month}`)],
  [ECB, '2026-03-17', '2026-03-17', ['ecb-2026-03', 'any-2026-03']],
  // Of more than 24 months those of the years.
  ['blend', '2024-01-31', '2026-01-01', ['b-2024', 'b-2025', 'b-2026']],
])('an answer of %j, %s to %s, has the keys of the months of its days', (of, from, to, keys) => {
  expect(keysOfAnswer(of, { from, to })).toEqual(keys);
  expect(keysOfAnswer('blend', { from: '2024-01-31', to: '2025-12-01' })).toHaveLength(24);
});

it('a change has the keys of all that it may change', () => {
  const months = ['b-2026-03', 'b-2026', 'raw-2026-03', 'raw-2026', 'ecb-2026-03', 'ecb-2026'];
  expect(keysOfChange({ from: '2026-03-01', to: '2026-03-17' }, 'ECB')).toEqual(['now', ...months]);
  expect(keysOfChange({ from: '2026-03-17', to: '2026-03-17' }, null)).toContain('any-2026-03');
});

const range = fc
  .tuple(fc.integer({ min: -20_000, max: 40_000 }), fc.nat(3_000))
  .map(([first, days]) => ({ from: fromDayNumber(first), to: fromDayNumber(first + days) }));
const rates = fc.constantFrom<RatesOfAnswer>('blend', 'all', ECB);

it('an answer with a day in common with a change has a key in common with it', () => {
  fc.assert(
    fc.property(rates, fc.constantFrom('ECB', null), range, range, (of, changedBy, days, changed) => {
      fc.pre(days.from <= changed.to && changed.from <= days.to);
      const purged = new Set(keysOfChange(changed, changedBy));
      expect(keysOfAnswer(of, days).some((key) => purged.has(key))).toBe(true);
    }),
  );
});

it("another provider's change leaves the answers of one as they are", () => {
  fc.assert(
    fc.property(range, range, (days, changed) => {
      const purged = new Set(keysOfChange(changed, 'BOE'));
      expect(keysOfAnswer(ECB, days).some((key) => purged.has(key))).toBe(false);
    }),
  );
});
