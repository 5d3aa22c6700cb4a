import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RateRow } from '../../../worker/feeds/feed.js';
import { groupCommit } from '../../../worker/ingest/group-commit.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { emptyTables, readRows } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

const dollars = (date: string): RateRow => ({ date, base: 'EUR', quote: 'USD', rate: 1.1 });
const run = { id: '1', reading: 1 };
const versions = () =>
  readRows(database, 'select provider, changed_from, changed_to from data_versions order by version');

/** Stores one provider alone and those after it, which arrive meanwhile, together. */
function storeTogether(...members: [provider: string, ...dates: string[]][]) {
  const store = groupCommit(database);
  const all: typeof members = [['BOC', '2026-01-01'], ...members];
  return Promise.allSettled(
    all.map(([key, ...dates]) => store(key, dates.map(dollars), run, async () => {})),
  ).then(([, ...others]) => others);
}

it('a version is that of those who changed something: the others of the group made none', async () => {
  await storeTogether(['NB', '2026-03-02']);
  const [bank, other] = await storeTogether(['ECB', '2026-03-09'], ['NB', '2026-03-02']);
  expect(bank).toMatchObject({ value: { rowsNew: 1, version: 3n } });
  expect(other).toMatchObject({ value: { rowsUnchanged: 1, version: undefined } });
  expect((await versions()).at(-1)?.[0]).toBe('ECB');
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
  expect(await storeTogether(['NB', '2026-03-02'])).toMatchObject([refusal]);
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
