import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Columns, columnsOf, joinColumns, rateAt } from '../../../../core/columns/columns.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { arbitraryDay, arbitraryRates, columnsFrom, FIRST_DAY, type Rates, ratesOf } from './reference.js';

/** The rates of columns by currency and day. */
function contentOf({ quotes, byQuote, days }: Columns) {
  return quotes.map((quote) => {
    const column = byQuote.get(quote);
    return [quote, [...days].map((day, dayIndex) => [day, column && rateAt(column, dayIndex)])];
  });
}

function between(rates: Rates, from: number, to: number): Rates {
  const isWithin = ([day]: readonly [number, number]) => day >= from && day <= to;
  return new Map([...rates].map(([code, byDay]) => [code, new Map([...byDay].filter(isWithin))]));
}

describe('columns that are joined', () => {
  it('are those of all parts, each from its first day to its last', () => {
    const windows = fc.tuple(arbitraryDay, fc.nat(20), fc.nat(20));
    const check = (one: Rates, other: Rates, [from, length, next]: [number, number, number]) => {
      const middle = from + length;
      const to = middle + next;
      const joined = joinColumns([
        { columns: columnsFrom(one), from, to: middle },
        { columns: columnsFrom(other), from: middle + 1, to },
      ]);
      const parts = [between(one, from, middle), between(other, middle + 1, to)];
      const ofCode = (code: string) => new Map(parts.flatMap((part) => [...(part.get(code) ?? [])]));
      const expected = columnsFrom(new Map([...one.keys()].map((code) => [code, ofCode(code)])));
      // A currency without a rate in these days may have a column.
      const filled = contentOf(expected);
      expect(contentOf(joined).filter(([quote]) => filled.some(([code]) => code === quote))).toEqual(filled);
      expect([...joined.days]).toEqual([...expected.days]);
      expect(joined.quotes).toEqual(joined.quotes.toSorted());
    };
    fc.assert(fc.property(arbitraryRates, arbitraryRates, windows, check), propertyRuns(3_000));
  });

  it('have the wanted currencies as far as any part knows them, and the dollar', () => {
    const columns = columnsFrom(ratesOf({ CHF: { 0: 0.8 }, EUR: { 0: 0.9 } }));
    const parts = [{ columns, from: FIRST_DAY, to: FIRST_DAY }];
    expect(joinColumns(parts, ['EUR', 'NOK']).quotes).toEqual(['EUR', 'USD']);
    expect(joinColumns(parts, []).quotes).toEqual(['USD']);
    expect(joinColumns(parts).quotes).toEqual(['CHF', 'EUR', 'USD']);
    expect(joinColumns([{ columns, from: FIRST_DAY + 1, to: FIRST_DAY + 9 }]).quotes).toEqual([]);
  });

  it('leave out a part that ends before it begins', () => {
    const columns = columnsFrom(ratesOf({ EUR: { 0: 0.9, 1: 0.8, 5: 0.7 } }));
    const joined = joinColumns([
      { columns, from: FIRST_DAY, to: FIRST_DAY },
      { columns, from: FIRST_DAY + 5, to: FIRST_DAY },
      { columns, from: FIRST_DAY + 5, to: FIRST_DAY + 5 },
    ]);
    expect([...joined.days]).toEqual([FIRST_DAY, FIRST_DAY + 5]);
  });
});

describe('columns', () => {
  it('of another pivot have it with 1 on each day', () => {
    const days = Int32Array.of(3, 5);
    const columns = columnsOf([['USD', { days, rates: Float64Array.of(1.1, 1.2) }]], 'EUR');
    const rates = contentOf(columns).map(([quote, byDay]) => [quote, Object.fromEntries(byDay as [])]);
    expect(Object.fromEntries(rates)).toEqual({ EUR: { 3: 1, 5: 1 }, USD: { 3: 1.1, 5: 1.2 } });
  });

  it('without any rates have neither days nor currencies', () => {
    const nothing = columnsOf([['EUR', { days: new Int32Array(), rates: new Float64Array() }]]);
    expect([nothing.quotes, [...nothing.days], nothing.byQuote.size]).toEqual([[], [], 0]);
  });
});
