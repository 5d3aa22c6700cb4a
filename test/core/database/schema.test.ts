import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { databaseLines, schemaLines } from '../../support/schema-lines.js';

let database: TestDatabase;
let schema: string[];

beforeAll(async () => {
  [database, schema] = await Promise.all([testDatabase(), schemaLines()]);
});

afterAll(() => database.close());

test('the migrated database is what schema.prisma says', async () => {
  expect(schema.filter((line) => line.startsWith('column rates.')).length).toBeGreaterThan(0);
  expect(await databaseLines(database.pool)).toEqual(schema);
});

test.each([
  ['a column more', 'alter table rates add column note text'],
  ['a column less', 'alter table currencies drop column end_date'],
  ['a column of another type', 'alter table rates alter column rate type real'],
  ['a column that may be null', 'alter table rates alter column rate drop not null'],
  ['a default less', 'alter table ingest_runs alter column rows_new drop default'],
  ['an index less', 'drop index rates_date_idx'],
  [
    'an index in another order',
    'drop index rates_date_idx; create index rates_date_idx on rates (date desc)',
  ],
  ['a reference less', 'alter table ingest_runs drop constraint ingest_runs_provider_fkey'],
  ['a table more', 'create table more (id int)'],
  ['an enum value more', "alter type run_outcome add value 'skipped'"],
])('%s is noticed', async (_what, sql) => {
  const changed = await testDatabase();
  try {
    await changed.pool.query(sql);
    expect(await databaseLines(changed.pool)).not.toEqual(schema);
  } finally {
    await changed.close();
  }
});
