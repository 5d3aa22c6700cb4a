import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eachRate } from '../../../core/database/bulk/read-rates.js';
import { newestVersionNumber } from '../../../core/database/data-versions.js';
import { spanOfRates } from '../../../core/database/rates.js';
import { isOverlapped } from '../../../core/database/rates-at.js';
import { inOneView } from '../../../core/database/transactions.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { storeRows } from '../../support/rates.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => database.pool.query('truncate rates, rate_revisions, data_versions restart identity'));
afterAll(() => database?.close());

async function ratesAt(dataVersion?: bigint): Promise<string[]> {
  const rows: string[] = [];
  const selection = { providers: ['ECB', 'BOC'], ...(dataVersion !== undefined && { dataVersion }) };
  await inOneView(database, (view) =>
    eachRate(view, selection, (day, rate, ...names) =>
      rows.push([fromDayNumber(day), rate, ...names].join()),
    ),
  );
  return rows.sort();
}

const spanAt = (dataVersion?: bigint) =>
  inOneView(database, (view) => spanOfRates(view, ['ECB', 'BOC'], '2026-12-31', dataVersion));

it('gives at every data version the rates that were stored then, whatever came since', async () => {
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
        const then = new Map<bigint, { rates: string[]; span: unknown }>();
        for (const rows of stores) {
          await storeRows(database, rows);
          then.set(await newestVersionNumber(database), { rates: await ratesAt(), span: await spanAt() });
          // Two stores in one millisecond can't be told apart: see isOverlapped.
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
        for (const [version, { rates, span }] of then) {
          expect(await ratesAt(version)).toEqual(rates);
          expect(await spanAt(version)).toEqual(span);
        }
      },
    ),
    propertyRuns(25, 10),
  );
});

it('tells that versions of one instant can not be told apart', async () => {
  const version = (at: string) =>
    database.pool.query(
      `insert into data_versions (changed_from, changed_to, created_at) values ('2026-03-02', '2026-03-02', $1)`,
      [at],
    );
  await version('2026-03-02T16:00:00.001Z');
  await version('2026-03-02T16:00:00.002Z');
  await version('2026-03-02T16:00:00.001Z');
  const overlapped = (number: bigint) => inOneView(database, (view) => isOverlapped(view, number));
  expect(await Promise.all([overlapped(1n), overlapped(2n), overlapped(3n)])).toEqual([true, true, false]);
});
