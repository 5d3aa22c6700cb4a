import pino from 'pino';
import { afterAll, beforeEach } from 'vitest';
import type { Database } from '../../../core/database/database.js';
import { findRuns, type IngestRun, startRun } from '../../../core/database/ingest-runs.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { CalendarDate } from '../../../core/domain/dates.js';
import {
  type Feed,
  type FeedContext,
  type RateRow,
  type Reading,
  ratesFrom,
} from '../../../worker/feeds/feed.js';
import { clientOf, type HttpAnswer } from '../../../worker/feeds/http/client.js';
import { httpAnswer } from '../../../worker/feeds/http/response.js';
import type { ReadRequest } from '../../../worker/feeds/read.js';
import type { FeedAccess } from '../../../worker/ingest/feed-source.js';
import { type IngestDeps, ingest } from '../../../worker/ingest/ingest.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

/** When the bank's responses came. */
export const RECEIVED_AT = new Date('2026-03-06T16:00:00.123Z');

/** What the bank sends: five bytes. */
export const BODY = 'rates';

/** Sends the same body whatever it is asked. */
const bank = clientOf(async ({ url }) => {
  const received = { headers: new Map(), cookies: [], receivedAt: RECEIVED_AT, bytes: Buffer.from(BODY) };
  return httpAnswer({ url, status: 200, ...received });
});

/** What makes rates of one pair, such as `EUR/USD`. */
export function ratesOf(pair: string) {
  const [base = '', quote = ''] = pair.split('/');
  return (date: CalendarDate, rate = 1.1): RateRow => ({ date, base, quote, rate });
}

export const dollars = ratesOf('EUR/USD');

/** A feed of one response, of which it makes a reading. */
export function feedWith(
  read: (response: HttpAnswer, context: FeedContext) => Reading | Promise<Reading>,
  more: Partial<Feed> = {},
): Feed {
  return {
    key: 'ECB',
    ...more,
    async *read(_window, context) {
      yield await read(await context.http.get('http://bank.test/rates'), context);
    },
  };
}

/** A feed that makes these rows, or those that are given when it is read, of one response. */
export function feedOf(
  key: string,
  rows: readonly RateRow[] | (() => readonly RateRow[] | Promise<readonly RateRow[]>),
  more: Partial<Feed> = {},
): Feed {
  const given = async () => (typeof rows === 'function' ? rows() : rows);
  const read = async (response: HttpAnswer) => ratesFrom(response, 'any day', await given(), (row) => row);
  return feedWith(read, { key, ...more });
}

/** What differs from an ordinary ingest: from 1 to 20 March 2026, which is announced to nobody. */
interface IngestOptions extends Partial<Omit<IngestDeps, 'database' | 'source'>> {
  window?: ReadRequest;
  access?: Partial<FeedAccess>;
}

/** Ingests a feed that asks the bank. */
export function ingestFrom(
  database: Database,
  feed: Feed,
  { window = { from: '2026-03-01' }, access, ...deps }: IngestOptions = {},
) {
  const credentials = { status: 'present', values: {} } as const;
  const opened: FeedAccess = { http: bank, today: '2026-03-20', credentials, ...access };
  return ingest(feed, window, {
    ...{ database, log: pino({ level: 'silent' }), reason: 'schedule' },
    announcements: { publish: async () => {} },
    source: { open: async () => opened, close: async () => {} },
    ...deps,
  });
}

/** Stores what a provider published and blends it, without an ingest. */
export function storeIn(database: Database, provider: string, ...rows: RateRow[]) {
  return inTransaction(database, (transaction) => storeAndBlend(transaction, provider, rows));
}

/** Begins a run of a provider, for what stores without an ingest. */
export async function runOf(database: Database, provider: string) {
  const run = { provider, reason: 'schedule', reading: 1, from: '2026-03-01', to: '2026-03-20' } as const;
  return { id: await startRun(database, run), reading: 1 };
}

/** A log and the lines that were written to it. */
export function openLog() {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { log, lines };
}

/** The run that a provider's last ingest recorded. */
export async function newestRun(database: Database, provider = 'ECB'): Promise<IngestRun | undefined> {
  const [run] = await findRuns(database, provider, { limit: 1 });
  return run;
}

/** A database of the file that calls it, empty at the beginning of each test. */
export async function ownDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  beforeEach(() => emptyTables(database));
  afterAll(() => database.close());
  return database;
}

/** Has PostgreSQL refuse something, such as `insert on rates`, while the work is done. */
export async function refusing<T>(
  { pool }: TestDatabase,
  what: string,
  work: () => Promise<T>,
  when = 'true',
): Promise<T> {
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse before ${what} for each row when (${when}) execute function refuse()`,
  );
  try {
    return await work();
  } finally {
    await pool.query('drop function refuse cascade');
  }
}

/** What an ingest writes, in an order in which it can be deleted. */
const TABLES = [
  ...['suspect_states', 'suspects', 'run_responses', 'set_aside_windows', 'thin_days', 'rates'],
  ...['rate_revisions', 'pair_coverage', 'currencies', 'ingest_runs', 'providers'],
  ...['blended_days', 'data_versions'],
];

/** Empties every table that an ingest writes, and numbers runs, revisions and data versions from 1 again. */
export async function emptyTables({ pool }: TestDatabase): Promise<void> {
  // Quicker than truncating tables that hold few rows.
  await pool.query(TABLES.map((table) => `delete from ${table}`).join(';'));
  await pool.query(
    `select setval('ingest_runs_id_seq', 1, false), setval('rate_revisions_id_seq', 1, false),
       setval('data_versions_version_seq', 1, false)`,
  );
}

/** The rows of a query, each as an array of its columns. */
export async function readRows({ pool }: TestDatabase, text: string): Promise<unknown[][]> {
  return (await pool.query({ text, rowMode: 'array' })).rows;
}

/** The rows of a query, each as a text of its columns. */
export async function readLines(database: TestDatabase, text: string): Promise<string[]> {
  return (await readRows(database, text)).map((row) => row.map(String).join(' '));
}
