import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Columns, columnsOf, rateAt } from '../../../core/columns/columns.js';
import { blendedPeriods } from '../../../core/columns/means.js';
import { addDays, dayNumber, periodAround } from '../../../core/domain/dates.js';
import { inForce, pegs } from '../../../core/domain/pegs.js';

const DAYS = 50;
/** Pegged to the euro, the dollar and the pound, for good, from a day on or up to one; and what floats. */
const CODES = ['XOF', 'AED', 'FKP', 'TMT', 'ANG', 'EUR', 'GBP'];
/** Before the days on which the pegs of the franc and the manat begin, and that of the guilder ends. */
const starts = fc.constantFrom('1998-12-03', '2014-12-05', '2025-06-01', '2026-02-01');
const row = fc.record({
  at: fc.nat(DAYS),
  quote: fc.constantFrom(...CODES),
  rate: fc.double({ min: 0.1, max: 900, noNaN: true }),
});
const rows = fc.uniqueArray(row, { maxLength: 120, selector: ({ at, quote }) => `${at} ${quote}` });

it('a mean is that of the days of its week or month in their order, or its peg times the mean of the anchor', () => {
  fc.assert(
    fc.property(starts, rows, fc.constantFrom('week', 'month'), (from, given, period) => {
      const dated = given
        .map(({ at, ...rest }) => ({ date: addDays(from, at), ...rest }))
        .sort((one, other) => (one.date < other.date ? -1 : 1));
      const first = (date: string) => periodAround(period, date).from;
      const last = (date: string) => periodAround(period, date).to;
      const means = new Map<string, number>();
      for (const key of new Set(dated.map(({ date, quote }) => `${first(date)} ${quote}`))) {
        const rates = dated.filter(({ date, quote }) => key === `${first(date)} ${quote}`);
        means.set(key, rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length);
      }
      const expected = [...means].map(([key, mean]) => {
        const [date = '', quote = ''] = key.split(' ');
        const peg = pegs.find(
          (one) => one.quote === quote && inForce(one)(dayNumber(date), dayNumber(last(date))),
        );
        const anchor = peg && (peg.base === 'USD' ? 1 : means.get(`${date} ${peg.base}`));
        return [key, peg && anchor !== undefined ? peg.rate * anchor : mean];
      });
      const series = columnsOf(
        dated.map(({ date, quote, rate }) => [
          quote,
          { days: Int32Array.of(dayNumber(date)), rates: Float64Array.of(rate) },
        ]),
      );
      expect(new Map(ratesIn(blendedPeriods(series)[`${period}s`]))).toEqual(
        new Map(expected as [string, number][]),
      );
    }),
  );
});

function ratesIn({ days, byQuote }: Columns): [string, number][] {
  return [...days].flatMap((day, index) =>
    [...byQuote].flatMap(([quote, column]): [string, number][] => {
      const rate = rateAt(column, index);
      return quote === 'USD' || Number.isNaN(rate) ? [] : [[`${addDays('1970-01-01', day)} ${quote}`, rate]];
    }),
  );
}
