import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failRun, startRun, succeedRun } from '../../../core/database/ingest-runs.js';
import { readStatistics } from '../../../core/database/statistics.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { propertyRuns } from '../../support/property-runs.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase();

/** The totals as they follow from the runs themselves. */
async function added() {
  const sum = (column: string) =>
    `sum((select coalesce(sum(value::int), 0) from jsonb_each_text(${column})))::float8`;
  const { rows } = await database.pool.query(
    `select provider as key, count(*) filter (where outcome = 'succeeded')::float8 as succeeded,
       count(*) filter (where outcome = 'failed')::float8 as failed, sum(rows_new)::float8 as "rowsNew",
       sum(rows_corrected)::float8 as "rowsCorrected", ${sum('rows_dropped')} as "rowsDropped",
       ${sum('rows_skipped')} as "rowsSkipped"
     from ingest_runs group by provider order by provider`,
  );
  return rows;
}

async function counted() {
  return (await readStatistics(database, 10_000)).providers
    .map(({ endDate, lastError, lastSuccess, setAside, isIncomplete, ...totals }) => totals)
    .sort((one, other) => (one.key < other.key ? -1 : 1));
}

const few = fc.integer({ min: 0, max: 9 });
const reasons = fc.dictionary(fc.constantFrom('future', 'no rate'), few);
const reading = fc.record({
  rowsDropped: reasons,
  rowsSkipped: reasons,
  noData: fc.constant({}),
  responses: few,
  responseBytes: few,
});
const rows = fc.record({ rowsNew: few, rowsCorrected: few, rowsUnchanged: few });
const fault = fc.constantFrom('provider', 'worker');
const end = fc.oneof(
  fc.record({ how: fc.constant('succeeds' as const), rows, reading }),
  fc.record({ how: fc.constant('fails' as const), fault, reading: fc.option(reading, { nil: undefined }) }),
  fc.record({ how: fc.constant('dies' as const) }),
  // Of a worker that was paused: the next run has begun by then.
  fc.record({ how: fc.constant('comes too late' as const), rows, reading }),
);
const run = fc.record({ provider: fc.constantFrom('BOC', 'ECB'), reading: few, end });

it('the totals of a provider are those of its runs, however they end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(run, { maxLength: 12 }), async (all) => {
      await database.pool.query('truncate providers, ingest_runs restart identity cascade');
      for (const { provider, end, reading } of all) {
        const days = { from: '2026-03-16', to: '2026-03-20' };
        const start = () => startRun(database, { provider, reason: 'schedule', reading, ...days });
        const succeed = (id: string, counts: Parameters<typeof succeedRun>[3]) =>
          inTransaction(database, (transaction) => succeedRun(transaction, id, provider, counts));
        const id = await start();
        if (end.how === 'succeeds') await succeed(id, { ...end.rows, ...end.reading });
        if (end.how === 'fails') {
          const failure = { error: 'no answer', fault: end.fault, reading: end.reading };
          await inTransaction(database, (transaction) => failRun(transaction, id, provider, failure));
        }
        if (end.how === 'comes too late') {
          await start();
          await expect(succeed(id, { ...end.rows, ...end.reading })).rejects.toThrow('is over');
        }
      }
      expect(await counted()).toEqual(await added());
      const lowest = `select provider, min(reading) from ingest_runs where outcome = 'succeeded' group by 1 order by 1`;
      const readings = 'select key, reading from providers where reading is not null order by 1';
      expect(await rowsOf(database, readings)).toEqual(await rowsOf(database, lowest));
    }),
    { ...propertyRuns(60), endOnFailure: true },
  );
});
