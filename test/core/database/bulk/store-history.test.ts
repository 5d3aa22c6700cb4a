import { expect, it } from 'vitest';
import { type HistoryRow, storeHistory } from '../../../../core/database/bulk/store-history.js';
import { lockData } from '../../../../core/database/locks.js';
import { inBulkTransaction } from '../../../../core/database/transactions.js';
import { ownDatabase, rowsOf } from '../../support.js';

const at = (hour: number) => `2026-03-05T0${hour}:00:00.000Z`;
const usd = { provider: 'ECB', date: '2026-03-02', base: 'EUR', quote: 'USD' };
const cad = { provider: 'BOC', date: '2026-03-04', base: 'USD', quote: 'CAD' };
const decided = `jump 18 2 held/jump/7b7d@${at(2)} accepted/jump/7b7d@${at(4)}`;
const ROWS: HistoryRow[] = [
  { ...usd, rate: 1.1, recordedAt: at(1), replacedAt: at(3), cause: 'source' },
  { ...usd, rate: 1.2, recordedAt: at(3) },
  // Withdrawn.
  { ...usd, quote: 'GBP', rate: 0.9, recordedAt: at(1), replacedAt: at(5) },
  { ...cad, rate: 1.3, recordedAt: at(1) },
  { ...cad, quote: 'MXN', rate: 180, recordedAt: at(2), suspect: decided },
  {
    ...cad,
    quote: 'JPY',
    rate: 15,
    recordedAt: at(2),
    suspect: `factor_of_ten 150 1 held/factor_of_ten/7b7d@${at(2)}`,
  },
];

const database = await ownDatabase();

it('a history has a version for each instant, of the days that can have changed, and suspects as they were left', async () => {
  await database.pool.query(`insert into providers (key) values ('ECB'), ('BOC')`);
  const stored = await inBulkTransaction(database, async (transaction) => {
    await lockData(transaction);
    async function* batches() {
      yield ROWS;
    }
    return storeHistory(transaction, batches());
  });
  expect(stored).toEqual({ rates: 4, revisions: 2 });
  const read = (columns: string, table: string) => rowsOf(database, `select ${columns} from ${table}`);
  const versions = 'data_versions order by version';
  expect(await read('changed_from, changed_to, provider, created_at', versions)).toEqual([
    ['2026-03-02', '2026-03-18', null, new Date(at(1))],
    ['2026-03-04', '2026-03-18', 'BOC', new Date(at(2))],
    ['2026-03-02', '2026-03-16', 'ECB', new Date(at(3))],
    ['2026-03-04', '2026-03-18', 'BOC', new Date(at(4))],
    ['2026-03-02', '2026-03-16', 'ECB', new Date(at(5))],
  ]);
  const suspect = 'quote, rate, reason, expected, others, status::text, suspected_at, resolved_at';
  expect(await read(suspect, 'suspects order by quote')).toEqual([
    ['JPY', 15, 'factor_of_ten', 150, 1, 'held', new Date(at(2)), null],
    ['MXN', 180, 'jump', 18, 2, 'accepted', new Date(at(2)), new Date(at(4))],
  ]);
  expect(await read('rate, recorded_at, replaced_at, cause::text', 'rate_revisions order by id')).toEqual([
    [1.1, new Date(at(1)), new Date(at(3)), 'source'],
    [0.9, new Date(at(1)), new Date(at(5)), null],
  ]);
});
