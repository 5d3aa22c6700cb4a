import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as locks from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { type Feed, type RateRow, ratesFrom } from '../../../worker/feeds/feed.js';
import type { HttpClient } from '../../../worker/feeds/http/client.js';
import { httpAnswer } from '../../../worker/feeds/http/response.js';
import { groupCommit } from '../../../worker/ingest/group-commit.js';
import { ingest } from '../../../worker/ingest/ingest.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    `truncate rates, rate_revisions, currencies, currency_coverage, providers, ingest_runs,
       blended_days, blended_weeks, blended_months, data_versions`,
  );
});

const read = async (sql: string) => (await database.pool.query({ text: sql, rowMode: 'array' })).rows;
const store = (provider: string, date: string, rate: number, quote = 'CAD') =>
  inTransaction(database, (transaction) =>
    storeAndBlend(transaction, provider, [{ date, base: 'USD', quote, rate }]),
  );

const dollarsIn = async (date: string) =>
  (await read(`select rate from blended_days where date = '${date}' and quote = 'CAD'`))[0]?.[0];

describe('a correction', () => {
  it.each([
    ['downward', 1.4, 1.3],
    ['upward', 1.3, 1.4],
    ['in the last digit', 1.3, 1.299_999_999_99],
  ])('%s leaves a revision', async (_how, before, after) => {
    await store('BOC', '2026-03-02', before);
    expect(await store('BOC', '2026-03-02', after)).toMatchObject({ rowsNew: 0, rowsCorrected: 1 });
    expect(await read('select rate from rate_revisions')).toEqual([[before]]);
    expect(await read('select rate from rates')).toEqual([[after]]);
  });

  it('reaches as far as the row is carried: fourteen days, of other providers too', async () => {
    const age = (days: number) => Math.exp(-0.5 * (days - 3));
    await store('BOC', '2026-03-02', 1.3);
    await store('NB', '2026-03-16', 1.5);
    expect(await dollarsIn('2026-03-16')).toBeCloseTo((1.5 + 1.3 * age(14)) / (1 + age(14)), 12);
    await store('BOC', '2026-03-02', 1.4);
    expect(await dollarsIn('2026-03-16')).toBeCloseTo((1.5 + 1.4 * age(14)) / (1 + age(14)), 12);
    expect(await rebuild(database)).toBeUndefined();
    await store('RBA', '2026-03-17', 1.5);
    expect(await dollarsIn('2026-03-17')).toBeCloseTo(1.5, 12);
  });
});

const bank: HttpClient = {
  get: async () =>
    httpAnswer({
      url: 'http://bank.test/rates',
      status: 200,
      headers: new Map(),
      cookies: [],
      receivedAt: new Date('2026-03-06T16:00:00Z'),
      bytes: Buffer.from('rates'),
    }),
  post: () => Promise.reject(new Error('not used')),
  pause: async () => {},
};

function ingestFrom(key: string, beforeRows = async () => {}) {
  const rows: RateRow[] = [{ date: '2026-03-02', base: 'EUR', quote: 'USD', rate: 1.1 }];
  const feed: Feed = {
    key,
    async *read(_window, { http }) {
      const response = await http.get('http://bank.test/rates');
      await beforeRows();
      yield ratesFrom(response, 'any day', rows, (row) => row);
    },
  };
  return ingest(
    feed,
    { from: '2026-03-01' },
    {
      database,
      announcements: { publish: async () => {} },
      source: {
        open: async () => ({
          http: bank,
          today: '2026-03-20',
          credentials: { status: 'present', values: {} },
        }),
        close: async () => {},
      },
      log: pino({ level: 'silent' }),
      reason: 'schedule',
    },
  );
}

describe("a provider's lock", () => {
  it('that broke while the bank was read stores nothing', async () => {
    const breakLock = async () => {
      const { rowCount } = await database.pool.query(
        `select pg_terminate_backend(pid) from pg_locks
         where locktype = 'advisory' and classid = $1
           and database = (select oid from pg_database where datname = current_database())`,
        [locks.KEYED_LOCKS.provider],
      );
      expect(rowCount).toBe(1);
      await delay(200);
    };
    await expect(ingestFrom('ECB', breakLock)).rejects.toThrow('lost the lock on ECB');
    expect(await read('select from rates')).toEqual([]);
    expect(await read('select outcome::text, error from ingest_runs')).toEqual([
      ['failed', expect.stringContaining('lost the lock on ECB')],
    ]);
  });

  it('is given back before the ingest ends', async () => {
    const { lockProvider } = locks;
    let isReleased = false;
    const locking = vi.spyOn(locks, 'lockProvider').mockImplementation(async (...args) => {
      const lock = await lockProvider(...args);
      return {
        check: () => lock.check(),
        async release() {
          await delay(100);
          await lock.release();
          isReleased = true;
        },
      };
    });
    try {
      await ingestFrom('ECB');
    } finally {
      locking.mockRestore();
    }
    expect(isReleased).toBe(true);
  });
});

it('a version of several providers names none, one of a single provider names it', async () => {
  const storing = groupCommit(database);
  const run = { id: '1', reading: 1 };
  const rows = [{ date: '2026-03-02', base: 'EUR', quote: 'USD', rate: 1.1 }];
  // The first to arrive is stored alone, those that arrive meanwhile together.
  const stored = await Promise.all(
    ['BOC', 'ECB', 'NB'].map((key) => storing(key, rows, run, async () => {})),
  );
  expect(stored[1]?.version).toBe(stored[2]?.version);
  await storing('RBA', rows, run, async () => {});
  expect((await read('select provider from data_versions order by version')).flat()).toEqual([
    'BOC',
    null,
    'RBA',
  ]);
});
