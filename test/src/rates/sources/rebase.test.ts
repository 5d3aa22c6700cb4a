import { describe, expect, it } from 'vitest';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { rebaseEachDate, rebaseWithin } from '../../../../src/rates/sources/rebase.js';

const row = (date: string, base: string, quote: string, rate: number): RawRow => {
  return { provider: 'A', date, base, quote, rate };
};
const day = '1998-03-02';

describe('rebasing within one provider', () => {
  it('echoes a published pair, inverts one the other way round, crosses the rest', () => {
    const rows = [row(day, 'EUR', 'USD', 1.0845), row(day, 'EUR', 'JPY', 161.32)];
    expect(rebaseWithin(rows, day, 'EUR', 'EUR')).toEqual([
      { quote: 'JPY', date: day, rate: 161.32, published: true },
      { quote: 'USD', date: day, rate: 1.0845, published: true },
    ]);
    expect(rebaseWithin(rows, day, 'USD', 'EUR')).toEqual([
      { quote: 'EUR', date: day, rate: 1 / 1.0845, published: false },
      { quote: 'JPY', date: day, rate: 161.32 / 1.0845, published: false },
    ]);
  });

  it('needs no dollar', () => {
    const rows = [row(day, 'DEM', 'FRF', 3.35), row(day, 'ITL', 'DEM', 0.001)];
    expect(rebaseWithin(rows, day, 'FRF', 'DEM')).toEqual([
      { quote: 'DEM', date: day, rate: 1 / 3.35, published: false },
      { quote: 'ITL', date: day, rate: 1 / (3.35 * 0.001), published: false },
    ]);
  });

  it('crosses over the pivot before any other shared currency', () => {
    const rows = [
      row(day, 'AUD', 'CHF', 1),
      row(day, 'AUD', 'NOK', 2),
      row(day, 'CHF', 'SEK', 10),
      row(day, 'NOK', 'SEK', 6),
    ];
    const sek = (pivot: string | null) =>
      rebaseWithin(rows, day, 'AUD', pivot).find(({ quote }) => quote === 'SEK')?.rate;
    expect([sek('NOK'), sek('CHF'), sek(null)]).toEqual([12, 10, 10]);
  });

  it('leaves out what it cannot reach, and everything where it never names the base', () => {
    const rows = [row(day, 'EUR', 'USD', 1.1), row(day, 'GBP', 'INR', 100)];
    expect(rebaseWithin(rows, day, 'EUR', 'EUR').map(({ quote }) => quote)).toEqual(['USD']);
    expect(rebaseWithin(rows, day, 'CHF', 'EUR')).toEqual([]);
  });

  it('carries 14 days and dates each rate by the row that names the quote', () => {
    const rows = [row('1998-02-16', 'EUR', 'USD', 1.1), row(day, 'EUR', 'JPY', 150)];
    expect(rebaseWithin(rows, day, 'USD', 'EUR')).toMatchObject([
      { quote: 'EUR', date: '1998-02-16' },
      { quote: 'JPY', date: day },
    ]);
    expect(rebaseWithin(rows, '1998-03-03', 'USD', 'EUR')).toEqual([]);
  });

  it('gives each date of a window the rates that are of that date', () => {
    const rows = [row('1998-03-02', 'EUR', 'USD', 1.1), row('1998-03-03', 'EUR', 'JPY', 150)];
    const days = [...rebaseEachDate(rows, { from: '1998-03-02', to: '1998-03-04' }, 'USD', 'EUR')];
    expect(days.map(({ date, rates }) => [date, rates.map(({ quote }) => quote)])).toEqual([
      ['1998-03-02', ['EUR']],
      ['1998-03-03', ['JPY']],
    ]);
  });
});
