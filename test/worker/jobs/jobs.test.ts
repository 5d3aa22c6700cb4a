import { describe, expect, it, vi } from 'vitest';
import { addDays } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import { catchUp, sweep } from '../../../worker/jobs/catch-up.js';
import { answer, type StubHandler } from '../../support/http-stub.js';
import { dollars, readLines } from '../ingest/support.js';
import { queueCases } from './queue-cases.js';
import { patiently, sharedGround, succeeded, TODAY } from './support.js';

describe('workers with queues on PostgreSQL', () => queueCases(false));

describe('jobs', async () => {
  const g = await sharedGround();
  const read = (query: string) => readLines(g.database, query);
  const START = providerOf('CBR')?.coverage_start;
  /** Rates of the first and the last day that are asked for. */
  const ofBothEnds: StubHandler = (request, response) => {
    const days = ['from', 'to'].map((name) => request.query.get(name) ?? '');
    return answer(days.map((day) => dollars(day)))(request, response);
  };

  it('fill in history backwards, and go on where they were cut off, without gap or repeat', async () => {
    g.bank('CBR', { backfillDays: 2_500 });
    g.stub.route('/CBR', ofBothEnds);
    const worker = g.work({ backfills: true });
    await catchUp(g.plan, 0);
    await vi.waitFor(async () => expect((await succeeded(g, 'CBR')).length).toBeGreaterThan(2), patiently);
    await worker.close();
    // What the queue knew is lost as well.
    await g.queues.ingest.obliterate({ force: true });
    g.work({ backfills: true });
    // By the clock of this machine it was asked on another day.
    await g.database.pool.query('update ingest_runs set started_at = $1', [g.plan.clock()]);
    await sweep(g.plan, g.plan.clock());
    const backfilledTo = () => read('select backfilled_to from providers');
    await vi.waitFor(async () => expect(await backfilledTo()).toEqual([START]), patiently);
    await g.idle();
    const runs = await succeeded(g, 'CBR');
    expect(runs[0]).toMatchObject({ reason: 'catch-up', from: '2026-11-07', to: TODAY });
    for (const [index, run] of runs.slice(1).entries())
      expect(run).toMatchObject({ reason: 'backfill', to: addDays(runs[index]?.from ?? '', -1) });
    expect(runs.at(-1)?.from).toBe(START);
    const progress = (await g.queues.ingest.getCompleted()).map((job) => job.progress);
    expect(progress).toContainEqual({ step: 'stored' });
    const rows = runs.reduce((sum, run) => sum + run.rowsNew, 0);
    expect(await read('select count(*) from rates')).toEqual([String(rows)]);
    expect(runs.every((run) => run.rowsUnchanged === 0)).toBe(true);
  });
});
