import fc from 'fast-check';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { addDays } from '../../../../core/domain/dates.js';

export const AS_OF = '2026-03-20';

/** About how many units a dollar costs. */
const LEVELS: Readonly<Record<string, number>> = {
  AUD: 1.5,
  CHF: 0.8,
  EUR: 0.9,
  JPY: 150,
  NOK: 10,
  USD: 1,
  XOF: 590,
};
const codes = Object.keys(LEVELS);

const pair = fc
  .tuple(fc.constantFrom(...codes), fc.constantFrom(...codes))
  .filter(([base, quote]) => base !== quote);

/**
 * What a few providers may have published about a day: each (provider, date, base, quote) at most once, from three weeks
 * before it to three days after it. Most rates lie within two percent of the truth, some far off.
 */
export const rawRows: fc.Arbitrary<RawRow[]> = fc
  .uniqueArray(
    fc.record({
      provider: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
      age: fc.integer({ min: -3, max: 21 }),
      pair,
      error: fc.oneof(
        { weight: 9, arbitrary: fc.integer({ min: -200, max: 200 }) },
        { weight: 1, arbitrary: fc.integer({ min: -9000, max: 30_000 }) },
      ),
    }),
    { maxLength: 60, selector: ({ provider, age, pair }) => `${provider} ${age} ${pair}` },
  )
  .map((rows) =>
    rows.map(({ provider, age, pair: [base, quote], error }) => {
      const rate = ((LEVELS[quote] ?? 1) / (LEVELS[base] ?? 1)) * (1 + error / 10_000);
      return { provider, date: addDays(AS_OF, -age), base, quote, rate: Number(rate.toPrecision(6)) };
    }),
  );
