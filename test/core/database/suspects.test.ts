import { afterAll, beforeAll, expect, it } from 'vitest';
import { readProviderActivity } from '../../../core/database/provider-activity.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const STATUSES = ['held', 'rejected', 'held', 'accepted', 'confirmed', 'corrected', 'held'];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(`insert into providers (key) values ('ECB'), ('BOC')`);
  for (const [index, status] of STATUSES.entries()) {
    await database.pool.query(
      `with suspect as (
         insert into suspects (provider, date, base, quote, rate, reason, expected, others, status)
         values ($1, $2, 'EUR', 'USD', 10, 'jump', 1, 1, $3::suspect_status) returning id
       )
       insert into suspect_states (suspect, since, status) select id, now(), 'held' from suspect`,
      [index === 6 ? 'BOC' : 'ECB', `2026-03-1${index}`, status],
    );
  }
});
afterAll(() => database.close());

it('suspects are listed page by page, the last that were found first, each once', async () => {
  const pageBefore = (before?: string) => readSuspects(database, { providers: ['ECB'], before }, 4);
  const first = await pageBefore();
  expect(first.map(({ date }) => date)).toEqual(['2026-03-15', '2026-03-14', '2026-03-13', '2026-03-12']);
  const second = await pageBefore(first.at(-1)?.id);
  expect(second.map(({ date }) => date)).toEqual(['2026-03-11', '2026-03-10']);
  expect(await pageBefore(second.at(-1)?.id)).toEqual([]);
});

it('only those that are held count as held back in the activity of a provider', async () => {
  const activity = await readProviderActivity(database, '2026-01-01');
  expect(activity.get('ECB')?.heldSuspects).toBe(2);
  expect(activity.get('BOC')?.heldSuspects).toBe(1);
});
