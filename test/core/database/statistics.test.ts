import { afterAll, beforeAll, expect, it } from 'vitest';
import { readStatistics } from '../../../core/database/statistics.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(`
    insert into providers (key, end_date) values ('BOC', '2026-03-02'), ('ECB', '2026-03-03'), ('IMF', null);
    insert into thin_days (provider, date, currencies, usual) values
      ('BOC', '2026-03-02', 1, 30), ('ECB', '2026-03-02', 1, 30), ('BOC', '2026-03-03', 1, 30);
    insert into set_aside_windows (provider, window_from, window_to, reason, attempts)
      select 'ECB', date, date, 'down', 3 from unnest('{2026-03-01,2026-03-02}'::date[]) as date;
    insert into suspects (provider, date, base, quote, rate, reason, expected, others, status)
      select 'ECB', date, 'EUR', 'USD', 1, 'jump', 1, 1, status::suspect_status from (values
        ('2026-03-01'::date, 'held'), ('2026-03-02', 'held'), ('2026-03-03', 'confirmed'), ('2026-03-04', 'held')
      ) as given (date, status);
    insert into suspect_states (suspect, since, status) select id, now(), 'held' from suspects where date < '2026-03-04';
    insert into data_versions (changed_from, changed_to, method)
      select '2026-03-01', '2026-03-02', 1 from generate_series(1, 3)`);
});
afterAll(() => database.close());

it('tells of each provider what is thin or set aside, and of suspects that ever were left out', async () => {
  const { dataVersion, providers, suspects } = await readStatistics(database, 10_000);
  expect(dataVersion).toBe(3);
  expect(providers.map(({ key, isThin, setAside }) => [key, isThin, setAside]).sort()).toEqual([
    ['BOC', true, 0],
    ['ECB', false, 2],
    ['IMF', false, 0],
  ]);
  expect(suspects.map(({ status, count }) => [status, count]).sort()).toEqual([
    ['confirmed', 1],
    ['held', 2],
  ]);
});

it('is not read for longer than the limit, which the server itself keeps', async () => {
  const client = await database.pool.connect();
  try {
    await client.query('begin; lock table data_versions');
    await expect(readStatistics(database, 1_000)).rejects.toMatchObject({ code: '57014' });
  } finally {
    client.release(true);
  }
});
