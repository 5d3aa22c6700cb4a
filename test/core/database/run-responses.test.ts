import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readResponses, recordResponses } from '../../../core/database/run-responses.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate run_responses'));

const response = (url: string) => ({
  url,
  fetchedAt: new Date('2026-03-06T16:00:00.123Z'),
  sha256: '0123456789abcdef'.repeat(4),
  bytes: 5,
});
const record = (run: string, ...urls: string[]) =>
  inTransaction(database, (transaction) => recordResponses(transaction, run, urls.map(response)));

it('responses are read as they were recorded, by run and in their order', async () => {
  await record('7', 'http://bank.test/z', 'http://bank.test/a');
  await record('8', 'http://bank.test/a');
  await record('9', 'http://bank.test/other');
  const found = await readResponses(database, [8, 7, 6]);
  expect(found).toEqual(
    new Map([
      [7, [response('http://bank.test/z'), response('http://bank.test/a')]],
      [8, [response('http://bank.test/a')]],
    ]),
  );
});

it('of each run only the first ones are read', async () => {
  const urls = ['http://bank.test/1', 'http://bank.test/2', 'http://bank.test/3'];
  await record('7', ...urls);
  await record('8', ...urls);
  const found = await readResponses(database, [7, 8], 2);
  expect([...found.values()].map((responses) => responses.map(({ url }) => url))).toEqual([
    urls.slice(0, 2),
    urls.slice(0, 2),
  ]);
});

it('of no runs nothing is read, and a run without responses records none', async () => {
  await record('7');
  expect(await readResponses(database, [])).toEqual(new Map());
  expect(await readResponses(database, [7])).toEqual(new Map());
});

it('an error is that of PostgreSQL', async () => {
  await expect(readResponses(database, [1e10])).rejects.toMatchObject({ code: '22003' });
});
