import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setAside } from '../../../core/database/set-aside.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { addDays } from '../../../core/domain/dates.js';
import { useSources } from '../../../core/sources/own-sources.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { feedOf, ingestFrom, readRows } from './support.js';

/** The longest that a key may be. */
const KEY = 'ABCDEFGHIJKLMNOP';
const CURRENCIES = ['EUR', 'GBP', 'JPY'];

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sources-'));
  await writeFile(join(folder, 'long.yaml'), `key: ${KEY}\nname: Long\nblend: true\n`);
  useSources({ SOURCES_DIR: folder });
});
afterAll(async () => {
  useSources({});
  await database.close();
  await rm(folder, { recursive: true });
});

const day = (number: number, rate: number, quotes = CURRENCIES): RateRow[] =>
  quotes.map((quote) => ({ date: addDays('2026-03-01', number), base: 'USD', quote, rate }));

it('every table that has a provider holds the longest key', async () => {
  const days = [0, 1, 2, 3, 4, 5].flatMap((number) => day(number, 0.9));
  await ingestFrom(database, feedOf(KEY, days));
  // A correction, a day with few currencies, and a rate that nobody believes.
  const odd = [...day(5, 0.91), ...day(6, 9.1, ['EUR'])];
  await ingestFrom(database, feedOf(KEY, odd));
  const window = { provider: KEY, from: '2026-02-01', to: '2026-02-28', reason: 'closed', attempts: 6 };
  await inTransaction(database, (transaction) => setAside(transaction, window));

  const tables = await readRows(
    database,
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'provider' order by 1`,
  );
  expect(tables.length).toBeGreaterThan(0);
  for (const [table] of tables)
    expect([table, ...(await readRows(database, `select distinct provider from ${table}`))]).toEqual([
      table,
      [KEY],
    ]);
});
