import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Columns, rateAt } from '../../../core/columns/columns.js';
import { meansOf } from '../../../core/columns/means.js';
import { recomputeMeans, replaceBlendedDays } from '../../../core/database/blended-rates.js';
import { inBulkTransaction, inOneView } from '../../../core/database/transactions.js';
import { addDays, dayNumber } from '../../../core/domain/dates.js';
import { loadSnapshot } from '../../../src/rates/snapshot/snapshot.js';
import { propertyRuns } from '../../support/property-runs.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase();

const DAYS = 50;
/** Pegged to the euro, the dollar and the pound, for good, from a day on or up to one; and what floats. */
const CODES = ['XOF', 'AED', 'FKP', 'TMT', 'ANG', 'EUR', 'GBP'];
/** Before the days on which the pegs of the franc and the manat begin, and that of the guilder ends. */
const starts = fc.constantFrom('1998-12-03', '2014-12-05', '2025-06-01', '2026-02-01');
const rate = fc.double({ min: 0.1, max: 900, noNaN: true });
const row = fc.record({ at: fc.nat(DAYS), quote: fc.constantFrom(...CODES), rate });
const rates = fc.array(row, { maxLength: 120 });
const EVER = { from: '1990-01-01', to: '2030-01-01' };

it('stored means of weeks and months are those that are computed of the days, to the last digit', async () => {
  await fc.assert(
    fc.asyncProperty(starts, rates, async (from, given) => {
      const window = { from: addDays(from, -31), to: addDays(from, DAYS + 31) };
      const dated = given.map(({ at, quote, rate }) => ({ date: addDays(from, at), quote, rate }));
      const dollars = dated.map(({ date }) => ({ date, quote: 'USD', rate: 1 }));
      const byKey = new Map([...dated, ...dollars].map((row) => [`${row.date} ${row.quote}`, row]));
      await inBulkTransaction(database, async (transaction) => {
        await replaceBlendedDays(transaction, EVER, [...byKey.values()]);
        await recomputeMeans(transaction, EVER);
      });
      const { days, weeks, months } = await inOneView(database, loadSnapshot);
      const range = { from: dayNumber(window.from), to: dayNumber(window.to) };
      expect(ratesIn(weeks)).toEqual(ratesIn(meansOf(days, 'week', range)));
      expect(ratesIn(months)).toEqual(ratesIn(meansOf(days, 'month', range)));
    }),
    propertyRuns(300),
  );
});

function ratesIn({ days, byQuote }: Columns): [number, string, number][] {
  return [...days].flatMap((day, index) =>
    [...byQuote].flatMap(([quote, column]): [number, string, number][] => {
      const rate = rateAt(column, index);
      return Number.isNaN(rate) ? [] : [[day, quote, rate]];
    }),
  );
}
