import pino from 'pino';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { rateAt } from '../../../../core/columns/columns.js';
import { inOneView } from '../../../../core/database/transactions.js';
import { addDays, dayNumber } from '../../../../core/domain/dates.js';
import { lastChangeOfProvider } from '../../../../src/rates/snapshot/last-changes.js';
import {
  loadSnapshot,
  nameOfVersion,
  refreshSnapshot,
  type WholeSnapshot,
} from '../../../../src/rates/snapshot/snapshot.js';
import { openSnapshotHolder } from '../../../../src/rates/snapshot/snapshot-holder.js';
import { databaseTime, type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { databaseWith, publish, storeRows } from '../../../support/rates.js';

let database: TestDatabase;
/** Gives the test a database that is closed behind it. */
async function use(opened: Promise<TestDatabase>): Promise<void> {
  database = await opened;
  const own = database;
  onTestFinished(() => own.close());
}

const load = () => inOneView(database, loadSnapshot);
const refresh = (snapshot: WholeSnapshot) => inOneView(database, (view) => refreshSnapshot(view, snapshot));
const store = (date: string) => storeRows(database, publish('ECB', ['EUR/USD'], date, date));

describe('a snapshot', () => {
  it('of an empty database has no version, and is refreshed by the first', async () => {
    await use(testDatabase());
    const empty = await load();
    expect(empty).toMatchObject({ version: '0', dataVersion: 0n, knownAt: 0 });
    expect(empty.days.days).toHaveLength(0);
    expect(await refresh(empty)).toBe(empty);
    await store('2026-03-19');
    const first = await refresh(empty);
    expect([first.dataVersion, first.days.days.length]).toEqual([1n, 1]);
  });

  it('is named by its last change and known at its instant', async () => {
    await use(testDatabase());
    await store('2026-03-19');
    const loaded = await load();
    expect(loaded).toMatchObject({ version: nameOfVersion(1n, loaded.knownAt), dataVersion: 1n });
    expect(Math.abs(loaded.knownAt - (await databaseTime(database)).getTime())).toBeLessThan(60_000);
    await store('2026-03-20');
    const refreshed = await refresh(loaded);
    const { version, knownAt, lastChanges } = refreshed;
    expect(refreshed).toMatchObject({ version: nameOfVersion(2n, knownAt), dataVersion: 2n });
    expect(await load()).toMatchObject({ version, knownAt, lastChanges });
  });

  it('is read whole where the database has not its version', async () => {
    await use(testDatabase());
    await store('2026-03-19');
    const loaded = await load();
    const read = await refresh({ ...loaded, version: '1.other' });
    expect(read).toMatchObject({ version: loaded.version, lastChanges: loaded.lastChanges });
    expect(read.days).not.toBe(loaded.days);
    expect(await refresh({ ...loaded, dataVersion: 9n })).toMatchObject({ dataVersion: 1n });
  });

  it.each([
    ['the later inside the earlier', ['2025-03-03', '2025-12-31'], ['2025-06-03', '2025-06-04']],
    ['the earlier inside the later', ['2025-06-03', '2025-06-04'], ['2025-03-03', '2025-12-31']],
    ['one over the end of the other', ['2025-03-03', '2025-06-30'], ['2025-06-02', '2025-09-30']],
    ['far apart', ['2026-03-02', '2026-03-02'], ['2025-03-04', '2025-03-04']],
  ])('reads both of two unread changes, %s', async (_what, earlier, later) => {
    await use(databaseWith(publish('ECB', ['EUR/USD', 'EUR/GBP'], '2025-01-01', '2026-03-20')));
    const before = await load();
    expect(await refresh(before)).toBe(before);
    const pairs = ['EUR/USD', 'EUR/GBP', 'EUR/CHF'];
    for (const [provider, [from = '', to = '']] of [
      ['BOC', earlier],
      ['NB', later],
    ] as const)
      await storeRows(database, publish(provider, pairs, from, to, { times: 1.01 }));
    const [refreshed, whole] = [await refresh(before), await load()];
    const lastOf = (key: string) => lastChangeOfProvider(refreshed, key);
    expect([lastOf('ECB'), lastOf('NB')]).toEqual([before.version, refreshed.version]);
    expect([before.version, refreshed.version]).not.toContain(lastOf('BOC'));
    for (const form of ['days', 'weeks', 'months'] as const) {
      const { quotes, days, rates } = whole[form];
      expect(refreshed[form]).toMatchObject({ quotes, days, rates });
    }
  });
});

describe('the holder of snapshots', () => {
  const lines: { msg: string; version?: string; days?: number; ms?: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const read = () => lines.filter(({ msg }) => msg === 'rates snapshot read');
  beforeEach(async () => {
    lines.length = 0;
    await use(testDatabase());
  });
  const open = (options: { expectsFirstRates?: boolean } = {}) => {
    const holder = openSnapshotHolder({ database, log, ...options });
    onTestFinished(() => holder.close());
    return holder;
  };

  it('has none of an empty database where first rates are on their way, and an empty one where none are', async () => {
    const holder = open({ expectsFirstRates: true });
    await holder.catchUp();
    expect([holder.current(), read()]).toEqual([undefined, []]);
    const other = open();
    await other.catchUp();
    expect(other.current()?.version).toBe('0');
    await store('2026-03-19');
    await holder.catchUp();
    expect(holder.current()?.dataVersion).toBe(1n);
  });

  it('logs each new one once', async () => {
    await store('2026-03-19');
    const holder = open();
    await holder.catchUp();
    await holder.catchUp();
    const version = holder.current()?.version;
    expect(read()).toEqual([expect.objectContaining({ version, days: 1, ms: expect.any(Number) })]);
    expect(read()[0]?.ms).toBeLessThan(60_000);
    await store('2026-03-20');
    await holder.catchUp();
    expect(read().map(({ days }) => days)).toEqual([1, 2]);
  });

  it('follows every ingest, also of older history', async () => {
    const holder = open();
    // More than ten versions: 10 comes after 9.
    for (let ingest = 0; ingest < 12; ingest++) {
      const date = addDays('2026-03-20', -30 * ingest);
      await storeRows(database, [{ provider: 'ECB', date, base: 'EUR', quote: 'USD', rate: 2 ** ingest }]);
      await holder.catchUp();
      const held = holder.current();
      expect([held?.dataVersion, held?.days.days[0]]).toEqual([BigInt(ingest + 1), dayNumber(date)]);
      const euro = held?.days.byQuote.get('EUR');
      expect(euro && rateAt(euro, 0)).toBe(1 / 2 ** ingest);
    }
  });

  it('reads all of history while fewer than four others do', async () => {
    const others = await database.pool.connect();
    onTestFinished(() => others.release(true));
    const locks = 'select pg_advisory_xact_lock(lock) from generate_series(72707372, 72707375) as lock';
    await others.query(`begin; ${locks}`);
    const holder = open();
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await vi.waitFor(async () => expect((await database.pool.query(waiting)).rowCount).toBe(1));
    expect(holder.current()).toBeUndefined();
    await others.query('rollback');
    await holder.ready();
    expect(holder.current()?.dataVersion).toBe(0n);
  });
});
