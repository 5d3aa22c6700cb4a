import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as matrix from '../../../core/columns/columns.js';
import { propertyRuns } from '../../support/property-runs.js';

const DAYS = 60;
const rate = fc.double({ min: 0.5, max: 1.5, noNaN: true });
const byDay = fc.array(fc.tuple(fc.nat(DAYS), rate), { maxLength: 40 }).map((rows) => new Map(rows));
/** Some currencies on some days, one of them here and there for long without. */
const someRates = fc
  .tuple(byDay, byDay, byDay)
  .map(([aud, eur, zar]) => new Map(Object.entries({ AUD: aud, EUR: eur, ZAR: zar })));
type Rates = ReadonlyMap<string, ReadonlyMap<number, number>>;

function columns(rates: Rates, isWanted = (_day: number) => true) {
  return matrix.columnsOf(
    [...rates].map(([code, byDay]) => {
      const days = Int32Array.from([...byDay.keys()].filter(isWanted));
      return [code, { days, rates: Float64Array.from(days, (day) => byDay.get(day) ?? 0) }] as const;
    }),
  );
}

/** All in which matrices may differ. */
function contentOf({ quotes, byQuote, columns, days, rates }: matrix.Columns) {
  expect([...byQuote]).toEqual(quotes.map((quote, index) => [quote, columns[index]]));
  for (const column of columns) expect(column.rates).toBe(rates);
  const layout = columns.map(({ first, step }) => [first, step]);
  return { quotes, layout, days: [...days], rates: [...rates] };
}

it('columns store each rate at its index, whatever their order, and a dollar for each day', () => {
  fc.assert(
    fc.property(someRates, (rates) => {
      const { days, quotes, byQuote } = columns(rates);
      const all = new Set([...rates.values()].flatMap((byDay) => [...byDay.keys()]));
      expect([...days]).toEqual([...all].sort((one, other) => one - other));
      expect([...byQuote.keys()]).toEqual(quotes);
      for (const [code, column] of byQuote) {
        const wanted = (day: number) => (code === 'USD' ? 1 : (rates.get(code)?.get(day) ?? Number.NaN));
        expect([...days].map((_, index) => matrix.rateAt(column, index))).toEqual([...days].map(wanted));
      }
    }),
    propertyRuns(400),
  );
});

it('columns are the same after a window was replaced as made anew', () => {
  fc.assert(
    fc.property(someRates, someRates, fc.nat(DAYS), fc.nat(12), (before, other, from, length) => {
      const isWithin = (day: number) => day >= from && day <= from + length;
      const after = new Map<string, Map<number, number>>();
      for (const [code, byDay] of before) {
        const kept = [...byDay].filter(([day]) => !isWithin(day));
        const fresh = [...(other.get(code) ?? [])].filter(([day]) => isWithin(day));
        after.set(code, new Map([...kept, ...fresh]));
      }
      const old = columns(before);
      const replaced = matrix.replaceWindow(old, columns(other, isWithin), from, from + length);
      expect(contentOf(replaced)).toEqual(contentOf(columns(after)));
      // What is being read meanwhile stays as it is.
      expect(contentOf(old)).toEqual(contentOf(columns(before)));
    }),
    propertyRuns(900),
  );
});

it('columns are the same from a message, with the same memory, and from a local copy, and always in shared memory', () => {
  fc.assert(
    fc.property(someRates, (rates) => {
      const made = columns(rates);
      const received = matrix.receivedColumns(structuredClone(made));
      const kept = matrix.receivedColumns(deserialize(serialize(made)));
      for (const each of [made, received, kept]) {
        expect(contentOf(each)).toEqual(contentOf(made));
        for (const { buffer } of [each.days, each.rates]) expect(buffer).toBeInstanceOf(SharedArrayBuffer);
      }
      received.rates.fill(7);
      expect(made.rates).toEqual(received.rates);
    }),
    propertyRuns(200),
  );
});

it('memory of columns that were replaced is freed', () => {
  const day = columns(new Map([['AUD', new Map([[0, 1]])]]));
  const days = Int32Array.from({ length: 10_000 }, (_, day) => day);
  const series = Array.from(
    { length: 100 },
    (_, quote) => [`Q${quote}`, { days, rates: new Float64Array(days) }] as const,
  );
  let current = matrix.columnsOf(series);
  const before = process.memoryUsage.rss();
  const { byteLength } = current.rates;
  for (let version = 0; version < 100; version++) current = matrix.replaceWindow(current, day, 0, 0);
  expect(process.memoryUsage.rss() - before).toBeLessThan(50 * byteLength);
});

it('days are found where they are, however unevenly they lie', () => {
  const step = fc.oneof(fc.nat(2), fc.nat(40), fc.nat(3_000));
  const steps = fc.array(step, { maxLength: 150 });
  fc.assert(
    fc.property(steps, fc.array(fc.nat(9_000), { maxLength: 50 }), (steps, others) => {
      let day = 0;
      const days = Int32Array.from(steps, (step) => (day += step));
      for (const wanted of [-1, day + 1, ...others, ...days]) {
        const first = days.findIndex((each) => each >= wanted);
        expect(matrix.firstFrom(days, wanted)).toBe(first < 0 ? days.length : first);
        expect(matrix.lastUpTo(days, wanted)).toBe(days.findLastIndex((each) => each <= wanted));
      }
    }),
    propertyRuns(900),
  );
});
