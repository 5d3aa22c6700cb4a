import pino from 'pino';
import { openDatabase } from '../../../core/database/database.js';
import { systemClock } from '../../../core/domain/dates.js';
import { openAnnouncements } from '../../../core/queues/announcements.js';
import { openQueues, openWorker, type QueueStore } from '../../../core/queues/queues.js';
import { openHttpClient } from '../../../worker/feeds/http/live-client.js';
import { openFailureLog } from '../../../worker/jobs/failure-log.js';
import { ingestProcessor } from '../../../worker/jobs/ingest-job.js';
import { stubFeed } from './stub-feed.js';

/** A worker as a process of its own, to be killed. It reads one bank, ECB, at the address it is given. */
const { store, bank }: { store: QueueStore; bank: string } = JSON.parse(process.argv[2] ?? '');
const log = pino({ level: 'silent' });
const database = openDatabase(store.databaseUrl, { connections: 3 });
const announcements = await openAnnouncements({ database, redisUrl: store.redisUrl, log });
const queues = await openQueues(store, { log });
const http = openHttpClient({ limits: { attempts: 1 } });
const processor = ingestProcessor({
  ...{ database, announcements, queues, log, feeds: new Map([['ECB', stubFeed(bank, 'ECB')]]) },
  source: {
    open: async () => ({ http, today: '2026-11-20', credentials: { status: 'present', values: {} } }),
    close: () => http.close(),
  },
  ...{ stopping: new AbortController().signal, backfills: false, backfillsAtOnce: 1 },
  ...{ clock: systemClock, failures: openFailureLog({ database, clock: systemClock, log }) },
});
openWorker('ingest', store, processor, { log, concurrency: 1, lockDurationMs: 1_000 });
process.send?.('at work');
