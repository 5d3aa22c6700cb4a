import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../../core/database/database.js';
import { inOneView } from '../../../../core/database/transactions.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { DataOutdated } from '../../../../src/http/errors.js';
import { type LastChanges, withChanges } from '../../../../src/rates/snapshot/last-changes.js';
import {
  loadSnapshot,
  refreshSnapshot,
  type WholeSnapshot,
} from '../../../../src/rates/snapshot/snapshot.js';
import { openRawStore, type RawStore } from '../../../../src/rates/sources/raw-store.js';
import { rawRows } from '../../../../src/rates/sources/raw-table.js';
import { sharesOf } from '../../../../src/rates/sources/shares.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith, publish, storeRows } from '../../../support/rates.js';
import { reader } from './in-memory.js';

const FIRST = dayNumber('2026-03-02');
const LAST = dayNumber('2026-03-20');

let database: TestDatabase;
let raw: RawStore;
let snapshot: WholeSnapshot;

beforeEach(async () => {
  database = await databaseWith([
    ...publish('ECB', ['EUR/USD', 'EUR/GBP'], '2026-03-02', '2026-03-20'),
    ...publish('BOC', ['USD/CAD'], '2026-03-09', '2026-03-13'),
  ]);
  raw = openRawStore(database);
  snapshot = await inOneView(database, loadSnapshot);
});
afterEach(() => database.close());

const refresh = async () => {
  snapshot = await inOneView(database, (view) => refreshSnapshot(view, snapshot));
};
/** Corrects a rate, which the snapshot does not know yet. */
const correct = (provider: string, date = '2026-03-20') => {
  const pair = provider === 'BOC' ? 'USD/CAD' : 'EUR/USD';
  return storeRows(database, publish(provider, [pair], date, date, { times: 1.01 }));
};
/** The same, known to the snapshot at once. */
const follow = async (...corrected: Parameters<typeof correct>) => {
  await correct(...corrected);
  await refresh();
};
const ofProvider = (key: string) => raw.ofProvider(snapshot, key, reader);
const pastOf = (name: string): WholeSnapshot => ({ ...snapshot, past: { lastChangeOf: () => name } });

describe("a provider's rates", () => {
  it('are read once for all requests, until it publishes again, whatever others do', async () => {
    const cached = (key = 'ECB') => raw.cachedOfProvider(snapshot, key);
    expect(cached()).toBeUndefined();
    const [one, other] = await Promise.all([ofProvider('ECB'), ofProvider('ECB')]);
    expect(one).toBe(other);
    expect([await ofProvider('ECB'), cached(), cached('BOC')]).toEqual([one, one, undefined]);
    expect([one.days[0], one.days.at(-1)]).toEqual([FIRST, LAST]);
    expect(await ofProvider('BOC')).not.toBe(one);
    await follow('BOC');
    expect(cached()).toBe(one);
    expect(await ofProvider('ECB')).toBe(one);
    await follow('NB');
    await follow('ECB');
    expect(cached()).toBeUndefined();
    const after = await ofProvider('ECB');
    expect(after).not.toBe(one);
    await follow('BOC', '2026-03-19');
    expect(await ofProvider('ECB')).toBe(after);
  });

  it('are read again where more than one may have changed, and not where another has in a snapshot loaded anew', async () => {
    const before = await ofProvider('ECB');
    await follow('BOC');
    const { months, hubs } = snapshot.lastChanges as LastChanges;
    const ofSeveral = { provider: null, version: 9n, name: 'next', from: FIRST, to: LAST };
    const several = { ...snapshot, lastChanges: withChanges(months, [ofSeveral], hubs) };
    expect(raw.cachedOfProvider(several, 'ECB')).toBeUndefined();
    expect(await ofProvider('ECB')).toBe(before);
    await correct('BOC', '2026-03-19');
    await correct('NB');
    snapshot = await inOneView(database, loadSnapshot);
    expect(await ofProvider('ECB')).toBe(before);
    await correct('ECB');
    snapshot = await inOneView(database, loadSnapshot);
    expect(await ofProvider('ECB')).not.toBe(before);
  });

  it('of a past version are those of its last change then', async () => {
    const now = await ofProvider('ECB');
    expect(raw.cachedOfProvider(pastOf('1.a'), 'ECB')).toBeUndefined();
    const one = await raw.ofProvider(pastOf('1.a'), 'ECB', reader);
    expect(one).not.toBe(now);
    expect(raw.cachedOfProvider(pastOf('1.a'), 'ECB')).toBe(one);
    expect(await raw.ofProvider(pastOf('2.b'), 'ECB', reader)).not.toBe(one);
    expect(await raw.ofProvider(pastOf('1.a'), 'ECB', reader)).toBe(one);
  });

  it('have the pivot and the period of the provider', async () => {
    const rates = await ofProvider('ECB');
    const pivot = rates.columnsFor('EUR').byQuote.get('EUR');
    expect(pivot?.rates[pivot.first]).toBe(1);
    expect(rates.official).toBeUndefined();
    expect((await ofProvider('HMRC')).official).toMatchObject({ period: 'month', pivot: 'GBP' });
  });
});

describe('raw rows', () => {
  const read = (of: WholeSnapshot, selection = { from: LAST, to: LAST }) => raw.read(of, selection, reader);
  const dollar = async (of: WholeSnapshot) =>
    [...rawRows(await read(of), LAST, LAST)].find(({ quote }) => quote === 'USD')?.rate;

  it('are those of the snapshot, and of a past one, also after newer ones were committed', async () => {
    const before = snapshot;
    const past = pastOf('');
    const rate = await dollar(before);
    await correct('ECB');
    expect([await dollar(before), await dollar(past)]).toEqual([rate, rate]);
    await refresh();
    const newer = await dollar(snapshot);
    expect(newer).not.toBe(rate);
    expect([await dollar(pastOf('')), await dollar(before), await dollar(past)]).toEqual([newer, rate, rate]);
  });

  it('are sorted by date', async () => {
    await storeRows(database, publish('NB', ['USD/NOK'], '2026-03-04', '2026-03-17'));
    await follow('ECB', '2026-03-03');
    const { days } = await raw.read(snapshot, {}, reader);
    expect([...days]).toEqual([...days].toSorted((one, other) => one - other));
    expect([days[0], days.at(-1)]).toEqual([FIRST, LAST]);
    const nothing = await raw.read(snapshot, { from: LAST + 1 }, reader);
    expect([nothing.days.length, nothing.names]).toEqual([0, []]);
  });

  it('know which of them are left out as suspect: of the same pair, day and rate', async () => {
    const own = [...rawRows(await read(snapshot), LAST, LAST)];
    const index = own.findIndex(({ quote }) => quote === 'GBP');
    // The pair with the dollar has another rate.
    for (const quote of ['GBP', 'USD'])
      await database.pool.query(
        `insert into suspects (provider, date, base, quote, rate, reason, expected, others)
           values ('ECB', '2026-03-20', 'EUR', $1, $2, 'jump', 1, 1)`,
        [quote, own[index]?.rate],
      );
    const { leftOut } = await read(snapshot);
    expect([...leftOut]).toEqual([[index, 'jump']]);
  });

  it('are refused to a snapshot of another database', async () => {
    await expect(read({ ...snapshot, version: 'other' })).rejects.toBeInstanceOf(DataOutdated);
    await expect(read({ ...snapshot, dataVersion: 99n })).rejects.toThrow(
      'the database does not have this data version',
    );
  });

  it('of a snapshot without any version are none, also after the first', async () => {
    expect((await raw.read({ ...snapshot, version: '0', dataVersion: 0n }, {}, reader)).days.length).toBe(0);
  });

  it('since a day are kept for the version', async () => {
    const since = (day: number) => raw.since(snapshot, day, reader);
    const rows = await since(LAST - 5);
    for (const day of [LAST - 5, LAST]) expect(await since(day)).toBe(rows);
    expect(rows.days[0]).toBe(LAST - 4);
    const [one, other] = await Promise.all([since(LAST - 9), since(LAST - 9)]);
    expect(one).toBe(other);
    expect(one).not.toBe(rows);
    await follow('BOC');
    expect(await since(LAST)).not.toBe(one);
  });

  it('make the shares behind the newest rates, which are kept for the version and the newest day', async () => {
    const cached = (day = LAST) => raw.cachedShares(snapshot, day);
    expect(cached()).toBeUndefined();
    const shares = await raw.newestShares(snapshot, LAST, reader);
    expect(await raw.newestShares(snapshot, LAST, reader)).toBe(shares);
    const arrays = Object.values(shares).filter((each) => ArrayBuffer.isView(each));
    expect(arrays.map(({ buffer }) => buffer instanceof SharedArrayBuffer)).toEqual(Array(5).fill(true));
    expect([cached(), cached(LAST - 1)]).toEqual([shares, undefined]);
    expect(sharesOf(shares, LAST, 'EUR')?.map(({ key, day }) => [key, day])).toEqual([['ECB', LAST]]);
    expect([
      sharesOf(shares, LAST - 1, 'CAD')?.length,
      sharesOf(shares, LAST + 1, 'CAD'),
      sharesOf(shares, LAST, 'AUD'),
    ]).toEqual([...[1, undefined, undefined]]);
    await follow('BOC');
    expect(cached()).toBeUndefined();
    expect(await raw.newestShares(snapshot, LAST, reader)).not.toBe(shares);
  });

  it('of providers lie between two days', async () => {
    const span = (providers: string[], upTo = LAST) => raw.span(snapshot, providers, upTo, reader);
    expect(await span(['BOC'])).toEqual({ first: LAST - 11, newest: LAST - 7 });
    expect(await span(['BOC', 'ECB'], LAST - 1)).toEqual({ first: FIRST, newest: LAST - 1 });
    expect(await span(['NB'])).toBeUndefined();
  });

  it('have their records where these are wanted: the instant of the version, and the run if it is known', async () => {
    expect((await read(snapshot)).records).toBeUndefined();
    const before = snapshot;
    await follow('ECB');
    await database.pool.query(`update rates set run = 7 where provider = 'ECB' and quote = 'USD'`);
    const recordsOf = async (of: WholeSnapshot) => {
      const table = await raw.read(of, { from: LAST, to: LAST, isRecordWanted: true }, reader);
      const { at = [], runs = [] } = table.records ?? {};
      const rows = [...rawRows(table, LAST, LAST)];
      return rows.map(({ quote }, index) => [quote, at[index], runs[index]]).sort();
    };
    const recent = (await raw.since(snapshot, LAST, reader)).records?.at ?? [];
    const [first = 0, second] = [...recent].toSorted();
    expect(first).toBeLessThan(before.knownAt);
    expect(second).toBe(snapshot.knownAt);
    const pound = ['GBP', first, 0];
    expect(await recordsOf(snapshot)).toEqual([pound, ['USD', second, 7]]);
    // The rate that was replaced was recorded with the pound's.
    expect(await recordsOf(before)).toEqual([pound, ['USD', first, 0]]);
  });

  it('are not read for a client that has left', async () => {
    const signal = AbortSignal.abort(new Error('left'));
    await expect(raw.since(snapshot, LAST, { signal })).rejects.toThrow('left');
    await expect(raw.read(snapshot, {}, { signal })).rejects.toThrow('left');
  });

  it('are refused at once for a second after the database could not be reached', async () => {
    const url = new URL(database.url);
    url.port = '9';
    const nowhere = openDatabase(url.href, { connections: 1 });
    const lost = openRawStore(nowhere);
    const fail = () => lost.read(snapshot, {}, reader).catch((error: unknown) => error);
    const first = await fail();
    expect(first).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await fail()).toBe(first);
    await nowhere.close();
  });

  it('are not read for a client that leaves as its read begins, and whose connection stays', async () => {
    await read(snapshot);
    const { pool } = database;
    const leaving = new AbortController();
    const departure = new Error('left');
    const released = new Promise((resolve) => {
      // Once the read has its connection, before it has its rows.
      pool.once('acquire', (own) => {
        pool.on('release', (error, client) => client === own && resolve(error));
        leaving.abort(departure);
      });
    });
    await expect(raw.read(snapshot, {}, { signal: leaving.signal })).rejects.toBe(departure);
    expect((await read(snapshot)).days.length).toBe(2);
    // The client's read may end after it has left. A connection that is given back with an error is closed.
    expect(await released).toBeFalsy();
  });
});
