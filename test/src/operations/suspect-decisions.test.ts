import type { Job } from 'bullmq';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../core/database/transactions.js';
import type { BlendJob, BlendOutcome } from '../../../core/queues/queues.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { blendProcessor } from '../../../worker/jobs/blend-job.js';
import { emptyTables, readRows } from '../../worker/ingest/support.js';
import { log, type OperatedApi, operatedApi } from './support.js';

let run: OperatedApi;
beforeAll(async () => {
  run = await operatedApi(false, { ADMIN_BOARD_WRITES: 'on' });
});
afterAll(() => run?.close());

const naira = (date: string, rate: number): RateRow => ({ date, base: 'USD', quote: 'NGN', rate });
const store = (...rows: RateRow[]) =>
  inTransaction(run.database, (transaction) => storeAndBlend(transaction, 'CBN', rows));

let id: string;
beforeEach(async () => {
  await emptyTables(run.database);
  await store(naira('2023-06-12', 464.67), naira('2023-06-13', 464.8));
  await store(naira('2023-06-14', 4648));
  [[id]] = (await readRows(run.database, 'select id::text from suspects')) as [[string]];
});

/** Everything that a decision changes. */
async function shown() {
  return {
    suspects: await readRows(run.database, 'select status, resolved_by from suspects order by id'),
    states: await readRows(run.database, 'select status from suspect_states order by since'),
    days: await readRows(run.database, `select date from blended_days where quote = 'NGN' order by date`),
    versions: await readRows(run.database, 'select version from data_versions'),
  };
}

async function decide(name: 'accept' | 'reject', suspect = id) {
  const response = await run.admin(`/admin/suspects/${suspect}/${name}`, 'POST');
  const { job, message } = (await response.json()) as { job?: { id: string }; message?: string };
  return { status: response.status, job: job?.id ?? '', message };
}

/** What a worker does with a job. */
async function work(jobId: string): Promise<BlendOutcome> {
  const job = await run.queues.blend.getJob(jobId);
  const process = blendProcessor({
    database: run.database,
    announcements: { publish: async () => {} },
    log,
  });
  return process(job as Job<BlendJob, BlendOutcome, string>);
}

describe("an operator's decision on a suspect rate", () => {
  it('shows nothing before its job has run, and then all of it with one data version', async () => {
    const before = await shown();
    const { status, job } = await decide('accept');
    expect(status).toBe(202);
    expect(await shown()).toEqual(before);
    const [act] = await readRows(
      run.database,
      'select operator, act, details from operator_acts order by id desc',
    );
    expect(act).toEqual(['token', 'accept suspect', { suspect: id }]);

    expect(await work(job)).toEqual({ version: '3' });
    expect(await shown()).toEqual({
      suspects: [['accepted', 'token']],
      states: [['held'], ['accepted']],
      days: [['2023-06-12'], ['2023-06-13'], ['2023-06-14']],
      versions: [['1'], ['2'], ['3']],
    });
  });

  it('leaves nothing behind where its days can not be blended, and is tried again', async () => {
    const before = await shown();
    const { job } = await decide('accept');
    await run.database.pool.query(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refuse before insert on data_versions for each row execute function refuse()`,
    );
    try {
      await expect(work(job)).rejects.toThrow('refused');
    } finally {
      await run.database.pool.query('drop trigger refuse on data_versions');
    }
    expect(await shown()).toEqual(before);
    expect(await work(job)).toEqual({ version: expect.any(String) });
    expect((await run.queues.blend.getJob(job))?.opts.attempts).toBe(100);
  });

  it('is the same when it is applied twice', async () => {
    const { job } = await decide('accept');
    await work(job);
    const once = await shown();
    expect(await work(job)).toEqual({ version: null });
    expect(await shown()).toEqual(once);
  });

  it('gives way to a later one, in whatever order they are applied', async () => {
    const [first, last] = [await decide('accept'), await decide('reject')];
    expect(last.job).not.toBe(first.job);
    await work(last.job);
    const rejected = await shown();
    expect(rejected.suspects).toEqual([['rejected', 'token']]);
    expect(await work(first.job)).toEqual({ version: null });
    expect(await shown()).toEqual(rejected);
    const again = await decide('accept');
    await work(again.job);
    expect((await shown()).suspects).toEqual([['accepted', 'token']]);
  });

  it('is not on a rate that there is not, or that its provider has restated', async () => {
    expect(await decide('accept', '99999')).toMatchObject({ status: 404, message: 'no such suspect: 99999' });
    expect(await decide('accept', 'x')).toMatchObject({ status: 404 });
    const { job } = await decide('reject');
    await store(naira('2023-06-14', 465.1));
    const restated = await shown();
    expect(await work(job)).toEqual({ version: null });
    expect(await shown()).toEqual(restated);
    expect(await decide('accept')).toMatchObject({ status: 404, message: `no such suspect: ${id}` });
  });
});
