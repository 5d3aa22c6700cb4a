import type { Job } from 'bullmq';
import { expect, it } from 'vitest';
import { readSetAside } from '../../../core/database/set-aside.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { IngestJob, Queues } from '../../../core/queues/queues.js';
import { retrySetAside, setStepAside } from '../../../worker/jobs/set-aside.js';
import { ownDatabase } from '../ingest/support.js';

const database = await ownDatabase();
const ASKED_AT = Date.parse('2026-11-20T12:00:00Z');

it.each<[string, attemptsMade: number, succeededAt: number, to: string | undefined, boolean]>([
  ['fails for the fifth time', 4, ASKED_AT + 1, '2026-01-31', false],
  ['fails for the sixth time', 5, ASKED_AT + 1, '2026-01-31', true],
  ['is of a provider of which nothing has succeeded since', 50, ASKED_AT, '2026-01-31', false],
  ['has no end', 5, ASKED_AT + 1, undefined, false],
])(
  'a step of a backfill that %s is set aside or tried again',
  async (_which, attemptsMade, succeededAt, to, isAside) => {
    await database.pool.query(
      `insert into providers (key, backfilled_to, last_success_at) values ('ECB', '2026-02-01', $1)`,
      [new Date(succeededAt)],
    );
    const data = { provider: 'ECB', from: '2026-01-01', ...(to && { to }), reason: 'backfill' };
    const job = { data, attemptsMade, timestamp: ASKED_AT } as Job<IngestJob>;
    const isSet = inTransaction(database, (transaction) => setStepAside(transaction, job, 'down'));
    expect(await isSet).toBe(isAside);
    const window = { from: '2026-01-01', to: '2026-01-31', reason: 'down', attempts: 6 };
    expect(await readSetAside(database)).toMatchObject(isAside ? [window] : []);
  },
);

it.each([
  ['2026-11-20', true],
  ['2026-11-27', true],
  ['2026-11-28', false],
  ['2026-12-04', true],
  ['2026-12-05', false],
  ['2027-01-01', true],
])('what is set aside since 20 November is asked for again on %s: %s', async (today, isAsked) => {
  const asked: IngestJob[] = [];
  const ingest = {
    name: 'ingest',
    getJob: async () => undefined,
    add: async (_name: string, data: IngestJob) => {
      asked.push(data);
      return { id: '1' };
    },
  };
  const queues = { ingest } as unknown as Queues;
  await database.pool.query(
    `insert into set_aside_windows (provider, window_from, window_to, reason, attempts, since)
     select key, '2003-01-02', '2003-01-03', 'odd', 1, '2026-11-20T23:00:00Z' from unnest('{ECB,GONE}'::text[]) as key`,
  );
  await retrySetAside({ database, queues }, new Set(['ECB']), today);
  const job = { provider: 'ECB', from: '2003-01-02', to: '2003-01-03', reason: 'retry' };
  expect(asked).toEqual(isAsked ? [job] : []);
});
