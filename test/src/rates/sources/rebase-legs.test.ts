import { expect, it } from 'vitest';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { rebaseWithin } from '../../../../src/rates/sources/rebase.js';

const row = (date: string, base: string, quote: string, rate: number): RawRow => {
  return { provider: 'A', date, base, quote, rate };
};

it.each([
  ['older than that of the base', '2026-03-10', '2026-03-02'],
  ['newer than that of the base', '2026-03-02', '2026-03-10'],
])('a crossed rate has the day of the row that names its quote, here %s', (_which, ofBase, ofQuote) => {
  const rows = [row(ofBase, 'EUR', 'USD', 1.25), row(ofQuote, 'EUR', 'JPY', 150)];
  expect(rebaseWithin(rows, '2026-03-10', 'USD', 'EUR')).toEqual([
    { quote: 'EUR', date: ofBase, rate: 0.8, published: false },
    { quote: 'JPY', date: ofQuote, rate: 120, published: false },
  ]);
});
