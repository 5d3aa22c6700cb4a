import { describe, expect, it } from 'vitest';
import { BlendsOutdated, ProgramOutdated } from '../../../core/database/blend-method.js';
import { lockData } from '../../../core/database/locks.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../core/domain/providers.js';
import { claimBlends, rebuild, renewBlends } from '../../../worker/blend/reblend.js';
import { storeAlone } from '../../../worker/ingest/store.js';
import {
  dollars,
  feedOf,
  ingestFrom,
  newestRun,
  openLog,
  ownDatabase,
  readLines,
} from '../ingest/support.js';
import { loadAsShipped, STORING, WRITING } from './support.js';

const database = await ownDatabase();
const [OLDER, NEWER] = [BLEND_METHOD - 1, BLEND_METHOD + 1];

const read = (query: string) => readLines(database, query);
const ingest = (key = 'ECB', more = {}) =>
  ingestFrom(database, feedOf(key, [dollars('2026-03-09', 1.2)]), more);
const methods = async () => (await read('select method from data_versions order by version')).map(Number);
const blends = () => read('select date, quote, rate from blended_days order by date, quote');
const setMethod = (method: number) => database.pool.query('update data_versions set method = $1', [method]);

/** A database in which another program has blended by its method, and what that is to be. */
async function blendedBy(method: number) {
  await ingestFrom(database, feedOf('ECB', [dollars('2026-03-02')]));
  const right = await blends();
  await database.pool.query('update blended_days set rate = 7');
  await setMethod(method);
  return right;
}

describe('blends of an older method', () => {
  it.each(STORING)('are renewed before %s', async (_what, write) => {
    const right = await blendedBy(OLDER);
    await write(database);
    expect(await blends()).toEqual(expect.arrayContaining(right));
    expect(await methods()).toEqual([OLDER, BLEND_METHOD, BLEND_METHOD]);
  });

  it('are renewed once by those that write at the same time', async () => {
    await blendedBy(OLDER);
    const store = storeAlone(database);
    const ingests = [ingest('ECB'), ingest('BOC', { store }), ingest('NB', { store })];
    await Promise.all([renewBlends(database), ...ingests]);
    expect(await methods()).toEqual([OLDER, ...Array(4).fill(BLEND_METHOD)]);
    expect(await renewBlends(database)).toBeUndefined();
  });

  it('are renewed once by workers that start together, and again where an older database was restored', async () => {
    const right = await blendedBy(OLDER);
    const { log, lines } = openLog();
    const claimed = await Promise.all([1, 2, 3].map(() => claimBlends(database, log)));
    expect(claimed.filter((version) => version !== undefined)).toEqual([2n]);
    expect(await blends()).toEqual(right);
    expect(lines[0]).toMatchObject({ method: BLEND_METHOD, except: [] });
    expect(await claimBlends(database, log)).toBeUndefined();
    await setMethod(OLDER);
    expect(await claimBlends(database, log)).toBe(3n);
    expect(await methods()).toEqual([OLDER, OLDER, BLEND_METHOD]);
  });

  it('make a version also where nothing changes', async () => {
    await ingest();
    await setMethod(OLDER);
    expect(await renewBlends(database)).toBe(2n);
    expect(await methods()).toEqual([OLDER, BLEND_METHOD]);
    expect(await rebuild(database)).toBeUndefined();
    // As every version does, that of a rebuild names its method.
    await database.pool.query('update blended_days set rate = 7');
    await rebuild(database);
    expect(await methods()).toEqual([OLDER, BLEND_METHOD, BLEND_METHOD]);
  });

  it('are refused by a transaction that does not renew them', async () => {
    await blendedBy(OLDER);
    await expect(inTransaction(database, lockData)).rejects.toThrow(BlendsOutdated);
  });
});

it.each(WRITING)('a program of an older method than the blends is kept from %s', async (what, write) => {
  await blendedBy(NEWER);
  const before = await blends();
  const message = `this program blends by method ${BLEND_METHOD}, the database by method ${NEWER}: start a newer version`;
  await expect(write(database)).rejects.toThrow(new ProgramOutdated(message));
  expect(await blends()).toEqual(before);
  expect(await methods()).toEqual([NEWER]);
  expect(await read('select date from rates')).toEqual(['2026-03-02']);
  if (!what.includes('ingest')) return;
  // The bank is not to blame.
  expect(await newestRun(database)).toMatchObject({ outcome: 'failed', error: message });
  expect(await read('select last_error from providers')).toEqual(['null']);
});

it.each([OLDER, NEWER])('the first rates do not depend on blends of method %i', async (method) => {
  await blendedBy(method);
  expect(await loadAsShipped(database, ['ECB,2026-03-02,EUR,USD,1.1'])).toEqual([]);
});
