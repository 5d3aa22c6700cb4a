import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { inOneView } from '../../../../core/database/transactions.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { DataOutdated } from '../../../../src/http/errors.js';
import { openVersions, type Versions } from '../../../../src/rates/history/versions.js';
import { loadSnapshot, type Snapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { ownDatabase } from '../../../core/support.js';
import { testDatabase } from '../../../support/postgres.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { publish, storeRows } from '../../../support/rates.js';

const database = await ownDatabase();
/** The snapshots after each of three changes. */
const snapshots: Snapshot[] = [];

const load = () => inOneView(database, loadSnapshot);

beforeAll(async () => {
  for (const [provider, from, to] of [
    ['ECB', '2026-01-05', '2026-03-20'],
    ['BOC', '2026-03-19', '2026-03-20'],
    ['ECB', '2026-01-08', '2026-01-08'],
  ] as const) {
    const pairs = ['EUR/USD', 'EUR/GBP'];
    await storeRows(database, publish(provider, pairs, from, to, { times: 1 + snapshots.length / 100 }));
    snapshots.push(await load());
  }
});

const nth = (index: number) => snapshots[index] as Snapshot;
const current = () => nth(2);

describe('the version that was the newest one', () => {
  it('at an instant is that of the last change by then', async () => {
    const versions = openVersions(database);
    const nameAt = async (instant: number) => (await versions.at(current(), instant)).snapshot.version;
    for (const { knownAt, version } of snapshots) expect(await nameAt(knownAt)).toBe(version);
    expect(await nameAt(nth(1).knownAt - 1)).toBe(nth(0).version);
    expect(await nameAt(current().knownAt + 1)).toBe(current().version);
    expect((await versions.at(current(), nth(0).knownAt)).current).toBe(current());
  });

  it('is unknown before the first, and in a database without any', async () => {
    const before = openVersions(database).at(current(), nth(0).knownAt - 1);
    const message = `nothing was known before ${new Date(nth(0).knownAt).toISOString()}`;
    await expect(before).rejects.toMatchObject({ status: 404, message });
    const empty = await testDatabase();
    await expect(openVersions(empty).at(await inOneView(empty, loadSnapshot), 0)).rejects.toMatchObject({
      status: 404,
      message: 'nothing is known yet',
    });
    await empty.close();
  });

  it('is asked for again while something may still be recorded at the instant', async () => {
    await expect(openVersions(database).at(current(), Date.now() + 60_000)).rejects.toMatchObject({
      status: 503,
      message: 'rates are being recorded right now',
      headers: { 'retry-after': '1' },
    });
  });

  it('knows the days whose blends have changed since', async () => {
    const versions = openVersions(database);
    const since = async (index: number) => (await versions.at(current(), nth(index).knownAt)).changedSince;
    const [first, second, third] = [await since(0), await since(1), await since(2)];
    // Rates are carried for fourteen days, to the days on which anybody published.
    expect(second.map(({ from }) => from)).toEqual([dayNumber('2026-01-08')]);
    expect(first.map(({ from }) => from)).toEqual([dayNumber('2026-01-08'), dayNumber('2026-03-19')]);
    expect(third).toEqual([]);
    expect(await since(0)).toBe(first);
  });

  it('knows the last change of each provider', async () => {
    const versions = openVersions(database);
    const lastOf = async (instant: number, ...keys: string[]) => {
      const { past } = (await versions.at(current(), instant)).snapshot;
      return keys.map((key) => past?.lastChangeOf(key));
    };
    const now = await lastOf(current().knownAt, 'ECB', 'BOC', 'NB');
    expect(now).toEqual([current().version, nth(1).version, '']);
    expect(await lastOf(nth(1).knownAt, 'ECB')).toEqual([nth(0).version]);
  });
});

const arbitraryQuestion = fc
  .tuple(fc.nat(2), fc.nat(2))
  .map(([one, other]) => ({ snapshot: Math.max(one, other), past: Math.min(one, other) }));
const arbitraryQuestions = fc.array(arbitraryQuestion, { minLength: 2, maxLength: 5 });

it('what is asked at once of several snapshots is answered for each as if it were alone, and afterwards too', async () => {
  const answer = async (versions: Versions, { snapshot, past }: { snapshot: number; past: number }) => {
    const found = await versions.at(nth(snapshot), nth(past).knownAt);
    const { version, past: then } = found.snapshot;
    return [version, found.changedSince, then?.lastChangeOf('ECB'), found.current.version];
  };
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryQuestions, { minLength: 1, maxLength: 3 }), async (rounds) => {
      const versions = openVersions(database);
      for (const questions of rounds) {
        const alone = await Promise.all(questions.map((each) => answer(openVersions(database), each)));
        expect(await Promise.all(questions.map((each) => answer(versions, each)))).toEqual(alone);
      }
    }),
    propertyRuns(300),
  );
});

describe('a snapshot that is not of the database', () => {
  it('is outdated, and what was known is read anew', async () => {
    const ofAnother = { ...current(), version: '3.other' };
    for (const [snapshot, instant] of [
      // The database has a newer one by then.
      [nth(1), nth(1).knownAt + 1],
      [ofAnother, ofAnother.knownAt],
    ] as const) {
      const versions = openVersions(database);
      await versions.at(current(), current().knownAt);
      await expect(versions.at(snapshot, instant)).rejects.toBeInstanceOf(DataOutdated);
      for (const known of [nth(1), current()])
        expect((await versions.at(current(), known.knownAt)).snapshot.version).toBe(known.version);
    }
  });

  it('but of a restored one is known by its name', async () => {
    const versions = openVersions(database);
    await versions.at(current(), current().knownAt);
    const shift = (sign: '+' | '-') =>
      database.pool.query(`update data_versions set created_at = created_at ${sign} interval '1 hour'`);
    await shift('-');
    try {
      const snapshot = await load();
      expect(snapshot.version).not.toBe(current().version);
      expect((await versions.at(snapshot, snapshot.knownAt)).snapshot.version).toBe(snapshot.version);
    } finally {
      await shift('+');
    }
  });
});
