import { afterEach, beforeEach, expect, it } from 'vitest';
import { inOneView } from '../../../../core/database/transactions.js';
import {
  loadSnapshot,
  refreshSnapshot,
  type WholeSnapshot,
} from '../../../../src/rates/snapshot/snapshot.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { databaseWith, publish, storeRows } from '../../../support/rates.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await databaseWith(publish('ECB', ['EUR/USD', 'EUR/GBP'], '2025-01-01', '2026-03-20'));
});
afterEach(() => database.close());

const load = () => inOneView(database, loadSnapshot);
const refresh = (snapshot: WholeSnapshot) => inOneView(database, (view) => refreshSnapshot(view, snapshot));
const change = (provider: string, from: string, to: string) =>
  storeRows(database, publish(provider, ['EUR/USD', 'EUR/GBP', 'EUR/CHF'], from, to, { times: 1.01 }));

it.each([
  ['the later inside the earlier', ['2025-03-03', '2025-12-31'], ['2025-06-03', '2025-06-04']],
  ['the earlier inside the later', ['2025-06-03', '2025-06-04'], ['2025-03-03', '2025-12-31']],
  ['one over the end of the other', ['2025-03-03', '2025-06-30'], ['2025-06-02', '2025-09-30']],
  ['far apart', ['2026-03-02', '2026-03-02'], ['2025-03-04', '2025-03-04']],
])(
  'two unread changes, %s, are both read',
  async (_what, [from = '', to = ''], [laterFrom = '', laterTo = '']) => {
    const before = await load();
    await change('BOC', from, to);
    await change('NB', laterFrom, laterTo);
    const [refreshed, whole] = [await refresh(before), await load()];
    expect(refreshed.changes.slice(-2).map(({ provider }) => provider)).toEqual(['BOC', 'NB']);
    for (const form of ['days', 'weeks', 'months'] as const) {
      expect(refreshed[form].quotes).toEqual(whole[form].quotes);
      expect(refreshed[form].days).toEqual(whole[form].days);
      expect(refreshed[form].rates).toEqual(whole[form].rates);
    }
  },
);

it('nothing new is the same snapshot', async () => {
  const snapshot = await load();
  expect(await refresh(snapshot)).toBe(snapshot);
});
