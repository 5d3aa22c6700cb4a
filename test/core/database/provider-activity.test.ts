import { afterAll, beforeAll, expect, it } from 'vitest';
import { readProviderActivity } from '../../../core/database/provider-activity.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(`
    insert into providers (key, backfilled_to) values ('ECB', '2026-01-02'), ('BOC', null), ('IMF', null);
    insert into blended_days (date, quote, rate) values
      ('2026-03-02', 'EUR', 0.5), ('2026-03-03', 'EUR', 0.25), ('2026-03-02', 'CAD', 1.5), ('2026-03-03', 'CAD', 3);
    -- Of 2 March 0.1, 0.2 and 0.3 off the blend, of the 3rd 0.4, and without a blend the rates of krones.
    insert into rates (provider, date, base, quote, rate) values
      ('ECB', '2026-03-01', 'EUR', 'USD', 9), ('ECB', '2026-03-02', 'EUR', 'USD', 2.2),
      ('ECB', '2026-03-02', 'EUR', 'CAD', 3.6), ('ECB', '2026-03-02', 'EUR', 'NOK', 11),
      ('ECB', '2026-03-02', 'NOK', 'EUR', 11), ('ECB', '2026-03-02', 'USD', 'CAD', 1.95),
      ('ECB', '2026-03-03', 'EUR', 'USD', 5.6), ('IMF', '2026-03-03', 'USD', 'NOK', 10);
    insert into thin_days (provider, date, currencies, usual) values
      ('ECB', '2026-03-03', 1, 30), ('ECB', '2026-03-02', 1, 30), ('ECB', '2026-03-01', 1, 30),
      ('BOC', '2026-03-02', 1, 30)`);
});
afterAll(() => database.close());

it('a provider has its days, its thin ones and its distance to the blend of the same days', async () => {
  const days = ['2026-03-02', '2026-03-03'];
  const nothing = { days: [], thinDays: [], heldSuspects: 0, deviation: null, backfilledTo: null };
  expect(Object.fromEntries(await readProviderActivity(database, '2026-03-02'))).toEqual({
    ECB: {
      days,
      thinDays: days,
      heldSuspects: 0,
      deviation: { median: expect.closeTo(0.25, 9), most: expect.closeTo(0.37, 9) },
      backfilledTo: '2026-01-02',
    },
    BOC: { ...nothing, thinDays: ['2026-03-02'] },
    IMF: { ...nothing, days: ['2026-03-03'] },
  });
});
