import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../../core/database/database.js';
import { lockData } from '../../../core/database/locks.js';
import { ping } from '../../../core/database/statistics.js';
import { inTransaction } from '../../../core/database/transactions.js';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { groupCommit, storeAlone } from '../../../worker/ingest/group-commit.js';
import { event } from '../../support/event.js';
import {
  dollars,
  feedOf,
  ingestFrom,
  newestRun,
  ownDatabase,
  ratesOf,
  readLines,
  refusing,
  runOf,
} from './support.js';

const database = await ownDatabase();

const read = (query: string) => readLines(database, query);
const versions = () => read('select provider, changed_from, changed_to from data_versions order by version');
const nothing = async () => {};

describe('a group', () => {
  /** Stores the rows of BOC alone and those of the members, which arrive meanwhile, together: `ECB 2026-03-09 …` is dollars. */
  async function storeTogether(...members: (string | [provider: string, ...rows: RateRow[]])[]) {
    const store = groupCommit(database);
    const all = ['BOC 2026-01-01', ...members].map((member) => {
      const [key = '', ...days] = typeof member === 'string' ? member.split(' ') : [];
      return typeof member === 'string' ? ([key, ...days.map((day) => dollars(day))] as const) : member;
    });
    const storing = all.map(async ([key, ...rows]) => [key, rows, await runOf(database, key)] as const);
    const stored = (await Promise.all(storing)).map((given) => store(...given, nothing));
    return (await Promise.allSettled(stored)).slice(1);
  }

  it('makes a version of those who changed something, and the others of it made none', async () => {
    await storeTogether('NB 2026-03-02');
    const [bank, other] = await storeTogether('ECB 2026-03-09', 'NB 2026-03-02');
    expect(bank).toMatchObject({ value: { rowsNew: 1, version: 3n } });
    expect(other).toMatchObject({ value: { rowsUnchanged: 1, version: undefined } });
    expect((await versions()).at(-1)).toMatch(/^ECB /);
  });

  it('makes a version that names no provider, from the first to the last day of all of its members', async () => {
    const together = await storeTogether('ECB 2026-03-09', 'NB 2026-03-30 2026-03-02', 'RBA 2026-03-16');
    expect(together).toMatchObject([2n, 2n, 2n].map((version) => ({ value: { version } })));
    const expected = [/^BOC 2026-01-01 /, /^null 2026-03-02 2026-(03-3|04)/];
    expect(await versions()).toEqual(expected.map((version) => expect.stringMatching(version)));
  });

  it('of which nobody changed anything makes no version', async () => {
    const store = () => storeTogether('ECB 2026-03-09', 'NB 2026-03-02');
    await store();
    const before = await versions();
    const unchanged = { value: { rowsUnchanged: 1, suspects: [] } };
    expect(await store()).toMatchObject([unchanged, unchanged]);
    expect(await versions()).toEqual(before);
  });

  it('that comes after all others were stored is stored as well', async () => {
    const store = groupCommit(database);
    for (const date of ['2026-03-02', '2026-03-03', '2026-03-04']) {
      const stored = await store('ECB', [dollars(date)], await runOf(database, 'ECB'), nothing);
      expect(stored).toMatchObject({ rowsNew: 1 });
      await setImmediate(); // What is stored at once would still be part of the work that is under way.
    }
  });

  it('gives the words of PostgreSQL to the member that is refused, and stores the others and the next ones', async () => {
    const refused = { reason: { name: 'DatabaseError', message: 'refused', code: 'P0001' } };
    const stored = { status: 'fulfilled' };
    let bank = 'ECB 2026-03-02';
    const store = () => storeTogether(bank, 'NB 2026-03-02', 'RBA 2026-03-02');
    const some = await refusing(database, 'insert on rates', store, "new.provider = 'NB'");
    expect(some).toMatchObject([stored, refused, stored]);
    expect(await read('select provider from rates order by 1')).toEqual(['BOC', 'ECB', 'RBA']);
    bank = 'ECB 2026-03-03';
    const none = await refusing(database, 'insert on data_versions', store, 'new.provider is null');
    expect(none).toMatchObject([refused, refused, refused]);
    expect(await store()).toMatchObject([stored, stored, stored]);
  });

  it('gives each member its own suspects', async () => {
    const [naira, dinar] = [ratesOf('USD/NGN'), ratesOf('USD/KWD')];
    await storeTogether(
      ['CBN', naira('2023-06-12', 464.67), naira('2023-06-13', 464.8)],
      ['CBK', dinar('2023-06-12', 0.307), dinar('2023-06-13', 0.307)],
    );
    const together = await storeTogether(
      ['CBN', naira('2023-06-14', 664.04)],
      ['CBK', dinar('2023-06-14', 30.7)],
      ['ECB', dollars('2023-06-14', 1.08)],
    );
    const suspects = [[{ rate: 664.04 }], [{ rate: 30.7 }], []];
    expect(together).toMatchObject(suspects.map((own) => ({ value: { suspects: own } })));
  });
});

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
const OF_GROUPS = ['rates', 'how far it was asked', 'days', 'the data version'];

describe.each([
  ['alone', storeAlone],
  ['in a group', groupCommit],
])('an ingest that stores %s', (how, storeOf) => {
  const ingest = (...rows: RateRow[]) =>
    ingestFrom(database, feedOf('ECB', rows), { store: storeOf(database) });

  const TABLES = [
    ...['rates', 'rate_revisions', 'pair_coverage', 'currencies', 'blended_days', 'data_versions'],
  ];
  /** Everything that is stored but for the runs and the times of attempts, which are about what failed too. */
  const everything = () =>
    Promise.all([
      ...TABLES.map((table) => read(`select * from ${table} as row order by row`)),
      read('select key, start_date, end_date, backfilled_to, last_success_at from providers'),
    ]);

  // What is written in the savepoint of a member of a group is refused alike, at its first and its last step.
  const steps = how === 'alone' ? STEPS : STEPS.filter(([step]) => OF_GROUPS.includes(step));
  it.each(steps)('leaves nothing behind where %s can not be written', async (_step, what) => {
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
    const options = { store: storeOf(database), onFailure };
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
    const store = storeOf({ ...database, ...few });
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
