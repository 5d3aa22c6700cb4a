import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import type { HttpClient } from '../../../worker/feeds/http/client.js';
import { httpAnswer } from '../../../worker/feeds/http/response.js';
import { groupCommit, type Store, storeAlone } from '../../../worker/ingest/group-commit.js';
import { ingest } from '../../../worker/ingest/ingest.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const TABLES = [
  'rates',
  'rate_revisions',
  'currency_coverage',
  'currencies',
  'blended_days',
  'blended_weeks',
  'blended_months',
  'data_versions',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  );
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(`truncate providers, ingest_runs, ${TABLES.join()}`);
});

const log = pino({ level: 'silent' });

const answer = async () =>
  httpAnswer({
    url: 'http://bank.test/rates',
    status: 200,
    headers: new Map(),
    cookies: [],
    receivedAt: new Date('2026-03-06T16:00:00Z'),
    bytes: Buffer.from('rates'),
  });
const bank: HttpClient = { get: answer, post: answer, pause: async () => {} };

function feedOf(key: string, rows: { date: string; rate: number }[]): Feed {
  return {
    key,
    async *read(_window, { http }) {
      const response = await http.get('http://bank.test/rates');
      yield ratesFrom(response, 'any day', rows, (row) => ({ base: 'EUR', quote: 'USD', ...row }));
    },
  };
}

function ingestFrom(feed: Feed, store?: Store) {
  const today = '2026-03-20';
  return ingest(
    feed,
    { from: '2026-03-01' },
    {
      database,
      announcements: { publish: async () => {} },
      source: {
        open: async () => ({
          http: bank,
          today,
          credentials: { status: 'present', values: {} },
        }),
        close: async () => {},
      },
      log,
      reason: 'schedule',
      ...(store ? { store } : {}),
    },
  );
}

/** Everything that is stored but for the runs and the times of attempts, which are about what failed too. */
async function everything(): Promise<unknown> {
  const found: Record<string, unknown> = {};
  for (const table of TABLES) {
    found[table] = (await database.pool.query(`select * from ${table} as row order by row`)).rows;
  }
  const state = 'select key, start_date, end_date, backfilled_to, last_success_at from providers';
  found.providers = (await database.pool.query(state)).rows;
  return found;
}

/** Where the last of its steps is refused, by the table that it writes. */
const REFUSALS: [step: string, when: string, table: string][] = [
  ['rates', 'insert', 'rates'],
  ['a correction', 'update', 'rates'],
  ['revisions', 'insert', 'rate_revisions'],
  ['coverage', 'insert or update', 'currency_coverage'],
  ["the provider's days", 'update of end_date', 'providers'],
  ["the currencies' days", 'insert or update', 'currencies'],
  ['days', 'insert or update', 'blended_days'],
  ['weeks', 'insert or update', 'blended_weeks'],
  ['months', 'insert or update', 'blended_months'],
  ['the data version', 'insert', 'data_versions'],
  ['the counts of the run', 'update of rows_new', 'ingest_runs'],
  ["the provider's success", 'update of last_success_at', 'providers'],
  ['how far it was asked', 'update of backfilled_to', 'providers'],
];

describe.each<[string, (database: TestDatabase) => Store]>([
  ['alone', storeAlone],
  ['in a group', groupCommit],
])('an ingest %s', (_how, storeOf) => {
  it.each(REFUSALS)('leaves nothing behind where %s can not be written', async (_step, when, table) => {
    const store = storeOf(database);
    await ingestFrom(feedOf('ECB', [{ date: '2026-03-02', rate: 1.1 }]), store);
    if (when === 'update of backfilled_to')
      await database.pool.query('update providers set backfilled_to = null');
    const before = await everything();
    await database.pool.query(
      `create trigger refuse before ${when} on ${table} for each row execute function refuse()`,
    );
    const next = feedOf('ECB', [
      { date: '2026-03-02', rate: 1.2 },
      { date: '2026-03-03', rate: 1.3 },
    ]);
    try {
      await expect(ingestFrom(next, store)).rejects.toThrow('refused');
      expect(await everything()).toEqual(before);
      const runs = await database.pool.query(
        `select outcome::text, error from ingest_runs order by id desc limit 1`,
      );
      if (table !== 'ingest_runs') expect(runs.rows).toEqual([{ outcome: 'failed', error: 'refused' }]);
    } finally {
      await database.pool.query(`drop trigger refuse on ${table}`);
    }
    expect(await ingestFrom(next, store)).toMatchObject({ rowsNew: 1, rowsCorrected: 1 });
  });
});

it('one that fails leaves the others of its group', async () => {
  const store = groupCommit(database);
  await database.pool.query(
    `create trigger refuse before insert on rates for each row when (new.provider = 'BOC') execute function refuse()`,
  );
  try {
    const keys = ['ECB', 'BOC', 'NB', 'RBA'];
    const outcomes = await Promise.allSettled(
      keys.map((key) => ingestFrom(feedOf(key, [{ date: '2026-03-02', rate: 1.1 }]), store)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const { rows } = await database.pool.query('select provider from rates order by 1');
    expect(rows.map(({ provider }) => provider)).toEqual(['ECB', 'NB', 'RBA']);
  } finally {
    await database.pool.query('drop trigger refuse on rates');
  }
});
