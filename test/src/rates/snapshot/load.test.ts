import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inOneView } from '../../../../core/database/transactions.js';
import {
  type DataChange,
  loadSnapshot,
  refreshSnapshot,
  type WholeSnapshot,
} from '../../../../src/rates/snapshot/snapshot.js';
import { openSnapshotHolder } from '../../../../src/rates/snapshot/snapshot-holder.js';
import { databaseTime, type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { publish, storeRows } from '../../../support/rates.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const load = () => inOneView(database, loadSnapshot);
const refresh = (snapshot: WholeSnapshot) => inOneView(database, (view) => refreshSnapshot(view, snapshot));
const store = (date: string) => storeRows(database, publish('ECB', ['EUR/USD'], date, date));

describe('a snapshot', () => {
  it('of an empty database has no version, and is refreshed by the first', async () => {
    const empty = await load();
    expect(empty).toMatchObject({ version: '0', dataVersion: 0n, knownAt: 0, changes: [] });
    expect(empty.days.days).toHaveLength(0);
    expect(await refresh(empty)).toBe(empty);
    await store('2026-03-19');
    const first = await refresh(empty);
    expect(first.dataVersion).toBe(1n);
    expect(first.changes).toHaveLength(1);
    expect(first.days.days).toHaveLength(1);
  });

  it('is named by its last change, and known at its instant', async () => {
    await store('2026-03-19');
    const loaded = await load();
    const [change] = loaded.changes;
    expect(loaded).toMatchObject({ version: change?.name, dataVersion: 1n, knownAt: change?.at });
    expect(Math.abs(loaded.knownAt - (await databaseTime(database)).getTime())).toBeLessThan(60_000);
    await store('2026-03-20');
    const refreshed = await refresh(loaded);
    expect(refreshed).toMatchObject({
      version: refreshed.changes[1]?.name,
      dataVersion: 2n,
      knownAt: refreshed.changes[1]?.at,
    });
    expect(refreshed.changes[0]).toBe(change);
    expect(await load()).toMatchObject({ version: refreshed.version, changes: [refreshed.changes[1]] });
  });

  it('is read whole where the database has not its version', async () => {
    await store('2026-03-19');
    const loaded = await load();
    const other = { ...loaded, version: '1.other', changes: [] };
    const read = await refresh(other);
    expect(read).toMatchObject({ version: loaded.version, changes: loaded.changes });
    expect(read.days).not.toBe(loaded.days);
    expect(await refresh({ ...loaded, dataVersion: 9n })).toMatchObject({ dataVersion: 1n });
  });

  it('knows its last five hundred changes', async () => {
    await store('2026-03-19');
    const loaded = await load();
    const change = loaded.changes[0] as DataChange;
    const changes = Array.from({ length: 500 }, (_, index) => ({ ...change, name: String(index) }));
    await store('2026-03-20');
    const refreshed = await refresh({ ...loaded, changes });
    expect(refreshed.changes).toHaveLength(500);
    expect(refreshed.changes[0]?.name).toBe('1');
    expect(refreshed.changes.at(-1)?.name).toBe(refreshed.version);
  });
});

describe('the holder of snapshots', () => {
  const lines: { msg: string; version?: string; days?: number; ms?: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const read = () => lines.filter(({ msg }) => msg === 'rates snapshot read');
  beforeEach(() => {
    lines.length = 0;
  });

  it('has none of an empty database where first rates are on their way', async () => {
    const holder = openSnapshotHolder({ database, log, expectsFirstRates: true });
    try {
      await holder.catchUp();
      expect(holder.current()).toBeUndefined();
      expect(read()).toEqual([]);
      await store('2026-03-19');
      await holder.catchUp();
      expect(holder.current()?.dataVersion).toBe(1n);
    } finally {
      await holder.close();
    }
  });

  it('has an empty one where none are expected', async () => {
    const holder = openSnapshotHolder({ database, log });
    try {
      await holder.catchUp();
      expect(holder.current()?.version).toBe('0');
    } finally {
      await holder.close();
    }
  });

  it('logs each new one once', async () => {
    await store('2026-03-19');
    const holder = openSnapshotHolder({ database, log });
    try {
      await holder.catchUp();
      await holder.catchUp();
      expect(read()).toEqual([
        expect.objectContaining({ version: holder.current()?.version, days: 1, ms: expect.any(Number) }),
      ]);
      expect(read()[0]?.ms).toBeLessThan(60_000);
      await store('2026-03-20');
      await holder.catchUp();
      expect(read().map(({ days }) => days)).toEqual([1, 2]);
    } finally {
      await holder.close();
    }
  });
});
