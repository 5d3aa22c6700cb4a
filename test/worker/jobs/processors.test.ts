import { type Job, UnrecoverableError } from 'bullmq';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgramOutdated } from '../../../core/database/blend-method.js';
import { lockProvider } from '../../../core/database/locks.js';
import { addDays, systemClock } from '../../../core/domain/dates.js';
import { BLEND_METHOD, exceptProviders, providerOf } from '../../../core/domain/providers.js';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import type { BlendJob, IngestJob, IngestOutcome } from '../../../core/queues/queues.js';
import { credentialsFor } from '../../../worker/feeds/credentials.js';
import { CredentialsRefused, type Feed } from '../../../worker/feeds/feed.js';
import { blendProcessor } from '../../../worker/jobs/blend-job.js';
import { openFailureLog } from '../../../worker/jobs/failure-log.js';
import { type IngestJobDeps, ingestProcessor } from '../../../worker/jobs/ingest-job.js';
import { event } from '../../support/event.js';
import { answer } from '../../support/http-stub.js';
import { openLog, readLines, refusing } from '../ingest/support.js';
import { runsOf, sharedGround, TODAY } from './support.js';

const g = await sharedGround();
beforeEach(() => g.bank('ECB'));
afterEach(() => exceptProviders([]));

/** A job as the queue gives it to a worker; what is done to it is noted. */
function jobOf<Data>(data: Data, { attemptsMade = 0, timestamp = Date.now() } = {}) {
  const putOff: { inMs: number; token: unknown }[] = [];
  const progress: unknown[] = [];
  const job = {
    ...{ id: 'job-1', token: 'token', data, attemptsMade, timestamp },
    updateProgress: async (step: unknown) => void progress.push(step),
    async moveToDelayed(at: number, token: unknown) {
      expect(Number.isInteger(at)).toBe(true);
      putOff.push({ inMs: at - Date.now(), token });
    },
  };
  return { job: job as unknown as Job<Data, never, string>, putOff, progress };
}

const recent: IngestJob = { provider: 'ECB', from: '2026-11-16', reason: 'schedule' };

/** A worker of ingest jobs, of which each call gives what comes of one, and what was done to the job. */
function openProcessor(more: Partial<IngestJobDeps> = {}) {
  const { log, lines } = openLog();
  const published: bigint[] = [];
  const process = ingestProcessor({
    ...{ database: g.database, queues: g.queues, feeds: g.feeds, source: g.source, log },
    announcements: { publish: async (version) => void published.push(version) },
    ...{ stopping: new AbortController().signal, backfills: false, backfillsAtOnce: 1 },
    ...{ clock: systemClock, failures: openFailureLog({ database: g.database, clock: systemClock, log }) },
    ...more,
  });
  return async (data: IngestJob, how: Parameters<typeof jobOf>[1] = {}) => {
    const { job, ...done } = jobOf(data, how);
    const outcome: IngestOutcome | Error = await process(job).catch((error: Error) => error);
    return { outcome, lines, published, ...done };
  };
}

const work = (data: IngestJob, more: Partial<IngestJobDeps> = {}, how: Parameters<typeof jobOf>[1] = {}) =>
  openProcessor(more)(data, how);

/** Has ECB fail so. */
const failing = (error: Error, more: Partial<Feed> = {}) =>
  g.feeds.set('ECB', {
    key: 'ECB',
    ...more,
    // biome-ignore lint/correctness/useYield: it fails before there is a row
    async *read() {
      throw error;
    },
  });
const ALONE = new HttpClientError('status', { method: 'GET', url: 'http://bank.test/' }, 'status 429', {
  ...{ status: 429, retryAfterMs: 7_200_000 },
});
const waiting = async () => (await g.queues.ingest.getJobs()).map(({ data }) => data);

describe('an ingest job', () => {
  it('that succeeds reports its counts, its steps, the data version and one line', async () => {
    const { outcome, lines, published, progress, putOff } = await work(recent);
    const counts = { rowsNew: 5, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {}, rowsSkipped: {} };
    expect(outcome).toEqual({ run: '1', ...counts });
    expect([published, putOff]).toEqual([[1n], []]);
    expect(progress).toEqual([{ step: 'reading' }, { step: 'storing' }, { step: 'stored' }]);
    const [time, ms] = [expect.any(Number), expect.toSatisfy((value) => value < 60_000)];
    const line = { level: 30, time, provider: 'ECB', job: 'job-1', reason: 'schedule', msg: 'ingested' };
    expect(lines).toEqual([{ ...line, run: '1', ...counts, ms }]);
    const runs = await readLines(g.database, 'select job_id, window_from, window_to from ingest_runs');
    expect(runs).toEqual([`job-1 2026-11-16 ${TODAY}`]);
    expect(await waiting()).toEqual([]);
  });

  it('goes on with the history, where that is wanted and there is more', async () => {
    g.bank('ECB', { backfillDays: 100 });
    await work(recent, { backfills: true });
    const to = '2026-11-15';
    expect(await waiting()).toEqual([{ provider: 'ECB', from: addDays(to, -99), to, reason: 'backfill' }]);
  });

  it('has succeeded also where the next step can not be asked for', async () => {
    g.bank('ECB', { backfillDays: 100 });
    const ingest = { add: () => Promise.reject(new Error('away')) };
    const queues = { ingest } as unknown as IngestJobDeps['queues'];
    const { outcome, lines } = await work(recent, { backfills: true, queues });
    expect(outcome).toMatchObject({ rowsNew: 5 });
    const line = { level: 40, provider: 'ECB', reason: 'away' };
    expect(lines.at(-1)).toMatchObject({ ...line, msg: 'the next step of the backfill could not be queued' });
  });

  it('is put off while its provider is busy, for five to fifteen seconds, and at once where the worker is to stop', async () => {
    const lock = await lockProvider(g.database, 'ECB');
    const delays: number[] = [];
    for (let again = 0; again < 20; again++) {
      const { outcome, putOff, lines } = await work(recent, again % 2 ? {} : { busyDelayMs: 100_000 });
      expect(outcome).toMatchObject({ name: 'DelayedError' });
      expect(putOff).toEqual([{ inMs: expect.any(Number), token: 'token' }]);
      expect(lines).toEqual([]);
      delays.push((putOff[0]?.inMs ?? 0) / (again % 2 ? 1 : 10));
    }
    const [least, most] = [Math.min(...delays), Math.max(...delays)];
    expect(least).toBeGreaterThan(4_000);
    expect(most).toBeLessThanOrEqual(15_000);
    expect(most - least).toBeGreaterThan(1_000);
    const stopping = await work(recent, { stopping: AbortSignal.abort() });
    expect(stopping.putOff[0]?.inMs).toBeLessThanOrEqual(0);
    await lock.release();
    // At once, too, where it fails because the worker is to stop.
    failing(new Error('aborted'));
    const { outcome, putOff } = await work(recent, { stopping: AbortSignal.abort() });
    expect(outcome).toMatchObject({ name: 'DelayedError' });
    expect(putOff[0]?.inMs).toBeLessThanOrEqual(0);
  });

  it('is left to newer workers where the blends are of a newer method', async () => {
    await work(recent);
    await g.database.pool.query('update data_versions set method = $1', [BLEND_METHOD + 1]);
    const onOutdated = vi.fn();
    const { outcome, putOff } = await work({ ...recent, to: TODAY, from: TODAY }, { onOutdated });
    expect(outcome).toMatchObject({ name: 'DelayedError' });
    expect(putOff[0]?.inMs).toBeGreaterThan(0);
    expect(onOutdated).toHaveBeenCalledWith(expect.any(ProgramOutdated));
  });

  it('that fails otherwise is tried again, and logs which attempt it was', async () => {
    const error = new Error('the bank is closed');
    failing(error);
    const { outcome, lines, putOff } = await work(recent, {}, { attemptsMade: 2 });
    expect([outcome, putOff]).toEqual([error, []]);
    const line = { level: 40, msg: 'ingest failed', attempt: 3, error: 'the bank is closed', job: 'job-1' };
    expect(lines).toMatchObject([line]);
  });

  it.each([
    ['a feed that there is not', () => g.feeds.clear(), 'there is no feed ECB'],
    ['one that is left out', () => exceptProviders(['ECB']), 'PROVIDERS_EXCEPT leaves ECB out'],
    ['a key that is refused', () => failing(new CredentialsRefused('wrong key')), 'wrong key'],
    ['a source that asks to be left alone', () => failing(ALONE), 'http://bank.test/: status 429'],
    ['want of a key', () => g.bank('ECB', { credentials: ['ECB_KEY'] }), 'needs_key: ECB_KEY'],
  ])('fails for good for %s', async (_, prepare, message) => {
    prepare();
    const open = async (feed: Feed) => {
      const opened = await g.source.open(feed);
      return { ...opened, credentials: credentialsFor(feed, {}) };
    };
    const { outcome } = await work(recent, { source: { ...g.source, open } });
    expect(outcome).toEqual(new UnrecoverableError(message));
  });

  it('reads a recording over the days that it is about, unless an operator names the days', async () => {
    const recorded = { from: '2020-02-03', to: '2020-02-05' };
    const open = async (feed: Feed) => ({ ...(await g.source.open(feed)), recorded });
    const source = { ...g.source, open };
    await work(recent, { source });
    await work({ ...recent, to: '2026-11-17', reason: 'operator' }, { source });
    expect(await runsOf(g, 'ECB')).toMatchObject([recorded, { from: '2026-11-16', to: '2026-11-17' }]);
  });
});

describe('a step of a backfill', () => {
  const FIRST = providerOf('ECB')?.coverage_start ?? '';
  const day = (days: number) => addDays(FIRST, days);
  // A thousand days of history, of which the last hundred have been asked for.
  const step: IngestJob = { provider: 'ECB', from: day(500), to: day(899), reason: 'backfill' };
  const asked = { timestamp: Date.parse(day(1_000)) };

  beforeEach(async () => {
    g.bank('ECB', { backfillDays: 400 });
    await g.database.pool.query(`insert into providers (key, backfilled_to) values ('ECB', $1)`, [day(900)]);
  });

  it('reports its steps, and asks for the next one', async () => {
    const { outcome, progress } = await work(step, { backfills: true }, asked);
    expect(outcome).toMatchObject({ run: '1', rowsNew: 400 });
    expect(progress).toEqual(['reading', 'storing', 'stored'].map((step) => ({ step })));
    expect(await waiting()).toEqual([{ ...step, from: day(100), to: day(499) }]);
  });

  it('that was stored already is not asked for again, but what is left is', async () => {
    for (const backfilledTo of [day(500), day(400)]) {
      await g.queues.ingest.obliterate({ force: true });
      await g.database.pool.query('update providers set backfilled_to = $1', [backfilledTo]);
      const { outcome, lines } = await work(step, { backfills: true }, asked);
      const nothing = { rowsNew: 0, rowsCorrected: 0, rowsUnchanged: 0, rowsDropped: {}, rowsSkipped: {} };
      expect(outcome).toEqual({ run: null, ...nothing });
      expect(lines).toEqual([]);
      expect(await waiting()).toMatchObject([{ to: addDays(backfilledTo, -1) }]);
    }
    expect(g.stub.requests).toEqual([]);
  });

  it('that is set aside fails for good, and the history goes on behind it', async () => {
    failing(new Error('an odd year'), { backfillDays: 400 });
    await g.database.pool.query(`update providers set last_success_at = now() + interval '1 hour'`);
    const fifth = await work(step, { backfills: true }, { attemptsMade: 4 });
    expect(fifth.outcome).not.toBeInstanceOf(UnrecoverableError);
    expect(await waiting()).toEqual([]);
    const { outcome, lines } = await work(step, { backfills: true }, { attemptsMade: 5 });
    expect(outcome).toEqual(new UnrecoverableError('an odd year'));
    const line = { level: 40, from: step.from, to: step.to };
    expect(lines.at(-1)).toMatchObject({ ...line, msg: 'set aside: the backfill goes on before it' });
    expect(await waiting()).toMatchObject([{ to: day(499) }]);
    // Other jobs are tried again however often they have failed.
    const other = await work({ ...step, reason: 'operator' }, {}, { attemptsMade: 5 });
    expect(other.outcome).not.toBeInstanceOf(UnrecoverableError);
  });

  it('waits while as many as are allowed are at work, and no longer', async () => {
    const answered = event();
    g.stub.route('/ECB', async (request, response) => {
      await answered.happened;
      answer('closed', 404)(request, response);
    });
    g.bank('BOC');
    const take = openProcessor();
    const first = take(step);
    await vi.waitFor(() => expect(g.stub.requests).toHaveLength(1));
    const other: IngestJob = { ...step, provider: 'BOC', from: '2026-11-01', to: '2026-11-10' };
    const waits = { outcome: { name: 'DelayedError' } };
    expect(await take(other)).toMatchObject(waits);
    // What is new has room beside it.
    expect(await take({ ...recent, provider: 'BOC' })).toMatchObject({ outcome: { rowsNew: 5 } });
    expect(await take(other)).toMatchObject(waits);
    answered.happen();
    expect((await first).outcome).toMatchObject({ message: expect.stringContaining('404') });
    expect(await take(other)).toMatchObject({ outcome: { rowsNew: 10 } });
  });
});

describe('a blend job', () => {
  const all: BlendJob = { window: null };

  async function blend(data: BlendJob, { attemptsMade = 0, onOutdated = vi.fn() } = {}) {
    const { log, lines } = openLog();
    const published: bigint[] = [];
    const { job, putOff } = jobOf(data, { attemptsMade });
    const announcements = { publish: async (version: bigint) => void published.push(version) };
    const process = blendProcessor({ database: g.database, announcements, log, onOutdated });
    return { outcome: await process(job).catch((error: Error) => error), lines, published, putOff };
  }
  beforeEach(() => work(recent));
  const spoil = () => g.database.pool.query('update blended_days set rate = 7');
  const spoilt = () => readLines(g.database, 'select distinct date from blended_days where rate = 7');

  it('blends a window or everything, and announces the new version where there is one', async () => {
    await spoil();
    const part = await blend({ window: { from: '2026-11-17', to: TODAY } });
    expect(part.outcome).toEqual({ version: '2' });
    expect(part.published).toEqual([2n]);
    const ms = expect.toSatisfy((value) => value < 60_000);
    expect(part.lines).toMatchObject([{ level: 30, msg: 'blended', version: '2', job: 'job-1', ms }]);
    expect(await spoilt()).toEqual(['2026-11-16']);
    expect((await blend(all)).outcome).toEqual({ version: '3' });
    expect(await spoilt()).toEqual([]);
    const nothing = await blend(all);
    expect(nothing).toMatchObject({ outcome: { version: null }, published: [], putOff: [] });
  });

  it('blends all by this method where the blends are of an older one, whatever is asked for', async () => {
    await g.database.pool.query('update data_versions set method = $1', [BLEND_METHOD - 1]);
    await spoil();
    await blend({ window: { from: '2026-01-01', to: '2026-01-02' } });
    expect(await spoilt()).toEqual([]);
  });

  it('is left to newer workers where the blends are of a newer method, in a while', async () => {
    await g.database.pool.query('update data_versions set method = $1', [BLEND_METHOD + 1]);
    const onOutdated = vi.fn();
    const { outcome, putOff, lines } = await blend(all, { onOutdated });
    expect(outcome).toMatchObject({ name: 'DelayedError' });
    expect(putOff).toEqual([{ inMs: expect.closeTo(10_000, -4), token: 'token' }]);
    expect(onOutdated).toHaveBeenCalledWith(expect.any(ProgramOutdated));
    expect(lines).toEqual([]);
  });

  it('that fails is logged and tried again', async () => {
    await spoil();
    const failing = () => blend(all, { attemptsMade: 1 });
    const { outcome, lines, putOff } = await refusing(g.database, 'insert on blended_days', failing);
    expect(outcome).toMatchObject({ message: expect.stringContaining('refused') });
    expect(putOff).toEqual([]);
    expect(lines).toMatchObject([{ level: 40, msg: 'blend failed', attempt: 2, error: 'refused' }]);
  });
});
