import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { keysOfAnswer, keysOfChange, type RatesOfAnswer } from '../../../core/domain/surrogate-keys.js';

const RANGE = { from: '2025-12-30', to: '2026-03-17' };
const MONTHS = ['2025-12', '2026-01', '2026-02', '2026-03'];

test('an answer has the keys of the months of its days', () => {
  expect(keysOfAnswer('blend', RANGE)).toEqual(MONTHS.map((month) => `b-${month}`));
  expect(keysOfAnswer('all', RANGE)).toEqual(MONTHS.map((month) => `raw-${month}`));
  expect(keysOfAnswer({ provider: 'ECB' }, { from: '2026-03-17', to: '2026-03-17' })).toEqual([
    'ecb-2026-03',
    'any-2026-03',
  ]);
});

test('an answer of more than 24 months has the keys of its years', () => {
  expect(keysOfAnswer('blend', { from: '2024-01-31', to: '2025-12-01' })).toHaveLength(24);
  expect(keysOfAnswer('blend', { from: '2024-01-31', to: '2026-01-01' })).toEqual([
    'b-2024',
    'b-2025',
    'b-2026',
  ]);
});

test('a change has the keys of all that it may change', () => {
  expect(keysOfChange({ from: '2026-03-01', to: '2026-03-17' }, 'ECB')).toEqual([
    'now',
    'b-2026-03',
    'b-2026',
    'raw-2026-03',
    'raw-2026',
    'ecb-2026-03',
    'ecb-2026',
  ]);
  expect(keysOfChange({ from: '2026-03-17', to: '2026-03-17' }, null)).toContain('any-2026-03');
});

const range = fc
  .tuple(fc.integer({ min: -20_000, max: 40_000 }), fc.integer({ min: 0, max: 3_000 }))
  .map(([first, days]) => ({ from: fromDayNumber(first), to: fromDayNumber(first + days) }));
const rates = fc.constantFrom<RatesOfAnswer>('blend', 'all', { provider: 'ECB' });
const provider = fc.constantFrom('ECB', null);

test('an answer with a day in common with a change has a key in common with it', () => {
  fc.assert(
    fc.property(rates, provider, range, range, (of, changedBy, days, changed) => {
      fc.pre(days.from <= changed.to && changed.from <= days.to);
      const purged = new Set(keysOfChange(changed, changedBy));
      expect(keysOfAnswer(of, days).some((key) => purged.has(key))).toBe(true);
    }),
  );
});

test("another provider's change leaves the answers of one as they are", () => {
  fc.assert(
    fc.property(range, range, (days, changed) => {
      const purged = new Set(keysOfChange(changed, 'BOE'));
      expect(keysOfAnswer({ provider: 'ECB' }, days).some((key) => purged.has(key))).toBe(false);
    }),
  );
});
