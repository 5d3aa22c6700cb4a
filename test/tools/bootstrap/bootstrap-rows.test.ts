import { describe, expect, it } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { pegs } from '../../../core/domain/pegs.js';
import { lastRichDay, selectBootstrapRows } from '../../../tools/bootstrap/bootstrap-rows.js';

/** Rows such as `A 2026-03-03`, of the baht per dollar, or `A 2026-03-03 USD LYD`. */
function rowsOf(...texts: string[]): RawRow[] {
  return texts.map((text) => {
    const [provider = '', date = '', base = 'USD', quote = 'THB'] = text.split(' ');
    return { provider, date, base, quote, rate: 1 };
  });
}

function select(texts: string[]): string[] {
  return selectBootstrapRows(rowsOf(...texts), '2025-03-03', '2026-03-03').map(
    ({ provider, date, base, quote }) => `${provider} ${date} ${base} ${quote}`,
  );
}

describe('lastRichDay', () => {
  it('is the last day on which ten providers published', () => {
    const first = [...'ABCDEFGHIJ'].map((key) => `${key} 2026-03-03`);
    const second = [...'BCDEFGHIJ'].map((key) => `${key} 2026-03-04`);
    expect(lastRichDay(rowsOf(...first, ...second), { minCurrencies: 2 })).toBe('2026-03-03');
    expect(lastRichDay(rowsOf(...first.slice(1), ...second), { minCurrencies: 2 })).toBeUndefined();
  });

  it('counts the currencies of the thirty days before, those pegged to them, and no retired ones', () => {
    const rows = rowsOf('A 2025-12-01 USD LYD', 'A 2025-12-31 THB BGN', 'A 2026-01-01 THB BGN');
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
    const kept = ['A 2025-03-03 USD THB', 'A 2026-03-03 USD THB'];
    expect(select(['A 2025-03-02', ...kept, 'A 2026-03-04'])).toEqual(kept);
  });

  it('keeps the last month of a pair that ends before them, with what the provider says of the dollar', () => {
    const [earlier, ...last] = ['1998-11-02', '1998-12-01', '1998-12-31'].map((date) => [
      `BBK ${date} ATS DEM`,
      `BBK ${date} USD DEM`,
    ]);
    const kept = [...last.flat(), 'BBK 2026-03-03 USD DEM'];
    expect(select([...(earlier ?? []), ...kept])).toEqual(kept);
  });
});
