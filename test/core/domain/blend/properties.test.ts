import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyPegs } from '../../../../core/domain/blend/apply-pegs.js';
import { addDays, dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { pegs } from '../../../../core/domain/pegs.js';
import { blendsOn } from '../../../../src/rates/sources/day-blends.js';
import { tableOf } from '../../../src/rates/sources/in-memory.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { AS_OF, rawRows } from './arbitrary-rows.js';
import { blend, sourcesOf } from './blending.js';
import { expectBlends, expectRates, referenceBlend, referencePegs } from './reference.js';

it('the blend of any rows is that of the reference, with sources, outliers and pegs', () => {
  fc.assert(
    fc.property(rawRows, (rows) => {
      const blends = blend(rows, AS_OF);
      const wanted = referenceBlend(rows, AS_OF);
      expectBlends(blends, wanted);
      expectRates(applyPegs(blends, pegs), referencePegs(wanted, pegs));
    }),
    propertyRuns(300),
  );
});

it('the blend of any rows does not depend on the order of the rows, to the last digit', () => {
  const shuffled = rawRows.chain((rows) => {
    const all = { minLength: rows.length, maxLength: rows.length };
    return fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, all));
  });
  fc.assert(
    fc.property(shuffled, ([rows, others]) => {
      expect(blend(others, AS_OF)).toEqual(blend(rows, AS_OF));
    }),
  );
});

it('the blend of any rows grows with a currency that is counted in smaller units', () => {
  // A power of two changes no digit, so that the results can be compared exactly.
  fc.assert(
    fc.property(rawRows, fc.integer({ min: -8, max: 8 }), (rows, exponent) => {
      const factor = 2 ** exponent;
      const scaled = rows.map(({ rate, ...row }) => {
        if (row.quote === 'NOK') return { ...row, rate: rate * factor };
        return { ...row, rate: row.base === 'NOK' ? rate / factor : rate };
      });
      const wanted = blend(rows, AS_OF).map(({ quote, date, rate, excluded }) => {
        return { quote, date, rate: quote === 'NOK' ? rate * factor : rate, excluded };
      });
      expect(blend(scaled, AS_OF)).toMatchObject(wanted);
    }),
  );
});

it('the blend of any rows is the same whichever of two currencies a provider of one pair takes as the base', () => {
  fc.assert(
    fc.property(rawRows, (rows) => {
      const dollars = rows.filter(({ base, quote }) => base === 'USD' || quote === 'USD');
      const keyOf = ({ provider, base, quote }: (typeof rows)[0]) => provider + [base, quote].sort();
      const first = [...new Map(dollars.toReversed().map((row) => [keyOf(row), row])).values()];
      const turned = first.map(({ base, quote, rate, ...row }) => {
        return { ...row, base: quote, quote: base, rate: 1 / rate };
      });
      expectRates(blend(turned, AS_OF), blend(first, AS_OF));
    }),
  );
});

it('the blend of any rows lies between the lowest and the highest rate that counts', () => {
  fc.assert(
    fc.property(rawRows, (rows) => {
      for (const one of blend(rows, AS_OF)) {
        const counted = sourcesOf(one).flatMap(({ excluded, rate }) => (excluded ? [] : [rate]));
        expect(one.rate).toBeGreaterThanOrEqual(Math.min(...counted) * (1 - 1e-12));
        expect(one.rate).toBeLessThanOrEqual(Math.max(...counted) * (1 + 1e-12));
      }
    }),
  );
});

it('the blend of each date of a window is that of the date alone', () => {
  fc.assert(
    fc.property(rawRows, fc.nat(20), fc.nat(10), (rows, before, length) => {
      const window = { from: addDays(AS_OF, -before), to: addDays(AS_OF, length - before) };
      const days = [...blendsOn(tableOf(rows), { from: dayNumber(window.from), to: dayNumber(window.to) })];
      const observed = new Set(rows.map(({ date }) => date));
      const within = [...observed].filter((date) => date >= window.from && date <= window.to);
      expect(days.map(({ day }) => fromDayNumber(day))).toEqual(within.sort());
      for (const { day, blends } of days)
        expect([...blends.values()]).toEqual(blend(rows, fromDayNumber(day)));
    }),
  );
});
