import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HistoryRow, storeHistory } from '../../../../core/database/bulk/store-history.js';
import { lockData } from '../../../../core/database/locks.js';
import { inBulkTransaction } from '../../../../core/database/transactions.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { readRows } from '../../../worker/ingest/support.js';

const at = (hour: number) => `2026-03-05T0${hour}:00:00.000Z`;
const usd = { date: '2026-03-02', base: 'EUR', quote: 'USD' };
const cad = { provider: 'BOC', date: '2026-03-04', base: 'USD', quote: 'CAD' };
const ROWS: HistoryRow[] = [
  { provider: 'ECB', ...usd, rate: 1.1, recordedAt: at(1), replacedAt: at(3), cause: 'source' },
  { provider: 'ECB', ...usd, rate: 1.2, recordedAt: at(3) },
  // Withdrawn.
  { provider: 'ECB', ...usd, quote: 'GBP', rate: 0.9, recordedAt: at(1), replacedAt: at(5) },
  { ...cad, rate: 1.3, recordedAt: at(1) },
  {
    ...cad,
    quote: 'MXN',
    rate: 180,
    recordedAt: at(2),
    suspect: `jump 18 2 held@${at(2)} accepted@${at(4)}`,
  },
  { ...cad, quote: 'JPY', rate: 15, recordedAt: at(2), suspect: `factor_of_ten 150 1 held@${at(2)}` },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(`insert into providers (key) values ('ECB'), ('BOC')`);
});
afterAll(() => database.close());

it('a history has a version for each instant, of the days that can have changed, and suspects as they were left', async () => {
  const stored = await inBulkTransaction(database, async (transaction) => {
    await lockData(transaction);
    return storeHistory(
      transaction,
      (async function* () {
        yield ROWS;
      })(),
    );
  });
  expect(stored).toEqual({ rates: 4, revisions: 2 });
  const versions =
    'select changed_from, changed_to, provider, created_at from data_versions order by version';
  expect(await readRows(database, versions)).toEqual([
    ['2026-03-02', '2026-03-18', null, new Date(at(1))],
    ['2026-03-04', '2026-03-18', 'BOC', new Date(at(2))],
    ['2026-03-02', '2026-03-16', 'ECB', new Date(at(3))],
    ['2026-03-04', '2026-03-18', 'BOC', new Date(at(4))],
    ['2026-03-02', '2026-03-16', 'ECB', new Date(at(5))],
  ]);
  const suspects = `select quote, rate, reason, expected, others, status::text, suspected_at, resolved_at
    from suspects order by quote`;
  expect(await readRows(database, suspects)).toEqual([
    ['JPY', 15, 'factor_of_ten', 150, 1, 'held', new Date(at(2)), null],
    ['MXN', 180, 'jump', 18, 2, 'accepted', new Date(at(2)), new Date(at(4))],
  ]);
  const revisions = 'select rate, recorded_at, replaced_at, cause::text from rate_revisions order by id';
  expect(await readRows(database, revisions)).toEqual([
    [1.1, new Date(at(1)), new Date(at(3)), 'source'],
    [0.9, new Date(at(1)), new Date(at(5)), null],
  ]);
});
