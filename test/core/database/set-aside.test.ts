import { beforeEach, expect, it } from 'vitest';
import { readPlanningState } from '../../../core/database/providers.js';
import {
  hasSucceededSince,
  readSetAside,
  setAside,
  takeBackSetAside,
} from '../../../core/database/set-aside.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { ownDatabase } from '../support.js';

const database = await ownDatabase('providers', 'set_aside_windows');
beforeEach(() =>
  database.pool.query(
    `insert into providers (key, backfilled_to) values ('ECB', '2026-03-01'), ('BOC', '2026-03-01'), ('NB', null)`,
  ),
);

const backfilledTo = async (key: string) => (await readPlanningState(database, key)).backfilledTo;
const set = (from: string, to: string, { provider = 'ECB', reason = 'down', attempts = 3 } = {}) =>
  inTransaction(database, (transaction) => setAside(transaction, { provider, from, to, reason, attempts }));
const takeBack = (from: string, to: string) =>
  inTransaction(database, (transaction) => takeBackSetAside(transaction, 'ECB', { from, to }));
const windows = async (provider?: string) =>
  (await readSetAside(database, provider)).map(({ provider, from, to }) => `${provider} ${from}..${to}`);
const FEBRUARY = ['2026-02-01', '2026-02-28'] as const;

it('the backfill of the provider, and of no other, goes on behind a window that is set aside', async () => {
  await set('2026-03-01', '2026-03-05');
  await set('2026-03-02', '2026-03-05');
  expect(await backfilledTo('ECB')).toBe('2026-03-01');
  await set(...FEBRUARY);
  await set(...FEBRUARY, { provider: 'NB' });
  const states = await Promise.all(['ECB', 'BOC', 'NB'].map(backfilledTo));
  expect(states).toEqual(['2026-02-01', '2026-03-01', null]);
});

it('a window that is set aside again keeps its newest reason, and since when', async () => {
  await set(...FEBRUARY);
  const [first] = await readSetAside(database);
  const window = { provider: 'ECB', from: '2026-02-01', to: '2026-02-28', since: expect.any(Date) };
  expect(first).toEqual({ ...window, reason: 'down', attempts: 3 });
  await set(...FEBRUARY, { reason: 'no rate', attempts: 6 });
  expect(await readSetAside(database)).toEqual([{ ...first, reason: 'no rate', attempts: 6 }]);
});

it('windows are listed by provider, the newest days first, or of one provider alone', async () => {
  await set('2026-01-01', '2026-01-31');
  await set(...FEBRUARY);
  await set('2025-12-01', '2025-12-31', { provider: 'BOC' });
  const ecb = ['ECB 2026-02-01..2026-02-28', 'ECB 2026-01-01..2026-01-31'];
  expect(await windows()).toEqual(['BOC 2025-12-01..2025-12-31', ...ecb]);
  expect(await windows('ECB')).toEqual(ecb);
});

it('what was ingested takes back the windows of its provider that lie within it, both ends included', async () => {
  await set(...FEBRUARY);
  await set(...FEBRUARY, { provider: 'BOC' });
  await takeBack('2026-02-02', '2026-02-28');
  await takeBack('2026-02-01', '2026-02-27');
  expect(await windows('ECB')).toHaveLength(1);
  await takeBack(...FEBRUARY);
  expect(await windows()).toEqual(['BOC 2026-02-01..2026-02-28']);
});

it('a success counts after the instant only, and only one of the provider', async () => {
  const instant = new Date('2026-03-02T10:00:00Z');
  await database.pool.query(`update providers set last_success_at = $1 where key = 'ECB'`, [instant]);
  const has = (provider: string, milliseconds: number) =>
    inTransaction(database, (transaction) =>
      hasSucceededSince(transaction, provider, new Date(instant.getTime() + milliseconds)),
    );
  expect(await Promise.all([-1, 0, 1].map((ms) => has('ECB', ms)))).toEqual([true, false, false]);
  expect([await has('BOC', -1), await has('NOPE', -1)]).toEqual([false, false]);
});
