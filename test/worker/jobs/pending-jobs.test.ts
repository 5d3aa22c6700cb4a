import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readPendingJobs } from '../../../core/database/operators.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { systemClock } from '../../../core/domain/clock.js';
import { readConfig } from '../../../core/process/config.js';
import { openQueueAccess } from '../../../src/operations/queue-access.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { restorePendingJobs } from '../../../worker/jobs/pending-jobs.js';
import { startJobs } from '../../../worker/jobs/start-jobs.js';
import { log, TOKEN } from '../../src/operations/support.js';
import { startApi } from '../../support/api.js';
import { answer } from '../../support/http-stub.js';
import type { TestServer } from '../../support/postgres-server.js';
import { redisMissing } from '../../support/redis.js';
import { startRedis } from '../../support/redis-server.js';
import { dailyRates, type Ground, ground, runsOf, stubFeed } from './support.js';

const patiently = { timeout: 30_000, interval: 50 };

describe.skipIf(redisMissing)('jobs that operators asked for', () => {
  let redis: TestServer;
  let g: Ground;
  const closings: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    redis = await started();
    g = await ground(redis.url);
    closings.push(() => g.close());
    g.feeds.set('ECB', stubFeed(g.stub.url, 'ECB'));
    g.stub.route('/ECB', (request, response) => answer(dailyRates(request))(request, response));
  });
  afterEach(async () => {
    for (const close of closings.splice(0).reverse()) await close();
    await redis.stop();
  });

  async function started(port?: number): Promise<TestServer> {
    const server = await startRedis(port);
    if (!server) throw new Error('Redis did not start');
    return server;
  }

  /** It keeps nothing on disk. */
  async function restartRedis(): Promise<void> {
    const port = Number(new URL(redis.url).port);
    await redis.stop();
    redis = await started(port);
    await vi.waitFor(async () => expect(await idsOf()).toEqual([]), patiently);
  }

  const idsOf = async () =>
    [...(await g.queues.ingest.getJobs()), ...(await g.queues.blend.getJobs())].map(({ id }) => id).sort();
  const restore = () =>
    restorePendingJobs({ database: g.database, queue: g.queues.ingest, blend: g.queues.blend, log });

  /** Asks for one job of each kind, and once more for the first; returns their ids. */
  async function askForAll(): Promise<string[]> {
    const queues = openQueueAccess(g.store, log);
    const api = await startApi(g.database, { variables: { ADMIN_TOKEN: TOKEN }, parts: { queues } });
    const naira = (date: string, rate: number) => ({ date, base: 'USD', quote: 'NGN', rate });
    const store = (...rows: RateRow[]) =>
      inTransaction(g.database, (transaction) => storeAndBlend(transaction, 'CBN', rows));
    await store(naira('2023-06-12', 464.67), naira('2023-06-13', 464.8));
    await store(naira('2023-06-14', 4648));
    const { rows } = await g.database.pool.query('select id from suspects');
    const ask = async (path: string, body?: object) => {
      const response = await fetch(`${api.url}/admin/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect([path, response.status]).toEqual([path, 202]);
      return ((await response.json()) as { job: { id: string } }).job.id;
    };
    try {
      const window = { from: '2026-11-16', to: '2026-11-20' };
      const ingest = await ask('providers/ECB/ingest', window);
      expect(await ask('providers/ECB/ingest', window)).toBe(ingest);
      return [ingest, await ask('blend/rebuild'), await ask(`suspects/${rows[0].id}/reject`)].sort();
    } finally {
      await api.close();
      await queues.close();
    }
  }

  it('are added again, once, after a restart of Redis, until they have ended', async () => {
    const asked = await askForAll();
    expect(await idsOf()).toEqual(asked);
    await restore();
    expect(await idsOf()).toEqual(asked);

    await restartRedis();
    // By two workers.
    await Promise.all([restore(), restore()]);
    expect(await idsOf()).toEqual(asked);

    const config = readConfig({ SCHEDULE: 'off', DATABASE_URL: g.database.url });
    const jobs = await startJobs({ ...g, config, clock: systemClock, log });
    closings.push(() => jobs.close());
    await vi.waitFor(async () => expect(await readPendingJobs(g.database)).toEqual([]), patiently);
    expect(await runsOf(g, 'ECB')).toMatchObject([{ reason: 'operator', outcome: 'succeeded', rows_new: 5 }]);
    const { rows } = await g.database.pool.query('select status::text, resolved_by from suspects');
    expect(rows).toEqual([{ status: 'rejected', resolved_by: 'token' }]);

    await restartRedis();
    await restore();
    expect(await idsOf()).toEqual([]);
  });

  it('that have failed for good, or were asked for again since, are not added again', async () => {
    const [decision, rebuild, ingest] = await askForAll();
    await restartRedis();
    const window = { from: '2026-11-16', to: '2026-11-20' };
    const { id } = await g.queues.ingest.add(
      'operator',
      { provider: 'ECB', ...window, reason: 'operator' },
      { jobId: 'ingest-again', deduplication: { id: `ECB-operator-${window.from}-${window.to}` } },
    );
    await restore();
    expect(await idsOf()).toEqual([rebuild, decision, id].sort());
    expect(new Set((await readPendingJobs(g.database)).map(({ job }) => job.id))).toEqual(
      new Set([rebuild, decision, id]),
    );
    expect(ingest).not.toBe(id);

    g.feeds.clear();
    const config = readConfig({ SCHEDULE: 'off', DATABASE_URL: g.database.url });
    const jobs = await startJobs({ ...g, config, clock: systemClock, log });
    closings.push(() => jobs.close());
    await vi.waitFor(async () => expect(await g.queues.ingest.getFailedCount()).toBe(1), patiently);
    await vi.waitFor(async () => {
      await restore();
      expect(await readPendingJobs(g.database)).toEqual([]);
    }, patiently);
  });
});
