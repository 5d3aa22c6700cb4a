import { pino } from 'pino';
import { openDatabase } from '../../core/database/database.js';
import { placeholderCredentials } from '../../worker/feeds/credentials.js';
import { openHttpClient } from '../../worker/feeds/http/live-client.js';
import { openReadingThreads } from '../../worker/feeds/reading-threads.js';
import { loadFeed } from '../../worker/feeds/registry.js';
import type { FeedSource } from '../../worker/ingest/feed-source.js';
import { ingest } from '../../worker/ingest/ingest.js';

// Ingests from a bank that is somebody else, in a process of its own, as the worker does it.

/** Where everything is, for all ingests after it. */
export interface Open {
  type: 'open';
  databaseUrl: string;
  bankUrl: string;
  today: string;
}

/** One ingest of a provider. */
export interface Ingest {
  type: 'ingest';
  key: string;
  from: string;
  to: string;
}

export interface Ingested {
  type: 'ingested';
  /** Why it failed; undefined where it did not. */
  error?: string;
  rows: number;
  ms: number;
  /** The longest time for which nothing else could be done, in milliseconds. */
  blockedMs: number;
}

/** A tenth of what real banks are given, so that silent ones take seconds. */
const LIMITS = { connect: 1_000, firstByte: 1_500, idle: 1_500, total: 3_000, attempts: 2, backOff: 10 };
const TICK_MS = 20;

let run: ((message: Ingest) => Promise<Ingested>) | undefined;

process.on('message', (message: Open | Ingest | 'usage') => {
  if (typeof message !== 'object') return;
  if (message.type === 'open') {
    run = openRun(message);
    process.send?.({ type: 'opened' });
  } else {
    void run?.(message).then((ingested) => process.send?.(ingested));
  }
});
process.on('disconnect', () => process.exit());
// What is sent before comes when nobody listens.
process.send?.({ type: 'started' });

function openRun({ databaseUrl, bankUrl, today }: Open): (message: Ingest) => Promise<Ingested> {
  const database = openDatabase(databaseUrl, { connections: 3 });
  const { read } = openReadingThreads({ customSources: [], logLevel: 'silent' });
  const http = openHttpClient({ route: () => bankUrl, limits: LIMITS });
  const source: FeedSource = {
    open: async (feed) => ({
      http: { ...http, pause: async () => {} },
      today,
      credentials: { status: 'present', values: placeholderCredentials(feed) },
    }),
    close: () => http.close(),
  };
  return async ({ key, from, to }) => {
    const started = performance.now();
    const watch = watchBlocking();
    const outcome = await loadFeed(key)
      .then((feed) =>
        ingest(
          feed,
          { from, to },
          {
            database,
            announcements: { publish: async () => {} },
            source,
            read,
            log: pino({ level: 'silent' }),
            reason: 'operator',
          },
        ),
      )
      .then(
        (result) => ({ rows: (result?.rowsNew ?? 0) + (result?.rowsCorrected ?? 0) }),
        (error: unknown) => ({ rows: 0, error: error instanceof Error ? error.message : String(error) }),
      );
    return { type: 'ingested', ...outcome, ms: performance.now() - started, blockedMs: watch.stop() };
  };
}

/** Measures for how long the event loop stands still at most. */
function watchBlocking(): { stop(): number } {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(longest, performance.now() - last - TICK_MS);
    },
  };
}
