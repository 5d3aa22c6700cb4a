import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Columns, receivedColumns, replaceWindow } from '../../../../core/columns/columns.js';
import { firstDayOf } from '../../../../core/domain/dates.js';
import { hashMonths, nameOfMonths } from '../../../../src/rates/snapshot/month-hashes.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { arbitraryRates, columnsFrom, daysOf, type Rates, ratesOf } from './reference.js';

const hashBetween = (columns: Columns, from: number, to: number) =>
  nameOfMonths(hashMonths(columns), { from, to });
const monthOf = (day: number) => firstDayOf('month', day);
const aRate = fc.double({ min: 0.5, max: 200, noNaN: true });

/** All that the hash of a month may depend on. */
function contentOf(rates: Rates, month: number): string {
  const ofMonth = [...rates].map(([code, byDay]) => {
    const rows = [...byDay].filter(([day]) => monthOf(day) === month);
    return [code, rows.sort(([one], [other]) => one - other)] as const;
  });
  const rated = ofMonth
    .filter(([, rows]) => rows.length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(rated);
}

/** The hash of each month, by the month's first day. */
function hashesOf(columns: Columns): Map<number, string> {
  return new Map(hashMonths(columns).map(({ from, hash }) => [monthOf(from), hash]));
}

/** The same columns, made otherwise: with another currency that has no rates in these days, and with other bits for "no rate". */
function otherwise(rates: Rates): Columns[] {
  const columns = columnsFrom(rates);
  const days = daysOf(rates);
  const far = (days.at(-1) ?? 0) + 100;
  const wider = columnsFrom(new Map([...rates, ['AAA', new Map([[far, 2]])]]));
  const kept = receivedColumns(deserialize(serialize(columns)));
  const bits = new BigUint64Array(kept.rates.buffer);
  for (let index = 0; index < bits.length; index++)
    if (Number.isNaN(kept.rates[index])) bits[index] = 0xfff8_0000_0000_1234n;
  const middle = days[days.length >> 1] ?? 0;
  const anew = replaceWindow(columnsFrom(ratesOf({ CHF: { 0: 3, 45: 4 } })), columns, 0, far);
  return [wider, kept, anew, replaceWindow(columns, windowOf(rates, middle, middle + 9), middle, middle + 9)];
}

function windowOf(rates: Rates, from: number, to: number): Columns {
  return columnsFrom(between(rates, (day) => day >= from && day <= to));
}

function between(rates: Rates, isWithin: (day: number) => boolean): Rates {
  return new Map(
    [...rates].map(([code, byDay]) => [code, new Map([...byDay].filter(([day]) => isWithin(day)))]),
  );
}

describe('the hash of a month', () => {
  it('is the same for the same rates, whatever else columns have and however they came about', () => {
    fc.assert(
      fc.property(arbitraryRates, (rates) => {
        const expected = hashesOf(columnsFrom(rates));
        for (const columns of otherwise(rates)) {
          const found = hashesOf(columns);
          for (const [month, hash] of expected) expect(found.get(month)).toBe(hash);
        }
      }),
      propertyRuns(2_000),
    );
  });

  it('is another one with another rate, day or currency', () => {
    fc.assert(
      fc.property(arbitraryRates, arbitraryRates, (one, other) => {
        const seen = new Map<string, string>();
        for (const rates of [one, other]) {
          for (const [month, hash] of hashesOf(columnsFrom(rates))) {
            const content = contentOf(rates, month);
            expect(seen.get(hash) ?? content).toBe(content);
            seen.set(hash, content);
          }
        }
      }),
      propertyRuns(2_000),
    );
  });

  it('changes with the last bit of a rate, the day of a rate, its currency, and a rate more or less', () => {
    const day = 20_500;
    const pick = fc.tuple(fc.constantFrom('CHF', 'EUR', 'GBP'), fc.nat(9), aRate);
    const change = (rates: Rates, code: string, by: (byDay: Map<number, number>) => void): Rates => {
      const changed = new Map(rates.get(code));
      by(changed);
      return new Map([...rates, [code, changed]]);
    };
    fc.assert(
      fc.property(pick, fc.array(pick, { maxLength: 12 }), ([code, at, rate], others) => {
        let rates: Rates = new Map();
        for (const [one, on, value] of [...others, [code, at, rate] as const])
          rates = change(rates, one, (byDay) => byDay.set(day + on, value));
        const add = (days: number, value: number) => (byDay: Map<number, number>) =>
          byDay.set(day + days, value);
        const remove = (byDay: Map<number, number>) => byDay.delete(day + at);
        const changed = [
          change(rates, code, add(at, rate * (1 + Number.EPSILON))),
          change(rates, code, add(11, rate)),
          change(change(rates, code, remove), code, add(12, rate)),
          change(change(rates, code, remove), 'NOK', add(at, rate)),
          change(rates, 'NOK', add(at, rate)),
        ];
        const hashes = [rates, ...changed].map((each) => hashBetween(columnsFrom(each), day, day + 12));
        expect(new Set(hashes).size).toBe(hashes.length);
      }),
      propertyRuns(2_000),
    );
  });

  it('is right where hashes of older columns are taken over', () => {
    const windows = fc.tuple(fc.integer({ min: 20_495, max: 20_555 }), fc.nat(20));
    fc.assert(
      fc.property(arbitraryRates, arbitraryRates, windows, (before, after, [from, length]) => {
        const to = from + length;
        const old = columnsFrom(before);
        const replaced = replaceWindow(old, windowOf(after, from, to), from, to);
        expect(hashMonths(replaced, hashMonths(old), { from, to })).toEqual(hashMonths(replaced));
      }),
      propertyRuns(2_000),
    );
  });

  it('is that of several months as of their hashes, and nothing where there are no rates', () => {
    const columns = columnsFrom(ratesOf({ EUR: { 0: 0.9, 30: 0.8, 45: 0.7 } }));
    const [first = 0, last = 0] = [columns.days[0], columns.days.at(-1)];
    const whole = hashBetween(columns, first, last);
    expect(hashBetween(columns, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(whole);
    expect(new Set([whole, ...hashesOf(columns).values()]).size).toBe(hashesOf(columns).size + 1);
    expect(hashBetween(columns, last + 60, last + 90)).toBe('');
  });
});
