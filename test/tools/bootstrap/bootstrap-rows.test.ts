import { describe, expect, it } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { pegs } from '../../../core/domain/pegs.js';
import { lastRichDay, selectBootstrapRows } from '../../../tools/bootstrap/bootstrap-rows.js';

function row(provider: string, date: string, base = 'USD', quote = 'THB'): RawRow {
  return { provider, date, base, quote, rate: 1 };
}

const KEYS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];

function select(rows: RawRow[], hasHistory = (_: RawRow) => true): string[] {
  return selectBootstrapRows(rows, '2025-03-03', '2026-03-03', hasHistory).map(
    ({ provider, date, base, quote }) => `${provider} ${date} ${base} ${quote}`,
  );
}

describe('lastRichDay', () => {
  it('is the last day on which ten providers published', () => {
    const rows = [
      ...KEYS.map((key) => row(key, '2026-03-03')),
      ...KEYS.slice(1).map((key) => row(key, '2026-03-04')),
    ];
    expect(lastRichDay(rows, { minCurrencies: 2 })).toBe('2026-03-03');
    expect(lastRichDay(rows.slice(1), { minCurrencies: 2 })).toBeUndefined();
  });

  it('counts the currencies of the thirty days before, those pegged to them, and no retired ones', () => {
    const rows = [
      row('A', '2025-12-01', 'USD', 'LYD'),
      row('A', '2025-12-31', 'THB', 'BGN'),
      row('A', '2026-01-01', 'THB', 'BGN'),
    ];
    const pegged = pegs.filter(({ base, until }) => base === 'USD' && until === undefined).length;
    const last = (minCurrencies: number) => lastRichDay(rows, { minProviders: 1, minCurrencies });
    expect(last(pegged + ['USD', 'LYD', 'THB', 'BGN'].length)).toBe('2025-12-31');
    expect(last(pegged + ['USD', 'LYD', 'THB', 'BGN'].length + 1)).toBeUndefined();
    expect(last(['THB'].length)).toBe('2026-01-01');
    expect(last(['THB', 'BGN'].length)).toBe('2025-12-31');
  });
});

describe('selectBootstrapRows', () => {
  it('keeps the days from the first to the last, both included', () => {
    expect(
      select(['2025-03-02', '2025-03-03', '2026-03-03', '2026-03-04'].map((date) => row('A', date))),
    ).toEqual(['A 2025-03-03 USD THB', 'A 2026-03-03 USD THB']);
  });

  it('keeps the last month of a pair that ends before them, with what the provider says of the dollar', () => {
    const rows = ['1998-11-02', '1998-12-01', '1998-12-31'].flatMap((date) => [
      row('BBK', date, 'ATS', 'DEM'),
      row('BBK', date, 'USD', 'DEM'),
    ]);
    const today = row('BBK', '2026-03-03', 'USD', 'DEM');
    expect(select([...rows, today])).toEqual([
      'BBK 1998-12-01 ATS DEM',
      'BBK 1998-12-01 USD DEM',
      'BBK 1998-12-31 ATS DEM',
      'BBK 1998-12-31 USD DEM',
      'BBK 2026-03-03 USD DEM',
    ]);
  });

  it('keeps the history of much traded currencies, each year from the provider with the most days', () => {
    const now = ['SBP', 'CBK'].flatMap((key) => [
      row(key, '2026-03-03', 'CHF', key === 'SBP' ? 'PKR' : 'KES'),
    ]);
    const rows = [
      row('SBP', '2020-05-04', 'CHF', 'PKR'),
      row('SBP', '2020-05-04', 'USD', 'PKR'),
      row('SBP', '2020-05-05', 'CHF', 'PKR'),
      row('SBP', '2020-05-05', 'THB', 'PKR'),
      row('CBK', '2020-05-06', 'CHF', 'KES'),
      row('CBK', '2021-05-06', 'CHF', 'KES'),
      row('SBP', '2026-03-03', 'THB', 'PKR'),
      ...now,
    ];
    expect(select(rows)).toEqual([
      'SBP 2020-05-04 CHF PKR',
      'SBP 2020-05-04 USD PKR',
      'SBP 2020-05-05 CHF PKR',
      'CBK 2021-05-06 CHF KES',
      'SBP 2026-03-03 THB PKR',
      'SBP 2026-03-03 CHF PKR',
      'CBK 2026-03-03 CHF KES',
    ]);
    expect(select(rows, ({ provider }) => provider !== 'SBP')).toContain('CBK 2020-05-06 CHF KES');
  });
});
