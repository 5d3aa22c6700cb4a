import { expect, it } from 'vitest';
import { readProviderActivity } from '../../../core/database/provider-activity.js';
import { readStatistics } from '../../../core/database/statistics.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase();
await database.pool.query(`
  insert into providers (key, backfilled_to, end_date) values
    ('ECB', '2026-01-02', '2026-03-04'), ('BOC', null, '2026-03-02'), ('IMF', null, null);
  insert into blended_days (date, quote, rate) values
    ('2026-03-02', 'EUR', 0.5), ('2026-03-03', 'EUR', 0.25), ('2026-03-02', 'CAD', 1.5), ('2026-03-03', 'CAD', 3);
  -- Of 2 March 0.1, 0.2 and 0.3 off the blend, of the 3rd 0.4, and without a blend the rates of krones.
  insert into rates (provider, date, base, quote, rate) values
    ('ECB', '2026-03-01', 'EUR', 'USD', 9), ('ECB', '2026-03-02', 'EUR', 'USD', 2.2),
    ('ECB', '2026-03-02', 'EUR', 'CAD', 3.6), ('ECB', '2026-03-02', 'EUR', 'NOK', 11),
    ('ECB', '2026-03-02', 'NOK', 'EUR', 11), ('ECB', '2026-03-02', 'USD', 'CAD', 1.95),
    ('ECB', '2026-03-03', 'EUR', 'USD', 5.6), ('IMF', '2026-03-03', 'USD', 'NOK', 10);
  update providers set last_success_at = '2026-03-03T06:00:05Z' where key = 'ECB';
  insert into ingest_runs (provider, reason, window_from, started_at, outcome)
    select provider, 'schedule', '2026-03-04', started_at, outcome::run_outcome from (values
      ('ECB', '2026-03-02 06:00Z'::timestamptz, 'failed'), ('ECB', '2026-03-03 06:00Z', 'succeeded'),
      ('ECB', '2026-03-04 07:00Z', 'failed'), ('ECB', '2026-03-04 08:00Z', 'failed'), ('BOC', '2026-03-04', 'running')
    ) as given (provider, started_at, outcome);
  insert into thin_days (provider, date, currencies, usual) values
    ('ECB', '2026-03-03', 1, 30), ('ECB', '2026-03-02', 1, 30), ('ECB', '2026-03-01', 1, 30),
    ('BOC', '2026-03-02', 1, 30);
  insert into set_aside_windows (provider, window_from, window_to, reason, attempts)
    select 'ECB', date, date, 'down', 3 from unnest('{2026-03-01,2026-03-02}'::date[]) as date;
  insert into suspects (provider, date, base, quote, rate, reason, expected, others, status, confirmed_on)
    select 'ECB', date, 'EUR', 'USD', 1, 'jump', 1, 1, status::suspect_status, confirmed_on from (values
      ('2026-03-01'::date, 'held', null::date), ('2026-03-02', 'held', null), ('2026-03-03', 'confirmed', '2026-03-04'),
      ('2026-03-04', 'held', null), ('2026-03-05', 'confirmed', '2026-03-05')
    ) as given (date, status, confirmed_on);
  insert into data_versions (changed_from, changed_to, method)
    select '2026-03-01', '2026-03-02', 1 from generate_series(1, 3)`);

it('a provider has its days, its incomplete ones, what is held back, its distance to the blend of the same days, and since when it fails', async () => {
  const days = ['2026-03-02', '2026-03-03'];
  const nothing = {
    days: [],
    incompleteDays: [],
    heldSuspects: 0,
    deviation: null,
    backfilledTo: null,
    shippedTo: null,
    failingSince: null,
  };
  const deviation = { median: expect.closeTo(0.25, 9), most: expect.closeTo(0.37, 9) };
  expect(Object.fromEntries(await readProviderActivity(database, '2026-03-02'))).toEqual({
    ECB: {
      days,
      incompleteDays: days,
      heldSuspects: 3,
      deviation,
      backfilledTo: '2026-01-02',
      shippedTo: null,
      failingSince: new Date('2026-03-04T07:00:00Z'),
    },
    BOC: { ...nothing, incompleteDays: ['2026-03-02'] },
    IMF: { ...nothing, days: ['2026-03-03'] },
  });
});

it('statistics count what is incomplete or set aside, and suspects that were not confirmed at once', async () => {
  const { dataVersion, providers, suspects } = await readStatistics(database, 10_000);
  expect(dataVersion).toBe(3);
  expect(providers.map(({ key, isIncomplete, setAside }) => [key, isIncomplete, setAside]).sort()).toEqual([
    ['BOC', true, 0],
    ['ECB', false, 2],
    ['IMF', false, 0],
  ]);
  expect(suspects.map(({ status, count }) => `${count} ${status}`).sort()).toEqual(['1 confirmed', '3 held']);
});

it('statistics are not read for longer than the limit, which the server itself keeps', async () => {
  const client = await database.pool.connect();
  try {
    await client.query('begin; lock table data_versions');
    await expect(readStatistics(database, 300)).rejects.toMatchObject({ code: '57014' });
  } finally {
    client.release(true);
  }
});
