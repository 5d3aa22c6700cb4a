import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findRuns } from '../../../core/database/ingest-runs.js';
import { KEYED_LOCKS } from '../../../core/database/locks.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { groupCommit, type Store, storeAlone } from '../../../worker/ingest/group-commit.js';
import { event } from '../../support/event.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, feedOf, ingestFrom, readRows } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const dollars = (rate: number): RateRow => ({ date: '2026-03-02', base: 'EUR', quote: 'USD', rate });

/** Ends the connection that holds the provider's lock, as a network does that forgets about a paused machine. */
async function breakLocks() {
  const held = `from pg_locks where locktype = 'advisory' and classid = ${KEYED_LOCKS.provider}
    and database = (select oid from pg_database where datname = current_database())`;
  expect(await readRows(database, `select pg_terminate_backend(pid) ${held}`)).toEqual([[true]]);
  await expect.poll(() => readRows(database, `select ${held}`), { timeout: 10_000 }).toEqual([]);
}

const WAITING = `select from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`;

describe.each<[string, (database: TestDatabase) => Store]>([
  ['alone', storeAlone],
  ['in a group', groupCommit],
])('a worker that is paused before it stores %s', (_how, storeOf) => {
  /** An ingest that has read its rows, and the way to let it store them. */
  async function pausedIngest(rows: RateRow[]) {
    const [pause, resume] = [event(), event()];
    const storing = storeOf(database);
    const store: Store = async (...args) => {
      pause.happen();
      await resume.happened;
      return storing(...args);
    };
    const ended = ingestFrom(database, feedOf('ECB', rows), { store });
    ended.catch(() => undefined); // It is looked at later.
    await pause.happened;
    return { ended, resume: resume.happen };
  }

  it('stores nothing once another has begun to ingest the provider', async () => {
    const { ended, resume } = await pausedIngest([dollars(1.1)]);
    await breakLocks();
    await ingestFrom(database, feedOf('ECB', [dollars(1.2)]));
    resume();
    await expect(ended).rejects.toThrow('run 1 is over: another worker has begun one of ECB');
    expect(await readRows(database, 'select rate, run from rates')).toEqual([[1.2, 2]]);
    expect(await readRows(database, 'select from rate_revisions')).toEqual([]);
    expect(await findRuns(database, 'ECB', { limit: 9 })).toMatchObject([
      { outcome: 'succeeded', rowsNew: 1 },
      { outcome: 'failed', rowsNew: 0, error: 'its worker died in the midst of it' },
    ]);
    expect(await readRows(database, 'select last_error from providers')).toEqual([[null]]);
  });

  it('does not hold it against the provider either when its reading failed', async () => {
    const [begin, fail] = [event(), event()];
    const feed = feedOf('ECB', async () => {
      begin.happen();
      await fail.happened;
      throw new Error('the connection was lost');
    });
    const ended = ingestFrom(database, feed, { store: storeOf(database) });
    ended.catch(() => undefined);
    await begin.happened;
    await breakLocks();
    await ingestFrom(database, feedOf('ECB', [dollars(1.2)]));
    fail.happen();
    await expect(ended).rejects.toThrow('the connection was lost');
    expect(await readRows(database, 'select last_error from providers')).toEqual([[null]]);
    expect(await readRows(database, 'select outcome from ingest_runs order by id')).toEqual([
      ['failed'],
      ['succeeded'],
    ]);
  });

  it('stores where its lock was lost and nobody else took it', async () => {
    const { ended, resume } = await pausedIngest([dollars(1.1)]);
    await breakLocks();
    resume();
    expect(await ended).toMatchObject({ rowsNew: 1 });
  });
});

it('who takes the provider over waits for what is being stored', async () => {
  const [begin, end] = [event(), event()];
  const storing = storeAlone(database);
  const store: Store = (provider, rows, run, alongside) =>
    storing(provider, rows, run, async (transaction, stored) => {
      begin.happen();
      await end.happened;
      await alongside(transaction, stored);
    });
  const first = ingestFrom(database, feedOf('ECB', [dollars(1.1)]), { store });
  await begin.happened;
  await breakLocks();
  const second = ingestFrom(database, feedOf('ECB', [dollars(1.2)]));
  await expect.poll(() => readRows(database, WAITING), { timeout: 10_000 }).toHaveLength(1);
  end.happen();
  expect(await first).toMatchObject({ rowsNew: 1 });
  expect(await second).toMatchObject({ rowsCorrected: 1 });
  expect(await readRows(database, 'select outcome from ingest_runs')).toEqual([['succeeded'], ['succeeded']]);
});
