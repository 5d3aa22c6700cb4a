import pino from 'pino';
import type { CalendarDate } from '../../../core/domain/dates.js';
import { type Announcements, openAnnouncements } from '../../../core/queues/announcements.js';
import {
  closeWorker,
  openQueues,
  openWorker,
  type QueueStore,
  type Queues,
} from '../../../core/queues/queues.js';
import type { Feed, RateRow } from '../../../worker/feeds/feed.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { ratesFrom } from '../../../worker/feeds/reading.js';
import type { FeedSource } from '../../../worker/ingest/feed-source.js';
import { blendProcessor } from '../../../worker/jobs/blend-job.js';
import type { PlanDeps } from '../../../worker/jobs/catch-up.js';
import { ingestProcessor } from '../../../worker/jobs/ingest-job.js';
import { httpStub, type StubRequest } from '../../support/http-stub.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { redisMissing, testRedis } from '../../support/redis.js';

export const TODAY = '2026-11-20';
const clock = () => new Date(`${TODAY}T20:00:00Z`);
const log = pino({ level: 'silent' });

/** Where queues and announcements live; every test of jobs runs on both. */
export const backends = [
  { name: 'PostgreSQL', redis: false, missing: undefined },
  { name: 'Redis', redis: true, missing: redisMissing },
] as const;

/** A bank that is served by the stub: `GET /<key>?from=…&to=…` answers rows. */
export function stubFeed(url: string, key: string, more: Partial<Feed> = {}): Feed {
  return {
    key,
    empty: 'the stub has none',
    ...more,
    async *read({ from, to }, { http }) {
      const response = await http.get(`${url}/${key}`, { query: { from, to } });
      yield ratesFrom(response, 'any day', response.json() as RateRow[], (row) => row);
    },
  };
}

/** One rate a day, the same whenever it is asked for. */
export function dailyRates(request: StubRequest, quote = 'USD', rate = 1.1): RateRow[] {
  const rows: RateRow[] = [];
  const last = Date.parse(request.query.get('to') ?? '');
  for (let day = Date.parse(request.query.get('from') ?? ''); day <= last; day += 86_400_000) {
    rows.push({ date: new Date(day).toISOString().slice(0, 10), base: 'EUR', quote, rate });
  }
  return rows;
}

/** A source over real HTTP that does not try again by itself, so that a job's own attempts can be counted. */
function stubSource(today: CalendarDate = TODAY): FeedSource & { variables: Record<string, string> } {
  const wire = openHttpClient({ limits: { attempts: 1 } });
  return {
    variables: {},
    open: async () => ({ http: wire, today, credentials: { status: 'present', values: {} } }),
    close: () => wire.close(),
  };
}

export interface Ground {
  database: TestDatabase;
  store: QueueStore;
  queues: Queues;
  announcements: Announcements;
  source: FeedSource;
  stub: Awaited<ReturnType<typeof httpStub>>;
  feeds: Map<string, Feed>;
  plan: PlanDeps;
  /**
   * Starts a worker that is quick to try again; closed with all else. One that is to take over the jobs of a dead
   * worker needs a short lock. Elsewhere a short lock only runs a job twice where the machine stalls.
   */
  work(options?: { backfills?: boolean; lockDurationMs?: number }): Worker;
  close(): Promise<void>;
}

interface Worker {
  close(): Promise<void>;
}

/** Everything that jobs need, all real; on a Redis of its own where its URL is given. */
export async function ground(redis: boolean | string): Promise<Ground> {
  const database = await testDatabase();
  const redisUrl = redis === true ? (await testRedis()).url : redis || undefined;
  const store = { databaseUrl: database.url, redisUrl };
  const queues = await openQueues(store, { log });
  const announcements = await openAnnouncements({ database, redisUrl, log });
  const stub = await httpStub();
  const source = stubSource();
  const feeds = new Map<string, Feed>();
  const workers: Worker[] = [];
  const work = ({ backfills = false, lockDurationMs = 30_000 } = {}) => {
    const stopping = new AbortController();
    const shared = { database, announcements, queue: queues.ingest, feeds, source, log };
    const ingests = openWorker(
      'ingest',
      store,
      ingestProcessor({
        ...shared,
        backfills,
        backfillsAtOnce: 2,
        busyDelayMs: 50,
        stopping: stopping.signal,
      }),
      { log, concurrency: 4, lockDurationMs, backoff: () => 20 },
    );
    const blends = openWorker('blend', store, blendProcessor(shared), { log, concurrency: 1 });
    const worker = {
      async close() {
        stopping.abort();
        await Promise.all([closeWorker(ingests), closeWorker(blends)]);
      },
    };
    workers.push(worker);
    return worker;
  };
  return {
    database,
    store,
    queues,
    announcements,
    source,
    stub,
    feeds,
    plan: { database, queue: queues.ingest, feeds, variables: {}, clock, log },
    work,
    async close() {
      await stub.close();
      await Promise.all(workers.map((worker) => worker.close()));
      await queues.close();
      await announcements.close();
      await source.close();
      await database.close();
    },
  };
}

/** The runs of a provider, oldest first. */
export async function runsOf({ database }: Ground, provider: string) {
  const { rows } = await database.pool.query<{
    outcome: string;
    error: string | null;
    reason: string;
    from: string;
    to: string;
    rows_new: number;
    rows_corrected: number;
    rows_unchanged: number;
  }>(
    `select outcome::text, error, reason, window_from::text as "from", window_to::text as "to",
       rows_new, rows_corrected, rows_unchanged
     from ingest_runs where provider = $1 order by id`,
    [provider],
  );
  return rows;
}
