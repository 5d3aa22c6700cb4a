import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPegs } from '../../../../core/domain/blend/apply-pegs.js';
import { blend, sourcesOf } from '../../../../core/domain/blend/blend.js';
import { addDays } from '../../../../core/domain/dates.js';
import { pegs } from '../../../../core/domain/pegs.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { AS_OF, rawRows } from './arbitrary-rows.js';
import { blendEachDate } from './blend-each-date.js';
import { referenceBlend, referencePegs } from './reference.js';

const close = (found: number | undefined, wanted: number, what: string) =>
  expect(Math.abs((found ?? Number.NaN) / wanted - 1), what).toBeLessThan(1e-12);

describe('the blend of any rows', () => {
  it('is that of the reference, with sources, outliers and pegs', () => {
    fc.assert(
      fc.property(rawRows, (rows) => {
        const blends = blend(rows, AS_OF);
        const wanted = referenceBlend(rows, AS_OF);
        expect(blends.map(({ quote, date }) => [quote, date])).toEqual(
          wanted.map(({ quote, date }) => [quote, date]),
        );
        wanted.forEach(({ quote, rate, providers }, index) => {
          const found = blends[index];
          close(found?.rate, rate, quote);
          const sources = found ? sourcesOf(found) : [];
          expect(sources.map(({ provider, date, excluded }) => [provider, date, Number(excluded)])).toEqual(
            providers.map(([provider, date, , excluded]) => [provider, date, excluded]),
          );
          providers.forEach(([key, , share], place) => {
            close(sources[place]?.rate, share, `${quote} of ${key}`);
          });
        });
        const pegged = applyPegs(blends, pegs);
        const wantedPegs = referencePegs(wanted, pegs);
        expect(pegged.map(({ quote, date }) => [quote, date])).toEqual(
          wantedPegs.map(({ quote, date }) => [quote, date]),
        );
        wantedPegs.forEach(({ quote, rate }, index) => {
          close(pegged[index]?.rate, rate, quote);
        });
      }),
      propertyRuns(300),
    );
  });

  it('does not depend on the order of the rows, to the last digit', () => {
    fc.assert(
      fc.property(
        rawRows.chain((rows) =>
          fc.tuple(
            fc.constant(rows),
            fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
          ),
        ),
        ([rows, shuffled]) => {
          expect(blend(shuffled, AS_OF)).toEqual(blend(rows, AS_OF));
        },
      ),
    );
  });

  it('grows with a currency that is counted in smaller units', () => {
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

  it('is the same whichever of two currencies a provider of one pair takes as the base', () => {
    fc.assert(
      fc.property(rawRows, (rows) => {
        const dollars = rows.filter(({ base, quote }) => base === 'USD' || quote === 'USD');
        const first = dollars.filter(
          (row, index) =>
            dollars.findIndex(
              (other) =>
                other.provider === row.provider &&
                [other.base, other.quote].sort().join() === [row.base, row.quote].sort().join(),
            ) === index,
        );
        const turned = first.map(({ base, quote, rate, ...row }) => {
          return { ...row, base: quote, quote: base, rate: 1 / rate };
        });
        const wanted = blend(first, AS_OF);
        const found = blend(turned, AS_OF);
        expect(found.map(({ quote, date }) => [quote, date])).toEqual(
          wanted.map(({ quote, date }) => [quote, date]),
        );
        wanted.forEach(({ quote, rate }, index) => {
          close(found[index]?.rate, rate, quote);
        });
      }),
    );
  });

  it('lies between the lowest and the highest rate that counts', () => {
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

  it('of each date of a window is that of the date alone', () => {
    fc.assert(
      fc.property(rawRows, fc.nat(20), fc.nat(10), (rows, before, length) => {
        const window = { from: addDays(AS_OF, -before), to: addDays(AS_OF, length - before) };
        const sorted = rows.toSorted((one, other) => (one.date < other.date ? -1 : 1));
        const days = [...blendEachDate(sorted, window)];
        const observed = new Set(rows.map(({ date }) => date));
        expect(days.map(({ date }) => date)).toEqual(
          [...observed].filter((date) => date >= window.from && date <= window.to).sort(),
        );
        for (const { date, blends } of days) expect(blends).toEqual(blend(rows, date));
      }),
    );
  });
});
