import type { Job } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSetAside } from '../../../core/database/set-aside.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { IngestJob, IngestQueue } from '../../../core/queues/queues.js';
import { openStep, retrySetAside } from '../../../worker/jobs/set-aside.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const ASKED_AT = Date.parse('2026-11-20T12:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Whether a step of a backfill is set aside that fails after so many attempts. */
async function isSetAside(
  attemptsMade: number,
  { succeededAt = ASKED_AT + 1, ...window }: { succeededAt?: number; to?: undefined } = {},
) {
  await database.pool.query('truncate providers, set_aside_windows cascade');
  await database.pool.query(
    `insert into providers (key, backfilled_to, last_success_at) values ('ECB', '2026-02-01', $1)`,
    [new Date(succeededAt)],
  );
  const data = { provider: 'ECB', from: '2026-01-01', to: '2026-01-31', reason: 'backfill', ...window };
  const step = openStep({ data, attemptsMade, timestamp: ASKED_AT } as Job<IngestJob>);
  await inTransaction(database, (transaction) => step.onFailure(transaction, 'down'));
  expect((await readSetAside(database)).length === 1).toBe(step.isSetAside());
  return step.isSetAside();
}

it('a step is set aside when it fails for the sixth time', async () => {
  expect(await isSetAside(4)).toBe(false);
  expect(await isSetAside(5)).toBe(true);
  expect((await readSetAside(database))[0]).toMatchObject({
    from: '2026-01-01',
    to: '2026-01-31',
    reason: 'down',
    attempts: 6,
  });
});

it('is not where nothing of its provider has succeeded since it was asked for', async () => {
  expect(await isSetAside(50, { succeededAt: ASKED_AT })).toBe(false);
});

it('is not where it has no end', async () => {
  expect(await isSetAside(5, { to: undefined })).toBe(false);
});

describe('what is set aside', () => {
  const asked: IngestJob[] = [];
  const queue = {
    name: 'ingest',
    getJob: async () => undefined,
    add: async (_name: string, data: IngestJob) => {
      asked.push(data);
      return { id: '1' };
    },
  } as unknown as IngestQueue;

  it.each([
    ['2026-11-20', true],
    ['2026-11-27', true],
    ['2026-11-28', false],
    ['2026-12-04', true],
    ['2026-12-05', false],
    ['2027-01-01', true],
  ])('since 20 November is asked for again on %s: %s', async (today, isAsked) => {
    asked.length = 0;
    await database.pool.query('truncate providers, set_aside_windows cascade');
    for (const provider of ['ECB', 'GONE'])
      await database.pool.query(
        `insert into set_aside_windows (provider, window_from, window_to, reason, attempts, since)
         values ($1, '2003-01-02', '2003-01-03', 'odd', 1, '2026-11-20T23:00:00Z')`,
        [provider],
      );
    await retrySetAside({ database, queue }, new Set(['ECB']), today);
    const job = { provider: 'ECB', from: '2003-01-02', to: '2003-01-03', reason: 'retry' };
    expect(asked).toEqual(isAsked ? [job] : []);
  });
});
