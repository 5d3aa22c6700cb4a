import { beforeEach, expect, it } from 'vitest';
import { digestBlends } from '../../../core/database/digest.js';
import { findRuns, pruneRuns } from '../../../core/database/ingest-runs.js';
import { readPlanningStates } from '../../../core/database/providers.js';
import { readStatistics } from '../../../core/database/statistics.js';
import { startApi } from '../../support/api.js';
import { databaseTime } from '../../support/postgres.js';
import { feedOf, ingestFrom } from '../../worker/ingest/support.js';
import { ownDatabase, rowsOf } from '../support.js';

const DAY_MS = 86_400_000;

const database = await ownDatabase(
  'providers',
  'ingest_runs',
  'rates',
  'rate_revisions',
  'data_versions',
  'run_responses',
);

const ratesOf = (rate: number) =>
  ['2026-03-18', '2026-03-19', '2026-03-20'].map((date) => ({ date, base: 'EUR', quote: 'USD', rate }));

/** Days later: all runs began that much earlier. */
const age = (days: number) =>
  database.pool.query(`update ingest_runs set started_at = started_at - $1 * interval '1 day'`, [days]);
const pruneOlderThan = async (days: number) =>
  pruneRuns(database, new Date((await databaseTime(database)).getTime() - days * DAY_MS));

/** What three sources gave, corrected, gave again and failed to give. */
beforeEach(async () => {
  for (const [key, rate] of Object.entries({ ECB: 1.1, BOC: 1.12, FRED: 1.13 }))
    await ingestFrom(database, feedOf(key, ratesOf(rate)));
  for (let again = 0; again < 2; again++) await ingestFrom(database, feedOf('ECB', ratesOf(1.105)));
  await database.pool.query(
    `insert into ingest_runs (provider, reason, window_from, window_to, outcome, started_at, reading)
     select provider, reason, window_from, window_to, outcome, clock_timestamp(), reading
     from (select * from ingest_runs order by id desc limit 1) as newest, generate_series(1, 29)`,
  );
  const broken = feedOf('BOC', () => {
    throw new Error('no answer');
  });
  await expect(ingestFrom(database, broken)).rejects.toThrow('no answer');
  await ingestFrom(database, feedOf('BOC', ratesOf(1.12)), { reason: 'backfill' });
});

/** Receipts of now, and as it was known before the last change. */
async function receipts(instant: Date): Promise<string[]> {
  const api = await startApi(database);
  const pins = ['providers=ECB', 'date=2026-03-19', `as_of=${instant.toISOString()}`];
  try {
    return await Promise.all(
      pins.map(async (pin) => {
        const response = await fetch(`${api.url}/v2/rate/EUR/USD?expand=receipt&precision=full&${pin}`);
        expect([pin, response.status]).toEqual([pin, 200]);
        return response.text();
      }),
    );
  } finally {
    await api.close();
  }
}

it('forgets what recorded nothing, and changes nothing that is proven, planned or counted', async () => {
  const { rows } = await database.pool.query('select max(recorded_at) as at from rate_revisions');
  await age(500);
  const seen = async () => ({
    receipts: await receipts(rows[0].at),
    digest: await digestBlends(database),
    states: await readPlanningStates(database),
    statistics: await readStatistics(database, 10_000),
    evidence: await rowsOf(database, 'select * from run_responses order by run, number'),
  });
  const before = await seen();
  expect(before.receipts.every((receipt) => receipt.includes('"sha256"'))).toBe(true);
  // Of ECB's 32 runs two recorded rates, and 20 of the others are the newest; BOC's failure and backfill brought nothing.
  expect(await pruneOlderThan(400)).toBe(10 + 2);
  expect(await seen()).toEqual(before);
  const missing = `select run from (select run from rates union select run from rate_revisions) as known
    where run is not null and not exists (select from ingest_runs where id = known.run)`;
  expect(await rowsOf(database, missing)).toEqual([]);
  // Whether a source restated a rate follows from the run that recorded it.
  await ingestFrom(database, feedOf('FRED', ratesOf(1.131)));
  const causes = `select distinct cause::text from rate_revisions where provider = 'FRED'`;
  expect(await rowsOf(database, causes)).toEqual([['source']]);
});

it('leaves the runs of the last days, and those under way, alone', async () => {
  await age(399);
  expect(await pruneOlderThan(400)).toBe(0);
  await age(2);
  await database.pool.query(`update ingest_runs set outcome = 'running' where provider = 'BOC'`);
  await pruneOlderThan(400);
  expect(await findRuns(database, 'BOC', { limit: 9 })).toHaveLength(3);
});
