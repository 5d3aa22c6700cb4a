import { expect, it } from 'vitest';
import * as data from '../../../core/database/data-versions.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { BLEND_METHOD } from '../../../core/domain/providers.js';
import { databaseTime } from '../../support/postgres.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase('data_versions');
const append = (from: string, provider?: string) =>
  inTransaction(database, (transaction) =>
    data.appendVersion(transaction, { from, to: '2026-03-20' }, provider),
  );
const read = (version: bigint, limit?: number) =>
  inTransaction(database, (transaction) => data.versionsFrom(transaction, version, limit));

it('versions are numbered in their order', async () => {
  expect(await data.newestVersionNumber(database)).toBe(0n);
  expect(await inTransaction(database, data.newestVersion)).toBeUndefined();
  expect([await append('2026-03-01', 'ECB'), await append('1998-12-31')]).toEqual([1n, 2n]);
  expect(await data.newestVersionNumber(database)).toBe(2n);
  const made = { createdAt: expect.any(Number), method: BLEND_METHOD, excepted: '', to: '2026-03-20' };
  const versions = await read(1n);
  expect(versions).toEqual([
    { ...made, version: 1n, from: '2026-03-01', provider: 'ECB' },
    { ...made, version: 2n, from: '1998-12-31', provider: null },
  ]);
  expect(await inTransaction(database, data.newestVersion)).toEqual(versions[1]);
});

it('versions are read from a number on, as many as wanted, with the instant of their transaction', async () => {
  const before = (await databaseTime(database)).getTime();
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) await append(day);
  await database.pool.query('update data_versions set method = method where version = 1');
  const numbers = async (from: bigint, limit?: number) =>
    (await read(from, limit)).map(({ version }) => version);
  expect([await numbers(1n), await numbers(2n)]).toEqual([
    [1n, 2n, 3n],
    [2n, 3n],
  ]);
  expect([await numbers(1n, 2), await numbers(4n)]).toEqual([[1n, 2n], []]);
  const newest = await inTransaction(database, data.newestVersion);
  expect(newest?.createdAt).toBeGreaterThanOrEqual(before - 1_000);
  expect(newest?.createdAt).toBeLessThanOrEqual((await databaseTime(database)).getTime() + 1_000);
});
