import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { lockData } from '../../../core/database/locks.js';
import { ping } from '../../../core/database/statistics.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { storeAlone } from '../../../worker/ingest/store.js';
import { event } from '../../support/event.js';
import {
  dollars,
  feedOf,
  ingestFrom,
  newestRun,
  ownDatabase,
  readLines,
  refusing,
  runOf,
} from './support.js';

const database = await ownDatabase();

const read = (query: string) => readLines(database, query);
const nothing = async () => {};

/** What an ingest writes, and how PostgreSQL refuses that. */
const STEPS: [step: string, what: string][] = [
  ['rates', 'insert on rates'],
  ['a correction', 'update on rates'],
  ['revisions', 'insert on rate_revisions'],
  ['coverage', 'insert or update on pair_coverage'],
  ["the provider's days", 'update of end_date on providers'],
  ["the currencies' days", 'insert or update on currencies'],
  ['days', 'insert on blended_days'],
  ['the data version', 'insert on data_versions'],
  ['the counts of the run', 'update of rows_new on ingest_runs'],
  ["the provider's success", 'update of last_success_at on providers'],
  ['how far it was asked', 'update of backfilled_to on providers'],
];

describe('an ingest that stores', () => {
  const ingest = (...rows: RateRow[]) =>
    ingestFrom(database, feedOf('ECB', rows), { store: storeAlone(database) });

  const TABLES = [
    ...['rates', 'rate_revisions', 'pair_coverage', 'currencies', 'blended_days', 'data_versions'],
  ];
  /** Everything that is stored but for the runs and the times of attempts, which are about what failed too. */
  const everything = () =>
    Promise.all([
      ...TABLES.map((table) => read(`select * from ${table} as row order by row`)),
      read('select key, start_date, end_date, backfilled_to, last_success_at from providers'),
    ]);

  it.each(STEPS)('leaves nothing behind where %s can not be written', async (_step, what) => {
    await ingest(dollars('2026-03-02', 1.1));
    if (what.includes('backfilled_to'))
      await database.pool.query('update providers set backfilled_to = null');
    const before = await everything();
    const next = () => ingest(dollars('2026-03-02', 1.2), dollars('2026-03-03', 1.3));
    await refusing(database, what, async () => {
      await expect(next()).rejects.toThrow('refused');
      expect(await everything()).toEqual(before);
      if (!what.includes('ingest_runs'))
        expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: 'refused' });
    });
    expect(await next()).toMatchObject({ rowsNew: 1, rowsCorrected: 1 });
  });

  it('is not held against the provider where the database does not take its rows', async () => {
    const onFailure = vi.fn();
    const options = { store: storeAlone(database), onFailure };
    const ingesting = () => ingestFrom(database, feedOf('ECB', [dollars('2026-03-02')]), options);
    await expect(refusing(database, 'insert on rates', ingesting)).rejects.toThrow('refused');
    expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: 'refused' });
    expect(await read('select last_error from providers')).toEqual(['null']);
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('waits for a long writer on one connection, and the others are free', async () => {
    const WAITING = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    const keys = ['BOC', 'ECB', 'NB', 'RBA'];
    const runs = await Promise.all(keys.map((key) => runOf(database, key)));
    const few = openDatabase(database.url, { connections: 2, connectTimeoutMs: 1_000 });
    const store = storeAlone({ ...database, ...few });
    const [begin, end] = [event(), event()];
    // Such as one that blends all history again.
    const writer = inTransaction(database, async (transaction) => {
      await lockData(transaction);
      begin.happen();
      await end.happened;
    });
    try {
      await begin.happened;
      const rows = [dollars('2026-03-02')];
      const storing = Promise.all(runs.map((run, index) => store(keys[index] ?? '', rows, run, nothing)));
      storing.catch(() => undefined); // It is looked at below.
      await expect.poll(() => read(WAITING)).toHaveLength(1);
      await delay(1_500); // Longer than it may take to get a connection.
      await ping(few, 2_000);
      expect(await read(WAITING)).toHaveLength(1);
      end.happen();
      expect(await storing).toMatchObject(keys.map(() => ({ rowsNew: 1 })));
    } finally {
      end.happen();
      await writer;
      await few.close();
    }
  });
});
