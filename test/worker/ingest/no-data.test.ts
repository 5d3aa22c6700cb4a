import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readBackfilledTo, readProviderStates } from '../../../core/database/providers.js';
import {
  type Feed,
  type Figure,
  noData,
  type Reading,
  ratesFrom,
  skipped,
} from '../../../worker/feeds/feed.js';
import type { HttpAnswer } from '../../../worker/feeds/http/client.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, ingestFrom, newestRun } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database);
  await database.pool.query(`insert into providers (key, backfilled_to) values ('ECB', '2026-03-01')`);
});

/** Ingests the February before what has been asked for. */
function ingestFebruary(
  read: (response: HttpAnswer) => Reading,
  more: Omit<Partial<Feed>, 'key' | 'read'> = { backfillDays: 28 },
) {
  const feed: Feed = {
    key: 'ECB',
    ...more,
    async *read(_window, { http }) {
      yield read(await http.get('http://bank.test/rates'));
    },
  };
  return ingestFrom(database, feed, {
    window: { from: '2026-02-01', to: '2026-02-28' },
    reason: 'backfill',
  });
}

const figure = (date: string, quote = 'USD'): Figure => ({ date, base: 'EUR', quote, rate: 1.1 });
const figures =
  (...found: Figure[]) =>
  (response: HttpAnswer) =>
    ratesFrom(response, 'any day', found, (one) => one);

it('rates move the backfill, and the run counts what was skipped beside them', async () => {
  const records = [figure('2026-02-03'), undefined, undefined];
  await ingestFebruary((response) =>
    ratesFrom(response, 'any day', records, (one) => one ?? skipped('an index')),
  );
  expect(await readBackfilledTo(database, 'ECB')).toBe('2026-02-01');
  expect(await newestRun(database)).toMatchObject({
    outcome: 'succeeded',
    rowsNew: 1,
    rowsDropped: {},
    rowsSkipped: { 'an index': 2 },
    noData: {},
    responses: 1,
    responseBytes: 5,
  });
});

it.each<[string, (response: HttpAnswer) => Reading, Partial<Feed>, Record<string, number>]>([
  ['a documented reason', (response) => noData(response, 'a holiday'), {}, { 'a holiday': 1 }],
  [
    'an empty list that is documented',
    (response) => ratesFrom(response, 'any day', [], () => figure('')),
    { empty: 'a holiday' },
    // An empty list is no reason for four weeks, but a source of its whole history has no more.
    {},
  ],
])('%s moves it too', async (_what, read, more, reasons) => {
  await ingestFebruary(read, more);
  expect(await readBackfilledTo(database, 'ECB')).toBe('2026-02-01');
  expect(await newestRun(database)).toMatchObject({ outcome: 'succeeded', rowsNew: 0, noData: reasons });
});

it('a whole history that does not go back as far is an answer', async () => {
  await ingestFebruary(figures(figure('2026-03-04')), {});
  expect(await readBackfilledTo(database, 'ECB')).toBe('2026-02-01');
});

it.each<[string, (response: HttpAnswer) => Reading, RegExp, object]>([
  ['an empty list without a reason', figures(), /no records that hold a rate/, { responses: 0 }],
  [
    'rates of other days',
    figures(figure('2026-03-04')),
    /^no rate for 2026-02-01 to 2026-02-28 and no documented reason, from 1 responses$/,
    { responses: 1 },
  ],
  [
    'rates of a currency that had ended',
    figures(figure('2026-02-03', 'DEM')),
    /^no valid rate for 2026-02-01 to 2026-02-28: 1 after-end$/,
    { responses: 1, rowsDropped: { 'after-end': 1 } },
  ],
])('%s is a failure that leaves it', async (_what, read, reason, counts) => {
  await expect(ingestFebruary(read)).rejects.toThrow(reason);
  expect(await readBackfilledTo(database, 'ECB')).toBe('2026-03-01');
  expect(await newestRun(database)).toMatchObject({
    outcome: 'failed',
    error: expect.stringMatching(reason),
    ...counts,
  });
  expect((await readProviderStates(database)).get('ECB')?.lastError).toMatch(reason);
});
