import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eachRate } from '../../../core/database/bulk/read-rates.js';
import { newestVersion } from '../../../core/database/data-versions.js';
import { spanOfRates } from '../../../core/database/rates.js';
import { sql } from '../../../core/database/sql.js';
import { inOneView, inTransaction } from '../../../core/database/transactions.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { storeRows } from '../../support/rates.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => database.pool.query('truncate rates, rate_revisions, data_versions restart identity'));
afterAll(() => database?.close());

async function ratesAt(knownAt?: number): Promise<string[]> {
  const rows: string[] = [];
  const selection = { providers: ['ECB', 'BOC'], ...(knownAt !== undefined && { knownAt }) };
  await inOneView(database, (view) =>
    eachRate(view, selection, (day, rate, provider, base, quote) =>
      rows.push([fromDayNumber(day), rate, provider, base, quote].join()),
    ),
  );
  return rows.sort();
}

const spanAt = (knownAt?: number) =>
  inOneView(database, (view) => spanOfRates(view, ['ECB', 'BOC'], '2026-12-31', knownAt));

it('gives at the instant of every data version the rates that were stored then, whatever came since', async () => {
  const row = fc.record({
    provider: fc.constantFrom('ECB', 'BOC'),
    date: fc.constantFrom('2026-03-02', '2026-03-03', '2026-03-04'),
    base: fc.constant('EUR'),
    quote: fc.constantFrom('USD', 'GBP'),
    rate: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(row, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
      async (stores) => {
        await database.pool.query('truncate rates, rate_revisions, data_versions restart identity');
        const then = new Map<number, { rates: string[]; span: unknown }>();
        for (const rows of stores) {
          await storeRows(database, rows);
          const version = await inOneView(database, newestVersion);
          then.set(version?.createdAt ?? 0, { rates: await ratesAt(), span: await spanAt() });
        }
        for (const [instant, { rates, span }] of then) {
          expect(await ratesAt(instant)).toEqual(rates);
          expect(await spanAt(instant)).toEqual(span);
        }
      },
    ),
    propertyRuns(25),
  );
});

it('records what writers store that begin at once at instants in the order of their versions', async () => {
  const row = { date: '2026-03-02', base: 'EUR', quote: 'USD' };
  let begun = 0;
  let begin = () => {};
  const allBegan = new Promise<void>((resolve) => {
    begin = () => ++begun === 4 && resolve();
  });
  const store = (rate: number) =>
    inTransaction(database, async (transaction) => {
      // PostgreSQL's own time of a transaction is that of its first statement.
      await transaction.query(sql`select 1 as one`);
      begin();
      await allBegan;
      await storeAndBlend(transaction, 'ECB', [{ ...row, rate }]);
    });
  await Promise.all([1.1, 1.2, 1.3, 1.4].map(store));
  const { rows: versions } = await database.pool.query(
    'select created_at as at from data_versions order by version',
  );
  const { rows: revisions } = await database.pool.query(
    'select recorded_at as "from", replaced_at as "to" from rate_revisions order by id',
  );
  const instants = versions.map(({ at }) => Number(at));
  expect(instants).toEqual([...new Set(instants)].sort());
  expect(revisions.map(({ from, to }) => [Number(from), Number(to)])).toEqual([
    instants.slice(0, 2),
    instants.slice(1, 3),
    instants.slice(2, 4),
  ]);
});
