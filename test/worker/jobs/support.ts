import pino from 'pino';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { findRuns } from '../../../core/database/ingest-runs.js';
import { eachDay, systemClock } from '../../../core/domain/dates.js';
import { readConfig } from '../../../core/process/config.js';
import { openAnnouncements } from '../../../core/queues/announcements.js';
import { closeWorker, openQueues, openWorker } from '../../../core/queues/queues.js';
import type { Feed, RateRow } from '../../../worker/feeds/feed.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import type { FeedSource } from '../../../worker/ingest/feed-source.js';
import { blendProcessor } from '../../../worker/jobs/blend-job.js';
import { openFailureLog } from '../../../worker/jobs/failure-log.js';
import { ingestProcessor } from '../../../worker/jobs/ingest-job.js';
import { startJobs } from '../../../worker/jobs/start-jobs.js';
import { answer, httpStub, type StubRequest } from '../../support/http-stub.js';
import { testDatabase } from '../../support/postgres.js';
import { redisMissing, testRedis } from '../../support/redis.js';
import { dollars, emptyTables, openLog } from '../ingest/support.js';
import { stubFeed } from './stub-feed.js';

export const TODAY = '2026-11-20';
const clock = () => new Date(`${TODAY}T20:00:00Z`);
const log = pino({ level: 'silent' });

export const patiently = { interval: 20 };

/** Where queues and announcements live. */
export const backends = [
  { name: 'PostgreSQL', redis: false, missing: undefined },
  { name: 'Redis', redis: true, missing: redisMissing },
] as const;

/** A rate a day, the same whenever it is asked for. */
export function dailyRates({ query }: StubRequest): RateRow[] {
  return [...eachDay(query.get('from') ?? '', query.get('to') ?? '')].map((date) => dollars(date));
}

/** Everything that jobs need, all real. */
export async function ground(redis: boolean) {
  const database = await testDatabase();
  const redisUrl = redis ? (await testRedis()).url : undefined;
  const store = { databaseUrl: database.url, redisUrl };
  const queues = await openQueues(store, { log });
  const announcements = await openAnnouncements({ database, redisUrl, log });
  const stub = await httpStub();
  // It does not try again by itself, so that a job's own attempts can be counted.
  const http = openHttpClient({ limits: { attempts: 1 } });
  const source: FeedSource = {
    open: async () => ({ http, today: TODAY, credentials: { status: 'present', values: {} } }),
    close: () => http.close(),
  };
  const feeds = new Map<string, Feed>();
  const workers: { close(): Promise<unknown> }[] = [];
  const usual = { backfills: false, lockDurationMs: 30_000, holdMs: 100, source, log };
  /**
   * Starts a worker that is quick to try again; closed with all else. One that is to take over the jobs of a dead
   * worker needs a short lock. Elsewhere a short lock only runs a job twice where the machine stalls.
   */
  const work = (given: Partial<typeof usual> = {}) => {
    const { backfills, lockDurationMs, holdMs, ...own } = { ...usual, ...given };
    const stopping = new AbortController();
    const shared = { database, announcements, queues, feeds, ...own };
    const failures = openFailureLog({ database, clock: systemClock, log: own.log, holdMs });
    const delays = { busyDelayMs: 50, offline: { least: 300, each: 300, probe: 100 } };
    const how = { backfills, backfillsAtOnce: 2, ...delays, stopping: stopping.signal };
    const process = ingestProcessor({ ...shared, ...how, clock: systemClock, failures });
    const options = { log, concurrency: 4, lockDurationMs, backoff: () => 20 };
    const ingests = openWorker('ingest', store, process, options);
    const blends = openWorker('blend', store, blendProcessor(shared), { log, concurrency: 1 });
    const close = async () => {
      stopping.abort();
      await Promise.all([closeWorker(ingests), closeWorker(blends)]);
      await failures.close();
    };
    workers.push({ close });
    return { close };
  };
  const stopWorkers = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()));
  };
  return {
    ...{ database, store, queues, announcements, source, stub, feeds },
    plan: {
      ...{ database, queues, feeds, variables: {}, clock, log },
    },
    /** A bank at the stub that gives daily rates. */
    bank(key: string, more?: Partial<Feed>) {
      feeds.set(key, stubFeed(stub.url, key, more));
      stub.route(`/${key}`, (request, response) => answer(dailyRates(request))(request, response));
    },
    work,
    /** Starts a worker as its program does, without a schedule; what it logs and reports is noted. */
    async start() {
      const health = { outdated: vi.fn(), observe: vi.fn() };
      const witness = { health, ...openLog() };
      const config = readConfig({ SCHEDULE: 'off', DATABASE_URL: database.url });
      const shared = { database, announcements, queues, store, feeds, variables: {} };
      workers.push(await startJobs({ ...shared, ...witness, config, clock: systemClock }));
      return witness;
    },
    /** Waits until no job is left to be done. */
    idle: () =>
      vi.waitFor(async () => {
        const counts = await queues.ingest.getJobCounts();
        expect(counts).toMatchObject({ active: 0, waiting: 0, delayed: 0, prioritized: 0 });
      }, patiently),
    stopWorkers,
    async close() {
      await stub.close();
      await stopWorkers();
      await queues.close();
      await announcements.close();
      await source.close();
      await database.close();
    },
  };
}

export type Ground = Awaited<ReturnType<typeof ground>>;

/** Has tests share a ground, which is empty at the beginning of each of them and closed at their end. */
export async function sharedGround(redis = false) {
  const g = await ground(redis);
  beforeEach(async () => {
    await Promise.all([g.queues.ingest, g.queues.blend].map((queue) => queue.obliterate({ force: true })));
    await emptyTables(g.database);
    g.feeds.clear();
    g.stub.requests.length = 0;
  });
  afterEach(() => g.stopWorkers());
  afterAll(() => g.close());
  return g;
}

/** The runs of a provider that succeeded, oldest first. */
export async function succeeded(g: Ground, provider: string) {
  return (await runsOf(g, provider)).filter(({ outcome }) => outcome === 'succeeded');
}

/** The runs of a provider, oldest first. */
export async function runsOf({ database }: Ground, provider: string) {
  return (await findRuns(database, provider, { limit: 1_000 })).toReversed();
}
