import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSetAside } from '../../../core/database/set-aside.js';
import { addDays } from '../../../core/domain/dates.js';
import { providers } from '../../../core/domain/providers.js';
import { enqueueBlend, enqueueIngest, enqueueRecent } from '../../../core/queues/enqueue.js';
import { CredentialsRefused } from '../../../worker/feeds/feed.js';
import { catchUp, sweep } from '../../../worker/jobs/catch-up.js';
import { answer, type StubRequest } from '../../support/http-stub.js';
import { backends, dailyRates, type Ground, ground, runsOf, stubFeed, TODAY } from './support.js';

const patiently = { timeout: 15_000, interval: 20 };

describe.each(backends)('jobs on $name', ({ redis, missing }) => {
  let g: Ground;

  beforeEach(async (context) => {
    if (missing) context.skip(missing);
    g = await ground(redis);
  });
  afterEach(() => g?.close());

  function bank(key: string, more = {}) {
    g.feeds.set(key, stubFeed(g.stub.url, key, more));
    g.stub.route(`/${key}`, (request, response) => answer(dailyRates(request))(request, response));
  }

  const recent = (provider: string) => ({ provider, from: '2026-11-16', reason: 'schedule' }) as const;
  const succeeded = async (provider: string) =>
    (await runsOf(g, provider)).filter((run) => run.outcome === 'succeeded');
  const idle = () =>
    vi.waitFor(async () => {
      const counts = await g.queues.ingest.getJobCounts();
      expect(counts).toMatchObject({ active: 0, waiting: 0, delayed: 0, prioritized: 0 });
    }, patiently);

  it('does once what is scheduled twice', async () => {
    bank('ECB');
    await Promise.all([1, 2, 3].map(() => enqueueRecent(g.queues.ingest, recent('ECB'), { id: 'slot' })));
    await enqueueRecent(g.queues.ingest, recent('ECB'), { id: 'next-slot' });
    g.work();
    g.work();
    await idle();
    await enqueueRecent(g.queues.ingest, recent('ECB'), { id: 'slot' });
    await idle();
    expect(await runsOf(g, 'ECB')).toMatchObject([{ outcome: 'succeeded', rows_new: 5, reason: 'schedule' }]);
    expect(g.stub.requests).toHaveLength(1);

    await enqueueRecent(g.queues.ingest, recent('ECB'), { id: 'later-slot' });
    await vi.waitFor(async () => expect(await succeeded('ECB')).toHaveLength(2), patiently);
    expect(await runsOf(g, 'ECB')).toMatchObject([{}, { rows_new: 0, rows_unchanged: 5 }]);
  });

  it('tries again after a failure, and says what happened', async () => {
    bank('ECB');
    g.stub.route('/ECB', answer('down for maintenance', 503));
    await enqueueRecent(g.queues.ingest, recent('ECB'), { id: 'slot' });
    g.work();
    await vi.waitFor(async () => {
      const { rows } = await g.database.pool.query('select last_error from providers');
      expect(rows).toMatchObject([{ last_error: expect.stringContaining('503') }]);
    }, patiently);
    bank('ECB');
    await vi.waitFor(async () => expect(await succeeded('ECB')).toHaveLength(1), patiently);
    expect((await runsOf(g, 'ECB')).at(0)).toMatchObject({
      outcome: 'failed',
      error: expect.stringContaining('503'),
    });
    const { rows } = await g.database.pool.query('select last_error, end_date::text from providers');
    expect(rows).toEqual([{ last_error: null, end_date: TODAY }]);
  });

  it('asks one provider once at a time, and different ones side by side', async () => {
    let atOnce = 0;
    let most = 0;
    bank('ECB');
    g.stub.route('/ECB', async (request, response) => {
      most = Math.max(most, ++atOnce);
      await sleep(100);
      atOnce--;
      answer(dailyRates(request))(request, response);
    });
    bank('BOC');
    bank('NBU');
    g.stub.route('/NBU', () => {}); // never answers
    await enqueueIngest(g.queues.ingest, { provider: 'NBU', from: '2026-11-16' });
    for (const from of ['2026-11-10', '2026-11-11', '2026-11-12']) {
      await enqueueIngest(g.queues.ingest, { provider: 'ECB', from, to: TODAY });
    }
    await enqueueIngest(g.queues.ingest, { provider: 'BOC', from: '2026-11-16' });
    g.work();
    g.work();
    await vi.waitFor(async () => {
      expect(await succeeded('ECB')).toHaveLength(3);
      expect(await succeeded('BOC')).toHaveLength(1);
    }, patiently);
    expect(most).toBe(1);
    expect(await runsOf(g, 'ECB')).toHaveLength(3);
    // Being put off cost none of them an attempt.
    const jobs = await g.queues.ingest.getJobs(['completed']);
    expect(jobs.map(({ failedReason }) => failedReason).filter(Boolean)).toEqual([]);
  });

  it('gives the running job to who asks for the same again', async () => {
    bank('ECB');
    const first = await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: '2026-11-16' });
    expect(await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: '2026-11-16' })).toBe(first);
    expect(await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: '2026-11-10' })).not.toBe(first);
    g.work();
    await idle();
    const job = await g.queues.ingest.getJob(first);
    expect(await job?.getState()).toBe('completed');
    expect(job?.returnvalue).toMatchObject({ run: expect.any(String), rowsDropped: {} });
    expect(await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: '2026-11-16' })).not.toBe(first);
  });

  it('hands a job back when its worker is to stop', async () => {
    bank('ECB');
    let asked = 0;
    g.stub.route('/ECB', (request, response) => {
      // The first answer never comes, and the worker stops meanwhile.
      if (++asked > 1) answer(dailyRates(request))(request, response);
      else response.socket?.setTimeout(300, () => response.destroy());
    });
    await enqueueRecent(g.queues.ingest, recent('ECB'), { id: 'slot' });
    const first = g.work();
    await vi.waitFor(() => expect(asked).toBe(1), patiently);
    await first.close();
    expect((await g.database.pool.query('select last_error from providers')).rows).toEqual([
      { last_error: null },
    ]);
    g.work();
    await vi.waitFor(async () => expect(await succeeded('ECB')).toHaveLength(1), patiently);
    await idle();
    const [job] = await g.queues.ingest.getCompleted();
    expect(job?.attemptsMade).toBe(1);
  });

  it('keeps what a correction replaces, blends it again and tells every listener', async () => {
    bank('ECB');
    const heard: string[] = [];
    await g.announcements.subscribe(() => heard.push('one'));
    await g.announcements.subscribe(() => heard.push('other'));
    const { pool } = g.database;
    // On Redis, announcements of other tests are heard as well.
    const announced = (versions: number) =>
      vi.waitFor(async () => {
        expect((await pool.query('select from data_versions')).rowCount).toBe(versions);
        expect(new Set(heard).size).toBe(2);
      }, patiently);
    g.work();
    await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: '2026-11-16', to: TODAY });
    await announced(1);
    heard.length = 0;
    g.stub.route('/ECB', (request, response) => answer(dailyRates(request, 'USD', 1.2))(request, response));
    await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: TODAY, to: TODAY });
    await announced(2);

    expect((await pool.query('select date::text, rate from rate_revisions')).rows).toEqual([
      { date: TODAY, rate: 1.1 },
    ]);
    const blended = await pool.query('select rate from blended_days where date = $1 and quote = $2', [
      TODAY,
      'EUR',
    ]);
    expect(blended.rows[0].rate).toBeCloseTo(1 / 1.2, 12);
  });

  it('fills in history backwards, and goes on where it was cut off, without gap or repeat', async () => {
    const start = providers.find(({ key }) => key === 'CBR')?.coverage_start;
    bank('CBR', { backfillDays: 2_500 });
    g.stub.route('/CBR', (request, response) => {
      const [first, last] = [request.query.get('from'), request.query.get('to')];
      answer([first, last].map((date) => ({ date, base: 'EUR', quote: 'USD', rate: 1.1 })))(
        request,
        response,
      );
    });
    let worker = g.work({ backfills: true });
    await catchUp(g.plan, 0);
    await vi.waitFor(async () => expect((await succeeded('CBR')).length).toBeGreaterThan(2), patiently);
    await worker.close();
    // What the queue knew is lost as well.
    await g.queues.ingest.obliterate({ force: true });
    worker = g.work({ backfills: true });
    // By the clock of this machine it was asked on another day.
    await g.database.pool.query('update ingest_runs set started_at = $1', [g.plan.clock()]);
    await sweep(g.plan, g.plan.clock());
    await vi.waitFor(async () => {
      const state = await g.database.pool.query('select backfilled_to::text as day from providers');
      expect(state.rows).toEqual([{ day: start }]);
    }, patiently);
    await idle();
    const runs = await succeeded('CBR');
    expect(runs[0]).toMatchObject({ reason: 'catch-up', from: '2026-11-07', to: TODAY });
    for (const [index, run] of runs.entries()) {
      const newer = runs[index - 1];
      if (newer) expect(run).toMatchObject({ reason: 'backfill', to: addDays(newer.from, -1) });
    }
    expect(runs.at(-1)?.from).toBe(start);
    const progress = (await g.queues.ingest.getCompleted()).map((job) => job.progress);
    expect(progress).toContainEqual({ step: 'stored', history: 1 });
    const stored = await g.database.pool.query('select count(*)::int as n from rates');
    expect(stored.rows).toEqual([{ n: runs.reduce((sum, run) => sum + run.rows_new, 0) }]);
    expect(runs.every((run) => run.rows_unchanged === 0)).toBe(true);
  });

  it('sets a step aside that fails while the bank answers otherwise, and takes it back once it succeeds', async () => {
    let odd = true;
    const rates = (request: StubRequest) =>
      [request.query.get('from'), request.query.get('to')].map((date) => ({
        date,
        base: 'EUR',
        quote: 'USD',
        rate: 1.1,
      }));
    g.stub.route('/CBR', (request, response) => {
      const isFirstStep = request.query.get('to') === '2026-11-06';
      answer(odd && isFirstStep ? [] : rates(request))(request, response);
    });
    const { empty: _undocumented, ...feed } = stubFeed(g.stub.url, 'CBR', { backfillDays: 2_500 });
    g.feeds.set('CBR', feed);
    g.work({ backfills: true });
    await catchUp(g.plan, 0);
    const failed = async () => (await runsOf(g, 'CBR')).filter((run) => run.outcome === 'failed');
    await vi.waitFor(async () => expect((await failed()).length).toBeGreaterThan(6), patiently);
    // While nothing else of the bank succeeds, its history waits.
    expect(await readSetAside(g.database)).toEqual([]);
    expect((await succeeded('CBR')).map(({ reason }) => reason)).toEqual(['catch-up']);

    const next = { ...recent('CBR'), from: '2026-11-16' };
    await enqueueRecent(g.queues.ingest, next, { id: 'next' });
    await vi.waitFor(async () => {
      const { rows } = await g.database.pool.query('select backfilled_to::text as day from providers');
      expect(rows[0].day).toBe(providers.find(({ key }) => key === 'CBR')?.coverage_start);
    }, patiently);
    await idle();
    const [first, ...others] = (await runsOf(g, 'CBR')).filter(({ reason }) => reason === 'backfill');
    const window = { from: first?.from ?? '', to: '2026-11-06' };
    expect(others.at(-1)?.outcome).toBe('succeeded');
    expect(await readSetAside(g.database, 'CBR')).toMatchObject([
      { provider: 'CBR', ...window, reason: expect.stringContaining('no records that hold a rate') },
    ]);

    odd = false;
    await enqueueIngest(g.queues.ingest, { provider: 'CBR', ...window });
    await vi.waitFor(async () => expect(await readSetAside(g.database)).toEqual([]), patiently);
    await idle();
    expect((await succeeded('CBR')).at(-1)).toMatchObject({ reason: 'operator', rows_new: 2, ...window });
  });

  it('does not ask without a key, nor again with a wrong one', async () => {
    bank('FRED', { credentials: ['FRED_API_KEY'] });
    g.work();
    await catchUp(g.plan, 0);
    await idle();
    expect(g.stub.requests).toHaveLength(0);
    expect((await g.database.pool.query('select key, last_error from providers')).rows).toEqual([
      { key: 'FRED', last_error: 'needs_key: FRED_API_KEY' },
    ]);

    g.feeds.set('FRED', {
      key: 'FRED',
      credentials: ['FRED_API_KEY'],
      // biome-ignore lint/correctness/useYield: it is refused before there is a row
      async *read() {
        throw new CredentialsRefused('the key was refused');
      },
    });
    await catchUp({ ...g.plan, variables: { FRED_API_KEY: 'wrong' } }, 0);
    await idle();
    const runs = await runsOf(g, 'FRED');
    expect(runs).toMatchObject([{ outcome: 'failed', error: 'the key was refused' }]);
    expect((await g.queues.ingest.getFailed()).map((job) => job.attemptsMade)).toEqual([1]);
  });

  it('leaves a source alone that asks for it, until then', async () => {
    bank('ECB');
    g.stub.route('/ECB', (_, response) => void response.writeHead(429, { 'retry-after': '7200' }).end());
    g.work();
    await catchUp(g.plan, 0);
    await idle();
    expect(g.stub.requests).toHaveLength(1);
    expect((await g.queues.ingest.getFailed()).map((job) => job.attemptsMade)).toEqual([1]);
    expect((await g.database.pool.query('select last_error from providers')).rows).toEqual([
      { last_error: null },
    ]);
    const at = (hours: number) => () => new Date(Date.now() + hours * 3_600_000);
    await sweep({ ...g.plan, clock: at(1) }, at(1)(), 0);
    await idle();
    expect(g.stub.requests).toHaveLength(1);

    bank('ECB');
    await sweep({ ...g.plan, clock: at(3) }, at(3)(), 0);
    await idle();
    expect((await succeeded('ECB')).length).toBeGreaterThan(0);
    expect((await g.database.pool.query('select ask_after from providers')).rows).toEqual([
      { ask_after: null },
    ]);
  });

  it('blends a window, and everything, on demand', async () => {
    bank('ECB');
    g.work();
    await enqueueIngest(g.queues.ingest, { provider: 'ECB', from: '2026-11-16', to: TODAY });
    await vi.waitFor(async () => expect(await succeeded('ECB')).toHaveLength(1), patiently);
    const { pool } = g.database;
    const { rows: before } = await pool.query('select * from blended_days order by date, quote');
    await pool.query('update blended_days set rate = 7');
    await enqueueBlend(g.queues.blend, { from: '2026-11-16', to: '2026-11-17' });
    const wrong = () =>
      pool.query('select count(*)::int as n from blended_days where rate = 7').then(({ rows }) => rows[0].n);
    const all = await wrong();
    await vi.waitFor(async () => expect(await wrong()).toBe(all * 0.6), patiently);
    await enqueueBlend(g.queues.blend, null);
    await vi.waitFor(async () => expect(await wrong()).toBe(0), patiently);
    expect((await pool.query('select * from blended_days order by date, quote')).rows).toEqual(before);
  });
});
