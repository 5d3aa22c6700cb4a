import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPairs } from '../../../core/database/bulk/read-rates.js';
import { newestVersion } from '../../../core/database/data-versions.js';
import { spanOfRates } from '../../../core/database/rates.js';
import { sql } from '../../../core/database/sql.js';
import { inOneView, inTransaction } from '../../../core/database/transactions.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { event } from '../../support/event.js';
import { propertyRuns } from '../../support/property-runs.js';
import { storeRows } from '../../support/rates.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase('rates', 'rate_revisions', 'data_versions');
const providers = ['ECB', 'BOC'];

/** The rates, and the days that they span, as they were known at an instant. */
async function knownAt(instant?: number) {
  const rows: string[] = [];
  const selection = { providers, ...(instant !== undefined && { knownAt: instant }) };
  return inOneView(database, async (view) => {
    await readPairs(view, selection, ({ provider, base, quote, each }) =>
      each((day, rate) => rows.push([fromDayNumber(day), rate, provider, base, quote].join())),
    );
    return { rates: rows.sort(), span: await spanOfRates(view, providers, '2026-12-31', instant) };
  });
}

it('gives at the instant of every data version the rates that were stored then, whatever came since', async () => {
  const row = fc.record({
    provider: fc.constantFrom(...providers),
    date: fc.constantFrom('2026-03-02', '2026-03-03', '2026-03-04'),
    base: fc.constant('EUR'),
    quote: fc.constantFrom('USD', 'GBP'),
    rate: fc.integer({ min: 1, max: 3 }),
  });
  const stores = fc.array(fc.array(row, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(stores, async (stores) => {
      await database.pool.query('truncate rates, rate_revisions, data_versions restart identity');
      const then = new Map<number, unknown>();
      for (const rows of stores) {
        await storeRows(database, rows);
        const version = await inOneView(database, newestVersion);
        then.set(version?.createdAt ?? 0, await knownAt());
      }
      for (const [instant, known] of then) expect(await knownAt(instant)).toEqual(known);
    }),
    propertyRuns(25),
  );
});

it('records what writers store that begin at once at instants in the order of their versions', async () => {
  const row = { date: '2026-03-02', base: 'EUR', quote: 'USD' };
  const allBegan = event();
  let begun = 0;
  const store = (rate: number) =>
    inTransaction(database, async (transaction) => {
      // PostgreSQL's own time of a transaction is that of its first statement.
      await transaction.query(sql`select 1 as one`);
      if (++begun === 4) allBegan.happen();
      await allBegan.happened;
      await storeAndBlend(transaction, 'ECB', [{ ...row, rate }]);
    });
  await Promise.all([1.1, 1.2, 1.3, 1.4].map(store));
  const versions = await rowsOf(database, 'select created_at from data_versions order by version');
  const instants = versions.map(([at]) => Number(at));
  expect(instants).toEqual([...new Set(instants)].sort());
  const revisions = await rowsOf(database, 'select recorded_at, replaced_at from rate_revisions order by id');
  expect(revisions.map((one) => one.map(Number))).toEqual([0, 1, 2].map((at) => instants.slice(at, at + 2)));
});
