import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { groupCommit, storeAlone } from '../../../worker/ingest/group-commit.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, readRows, runOf } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const dollars = (date: string): RateRow => ({ date, base: 'EUR', quote: 'USD', rate: 1.1 });
const versions = () =>
  readRows(database, 'select provider, changed_from, changed_to from data_versions order by version');

/** Stores the rows of one provider alone and of those after it, which arrive meanwhile, together. */
async function storeTogether(...members: [provider: string, ...rows: (string | RateRow)[]][]) {
  const store = groupCommit(database);
  const all: typeof members = [['BOC', '2026-01-01'], ...members];
  const runs = new Map(
    await Promise.all(all.map(async ([key]) => [key, await runOf(database, key)] as const)),
  );
  const [, ...others] = await Promise.allSettled(
    all.map(([key, ...rows]) => {
      const run = runs.get(key) ?? { id: '0', reading: 1 };
      return store(key, rows.map(toRow), run, async () => {});
    }),
  );
  return others;
}

const toRow = (row: string | RateRow) => (typeof row === 'string' ? dollars(row) : row);

it('a version is that of those who changed something: the others of the group made none', async () => {
  await storeTogether(['NB', '2026-03-02']);
  const [bank, other] = await storeTogether(['ECB', '2026-03-09'], ['NB', '2026-03-02']);
  expect(bank).toMatchObject({ value: { rowsNew: 1, version: 3n } });
  expect(other).toMatchObject({ value: { rowsUnchanged: 1, version: undefined } });
  expect((await versions()).at(-1)?.[0]).toBe('ECB');
});

it('what comes after all others were stored is stored as well', async () => {
  const store = groupCommit(database);
  for (const date of ['2026-03-02', '2026-03-03', '2026-03-04']) {
    expect(await store('ECB', [dollars(date)], await runOf(database, 'ECB'), async () => {})).toMatchObject({
      rowsNew: 1,
    });
    await setImmediate(); // What is stored at once would still be part of the work that is under way.
  }
});

it('the version of a group reaches from the first to the last day of all of its members', async () => {
  const together = await storeTogether(
    ['ECB', '2026-03-09'],
    ['NB', '2026-03-30', '2026-03-02'],
    ['RBA', '2026-03-16'],
  );
  expect(together).toMatchObject([2n, 2n, 2n].map((version) => ({ value: { version } })));
  expect((await versions()).at(-1)).toEqual([null, '2026-03-02', expect.stringMatching(/^2026-(03-3|04)/)]);
});

it('a group of which nobody changed anything makes no version', async () => {
  await storeTogether(['ECB', '2026-03-09'], ['NB', '2026-03-02']);
  const before = await versions();
  const again = await storeTogether(['ECB', '2026-03-09'], ['NB', '2026-03-02']);
  expect(again).toMatchObject([1, 1].map((rowsUnchanged) => ({ value: { rowsUnchanged, suspects: [] } })));
  expect(await versions()).toEqual(before);
});

it('each is told why it failed, in the words of PostgreSQL, and the next ones are stored', async () => {
  await database.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  );
  const refusal = { reason: { name: 'DatabaseError', message: 'refused', code: 'P0001' } };
  await database.pool.query(
    `create trigger refuse before insert on rates for each row when (new.provider = 'NB') execute function refuse()`,
  );
  expect(await storeTogether(['NB', '2026-03-02'], ['ECB', '2026-03-01'])).toMatchObject([
    refusal,
    { status: 'fulfilled' },
  ]);
  await database.pool.query('drop trigger refuse on rates');
  await database.pool.query(
    `create trigger refuse before insert on data_versions for each row
     when (new.provider is null) execute function refuse()`,
  );
  const members: [string, string][] = [
    ['ECB', '2026-03-02'],
    ['NB', '2026-03-02'],
  ];
  expect(await storeTogether(...members)).toMatchObject([refusal, refusal]);
  await database.pool.query('drop trigger refuse on data_versions');
  expect(await storeTogether(...members)).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
});

const naira = (date: string, rate: number): RateRow => ({ date, base: 'USD', quote: 'NGN', rate });
const dinar = (date: string, rate: number): RateRow => ({ date, base: 'USD', quote: 'KWD', rate });

it('of those that are stored together each is told of its own suspects', async () => {
  await storeTogether(
    ['CBN', naira('2023-06-12', 464.67), naira('2023-06-13', 464.8)],
    ['CBK', dinar('2023-06-12', 0.307), dinar('2023-06-13', 0.307)],
  );
  const together = await storeTogether(
    ['CBN', naira('2023-06-14', 664.04)],
    ['CBK', dinar('2023-06-14', 30.7)],
    ['ECB', { date: '2023-06-14', base: 'EUR', quote: 'USD', rate: 1.08 }],
  );
  const suspects = [[{ rate: 664.04 }], [{ rate: 30.7 }], []];
  expect(together).toMatchObject(suspects.map((own) => ({ value: { suspects: own } })));
});

it('what is stored alone comes with what belongs with it, or not at all', async () => {
  const store = storeAlone(database);
  const stored = await store(
    'ECB',
    [dollars('2026-03-02')],
    await runOf(database, 'ECB'),
    async (transaction, counts) => {
      expect(counts).toMatchObject({ rowsNew: 1, changedDates: ['2026-03-02'] });
      await transaction.prisma.provider.update({ where: { key: 'ECB' }, data: { lastError: 'told' } });
    },
  );
  expect(stored).toMatchObject({ rowsNew: 1, version: 1n, suspects: [] });
  expect(await readRows(database, 'select key, last_error from providers')).toEqual([['ECB', 'told']]);
  const refused = store('NB', [dollars('2026-03-02')], await runOf(database, 'NB'), () =>
    Promise.reject(new Error('refused')),
  );
  await expect(refused).rejects.toThrow('refused');
  expect(await readRows(database, 'select provider from rates')).toEqual([['ECB']]);
});
