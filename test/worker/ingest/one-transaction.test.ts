import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { groupCommit, type Store, storeAlone } from '../../../worker/ingest/group-commit.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, feedOf, ingestFrom, newestRun } from './support.js';

const TABLES = [
  'rates',
  'rate_revisions',
  'pair_coverage',
  'currencies',
  'blended_days',
  'blended_weeks',
  'blended_months',
  'data_versions',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  );
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const dollars = (date: string, rate: number): RateRow => ({ date, base: 'EUR', quote: 'USD', rate });

/** Everything that is stored but for the runs and the times of attempts, which are about what failed too. */
async function everything(): Promise<unknown> {
  const found: Record<string, unknown> = {};
  for (const table of TABLES) {
    found[table] = (await database.pool.query(`select * from ${table} as row order by row`)).rows;
  }
  const state = 'select key, start_date, end_date, backfilled_to, last_success_at from providers';
  found.providers = (await database.pool.query(state)).rows;
  return found;
}

/** Where the last of its steps is refused, by the table that it writes. */
const REFUSALS: [step: string, when: string, table: string][] = [
  ['rates', 'insert', 'rates'],
  ['a correction', 'update', 'rates'],
  ['revisions', 'insert', 'rate_revisions'],
  ['coverage', 'insert or update', 'pair_coverage'],
  ["the provider's days", 'update of end_date', 'providers'],
  ["the currencies' days", 'insert or update', 'currencies'],
  ['days', 'insert or update', 'blended_days'],
  ['weeks', 'insert or update', 'blended_weeks'],
  ['months', 'insert or update', 'blended_months'],
  ['the data version', 'insert', 'data_versions'],
  ['the counts of the run', 'update of rows_new', 'ingest_runs'],
  ["the provider's success", 'update of last_success_at', 'providers'],
  ['how far it was asked', 'update of backfilled_to', 'providers'],
];

describe.each<[string, (database: TestDatabase) => Store]>([
  ['alone', storeAlone],
  ['in a group', groupCommit],
])('an ingest %s', (_how, storeOf) => {
  it.each(REFUSALS)('leaves nothing behind where %s can not be written', async (_step, when, table) => {
    const store = storeOf(database);
    await ingestFrom(database, feedOf('ECB', [dollars('2026-03-02', 1.1)]), { store });
    if (when === 'update of backfilled_to')
      await database.pool.query('update providers set backfilled_to = null');
    const before = await everything();
    await database.pool.query(
      `create trigger refuse before ${when} on ${table} for each row execute function refuse()`,
    );
    const next = feedOf('ECB', [dollars('2026-03-02', 1.2), dollars('2026-03-03', 1.3)]);
    try {
      await expect(ingestFrom(database, next, { store })).rejects.toThrow('refused');
      expect(await everything()).toEqual(before);
      if (table !== 'ingest_runs')
        expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: 'refused' });
    } finally {
      await database.pool.query(`drop trigger refuse on ${table}`);
    }
    expect(await ingestFrom(database, next, { store })).toMatchObject({ rowsNew: 1, rowsCorrected: 1 });
  });
});

it('one that fails leaves the others of its group', async () => {
  const store = groupCommit(database);
  await database.pool.query(
    `create trigger refuse before insert on rates for each row when (new.provider = 'BOC') execute function refuse()`,
  );
  try {
    const keys = ['ECB', 'BOC', 'NB', 'RBA'];
    const outcomes = await Promise.allSettled(
      keys.map((key) => ingestFrom(database, feedOf(key, [dollars('2026-03-02', 1.1)]), { store })),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const { rows } = await database.pool.query('select provider from rates order by 1');
    expect(rows.map(({ provider }) => provider)).toEqual(['ECB', 'NB', 'RBA']);
  } finally {
    await database.pool.query('drop trigger refuse on rates');
  }
});
