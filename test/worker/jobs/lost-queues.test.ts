import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Decision } from '../../../core/database/decisions.js';
import {
  notePendingJob,
  readPendingJobs,
  recordDecision,
  recordOperatorAct,
} from '../../../core/database/operators.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { enqueueBlend, enqueueIngest } from '../../../core/queues/enqueue.js';
import { openQueues } from '../../../core/queues/queues.js';
import { restorePendingJobs } from '../../../worker/jobs/pending-jobs.js';
import { openLog, ratesOf, readLines, storeIn } from '../ingest/support.js';
import { openBlends } from './open-blends.js';
import { patiently, runsOf, sharedGround } from './support.js';

const g = await sharedGround();
const { ingest, blend } = g.queues;

it('queues on PostgreSQL go on after their connections broke', async () => {
  const { queues, done, lines, close } = await openBlends(g.store);
  await enqueueBlend(queues.blend, { window: null });
  await vi.waitFor(() => expect(done).toHaveLength(1), patiently);
  const admin = new pg.Client({ connectionString: g.database.url });
  await admin.connect();
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await admin.end();
  await vi.waitFor(
    () => enqueueBlend(queues.blend, { window: { from: '2026-11-01', to: '2026-11-02' } }),
    patiently,
  );
  await vi.waitFor(() => expect(done).toHaveLength(2), patiently);
  expect(lines.filter(({ msg }) => msg === "queue blend can't be reached").length).toBeLessThanOrEqual(2);
  await close();
});

it('a Redis that is not there is given up on', async () => {
  const store = { ...g.store, redisUrl: 'redis://127.0.0.1:1' };
  await expect(openQueues(store, { log: openLog().log })).rejects.toThrow('ECONNREFUSED');
});

describe('jobs that operators asked for', () => {
  afterEach(() => g.database.pool.query('delete from operator_acts'));

  const window = { from: '2026-11-16', to: '2026-11-20' };
  const by = { operator: 'token', client: '::1' };
  const idsOf = async () =>
    [...(await ingest.getJobs()), ...(await blend.getJobs())].map(({ id }) => id).sort();
  /** Adds what was lost again, and returns the ids that are logged. */
  const restore = async () => {
    const { log, lines } = openLog();
    await restorePendingJobs({ ...g.plan, log });
    return lines.map(({ job }) => job);
  };
  const isOver = async () => expect(await readPendingJobs(g.database)).toEqual([]);
  const loseAll = () => Promise.all([ingest, blend].map((queue) => queue.obliterate({ force: true })));

  /** Asks for one job of each kind, as the API does, and once more for the first; returns their ids. */
  async function askForAll(): Promise<string[]> {
    g.bank('ECB');
    const naira = ratesOf('USD/NGN');
    await storeIn(g.database, 'CBN', naira('2023-06-12', 464.67), naira('2023-06-13', 464.8));
    await storeIn(g.database, 'CBN', naira('2023-06-14', 4648));
    const note = async (act: string, job: Parameters<typeof notePendingJob>[2]) => {
      await notePendingJob(g.database, await recordOperatorAct(g.database, { ...by, act, details: {} }), job);
    };
    const wanted = { provider: 'ECB', ...window };
    const ids = [await enqueueIngest(ingest, wanted), await enqueueIngest(ingest, wanted)];
    for (const id of ids) await note('ingest', { queue: 'ingest', id, wanted });
    const rebuild = await enqueueBlend(blend, { window: null });
    await note('rebuild', { queue: 'blend', id: rebuild, wanted: { window: null } });
    const [suspect] = await readSuspects(g.database, {}, 1);
    const decided = { suspect: suspect?.id ?? '', status: 'rejected' } as const;
    const decision: Decision = await recordDecision(g.database, decided, by);
    const deciding = await enqueueBlend(blend, { decision });
    const job = { queue: 'blend', id: deciding, wanted: { decision } } as const;
    await notePendingJob(g.database, BigInt(decision.act), job);
    return [...new Set(ids), rebuild, deciding];
  }

  it('are added again, once, where the queue has lost them, until they have ended', async () => {
    const asked = (await askForAll()).sort();
    expect(await idsOf()).toEqual(asked);
    expect(await restore()).toEqual([]);
    expect(await idsOf()).toEqual(asked);
    await loseAll();
    // By two workers.
    const lost = (await Promise.all([restore(), restore()])).flat();
    expect(new Set(lost)).toEqual(new Set(asked));
    expect(await idsOf()).toEqual(asked);

    await g.start();
    await vi.waitFor(isOver, patiently);
    expect(await runsOf(g, 'ECB')).toMatchObject([{ reason: 'operator', outcome: 'succeeded', rowsNew: 5 }]);
    expect(await readLines(g.database, 'select status, resolved_by from suspects')).toEqual([
      'rejected token',
    ]);
    await g.stopWorkers();
    await loseAll();
    await restore();
    expect(await idsOf()).toEqual([]);
  });

  it('that have failed for good, or were asked for again since, are not added again', async () => {
    const [first, rebuild = '', decision = ''] = await askForAll();
    await loseAll();
    const job = { provider: 'ECB', ...window, reason: 'operator' } as const;
    const deduplication = { id: `ECB-operator-${window.from}-${window.to}` };
    const { id } = await ingest.add('operator', job, { jobId: 'ingest-again', deduplication });
    expect(id).not.toBe(first);
    await restore();
    const left = [decision, rebuild, id].sort();
    expect(await idsOf()).toEqual(left);
    expect([...new Set((await readPendingJobs(g.database)).map(({ job }) => job.id))].sort()).toEqual(left);

    g.feeds.clear();
    await g.start();
    await vi.waitFor(async () => expect(await ingest.getFailedCount()).toBe(1), patiently);
    await vi.waitFor(() => restore().then(isOver), patiently);
  });
});
