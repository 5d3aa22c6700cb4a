import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inOneView } from '../../../../core/database/transactions.js';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { validityOf } from '../../../../src/rates/engine/ask.js';
import { resolveRequest } from '../../../../src/rates/engine/request.js';
import {
  loadSnapshot,
  receivedSnapshot,
  refreshSnapshot,
  type WholeSnapshot,
} from '../../../../src/rates/snapshot/snapshot.js';
import { rebuild } from '../../../../worker/blend/reblend.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { publish, storeRows } from '../../../support/rates.js';

const TODAY = dayNumber('2026-03-20');
const clock = () => new Date('2026-03-20T12:00:00Z');
type Query = Parameters<typeof resolveRequest>[0];

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

const load = () => inOneView(database, loadSnapshot);
const refresh = (snapshot: WholeSnapshot) => inOneView(database, (view) => refreshSnapshot(view, snapshot));

function tagIn(snapshot: WholeSnapshot, query: Query): string | undefined {
  const request = resolveRequest(query, clock);
  const known = { name: snapshot.version, current: snapshot, today: TODAY };
  return validityOf({ request, layout: {}, rows: request.when }, known).tag;
}
const tagsIn = (snapshot: WholeSnapshot, queries: readonly Query[]) =>
  queries.map((query) => tagIn(snapshot, query));

const OF_1999: Query[] = [
  { from: '1999-02-01', to: '1999-02-26' },
  { date: '1999-02-26' },
  { from: '1999-02-01', to: '1999-02-26', fill: 'forward' },
  { from: '1999-02-01', to: '1999-02-26', group: 'quarter', expand: ['stats'] },
  { from: '1999-02-01', to: '1999-02-26', expand: ['providers'] },
  { date: '1999-02-26', providers: ['ECB'] },
  { from: '1999-02-01', to: '1999-02-26', providers: ['BOC', 'ECB'], expand: ['quality'] },
];
const NEWEST: Query[] = [{}, { from: '2026-03-02' }, { expand: ['providers'] }, { providers: ['ECB'] }];

const ofDays = (from: string, to: string): RawRow[] => [
  ...publish('ECB', ['EUR/USD', 'EUR/GBP'], from, to),
  ...publish('BOC', ['USD/CAD', 'EUR/CAD'], from, to),
];
const newest = publish('ECB', ['EUR/USD', 'EUR/GBP'], '2026-03-19', '2026-03-19');

describe('the tags of closed days', () => {
  it('stay when the rates of today come, and those of the newest change', async () => {
    await storeRows(database, [...ofDays('1999-01-04', '1999-03-31'), ...ofDays('2026-02-02', '2026-03-18')]);
    const before = await load();
    await storeRows(database, newest);
    const after = await refresh(before);
    expect(after.version).not.toBe(before.version);
    expect(tagsIn(after, OF_1999)).toEqual(tagsIn(before, OF_1999));
    const [then, now] = [tagsIn(before, NEWEST), tagsIn(after, NEWEST)];
    expect(now.filter((tag) => then.includes(tag))).toEqual([]);
  });

  it('change with a row of these days, and not with one of months before', async () => {
    await storeRows(database, ofDays('1998-09-01', '1999-03-31'));
    const before = await load();
    await storeRows(database, publish('ECB', ['EUR/USD'], '1998-10-05', '1998-10-05', { times: 1.001 }));
    const elsewhere = await refresh(before);
    const early = OF_1999.filter(({ group }) => group === undefined);
    expect(tagsIn(elsewhere, early)).toEqual(tagsIn(before, early));
    await storeRows(database, publish('ECB', ['EUR/USD'], '1999-02-10', '1999-02-10', { times: 1.001 }));
    const after = await refresh(elsewhere);
    const [then, now] = [tagsIn(elsewhere, OF_1999), tagsIn(after, OF_1999)];
    expect(now.filter((tag) => then.includes(tag))).toEqual([]);
  });

  it('of one provider stay when others publish on these days', async () => {
    await storeRows(database, ofDays('1999-01-04', '1999-03-31'));
    const before = await load();
    await storeRows(database, publish('BOC', ['USD/CAD'], '1999-02-10', '1999-02-10', { times: 1.001 }));
    const after = await refresh(before);
    const tagOf = (snapshot: WholeSnapshot, providers: string[]) =>
      tagIn(snapshot, { date: '1999-02-26', providers });
    expect(tagOf(after, ['ECB'])).toBe(tagOf(before, ['ECB']));
    for (const providers of [['BOC'], ['BOC', 'ECB']])
      expect(tagOf(after, providers)).not.toBe(tagOf(before, providers));
  });

  it('of one provider follow all that it publishes once it has pairs without its pivot', async () => {
    await storeRows(database, ofDays('1999-01-04', '1999-03-31'));
    const query = { date: '1999-02-26', providers: ['ECB'] };
    const local = await load();
    await storeRows(database, publish('ECB', ['USD/GBP'], '2026-03-18', '2026-03-18'));
    const crossed = await refresh(local);
    await storeRows(database, newest);
    const tags = [local, crossed, await refresh(crossed)].map((snapshot) => tagIn(snapshot, query));
    expect(new Set(tags).size).toBe(3);
  });
});

describe('the tags of any days', () => {
  const ALL = [...OF_1999, ...NEWEST];

  it('are the same in a process that starts, in one that has followed, and from a local copy', async () => {
    await storeRows(database, ofDays('1999-01-04', '1999-03-31'));
    let followed = await load();
    const old = publish('BOC', ['USD/CAD'], '1999-02-05', '1999-02-05');
    for (const rows of [ofDays('2026-02-02', '2026-03-18'), newest, old]) {
      await storeRows(database, rows);
      followed = await refresh(followed);
    }
    expect(tagsIn(followed, ALL)).toEqual(tagsIn(await load(), ALL));
    const copy = receivedSnapshot(structuredClone(followed));
    expect(tagsIn(copy, ALL)).toEqual(tagsIn(followed, ALL));
  });

  it('stay in a rebuild that changes nothing, and those of blends in another database with the same rows', async () => {
    const rows = [...ofDays('1999-01-04', '1999-03-31'), ...ofDays('2026-02-02', '2026-03-18')];
    await storeRows(database, rows);
    const before = await load();
    await rebuild(database);
    expect(tagsIn(await load(), ALL)).toEqual(tagsIn(before, ALL));
    // In another order: from a day on, the newest first, and together.
    database = await testDatabase();
    const since = (from: string) => rows.filter(({ date, provider }) => date >= from && provider === 'BOC');
    for (const from of ['2026-03-02', '2026-02-02', '1999-03-01', '1999-01-04'])
      await storeRows(database, since(from));
    await storeRows(database, rows.toReversed());
    const blended = ALL.filter(({ providers, expand = [] }) => !providers && !expand.includes('providers'));
    expect(tagsIn(await load(), blended)).toEqual(tagsIn(before, blended));
  });
});
