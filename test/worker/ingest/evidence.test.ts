import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readResponses } from '../../../core/database/run-responses.js';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { BODY, emptyTables, ingestFrom, RECEIVED_AT, readRows } from './support.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyTables(database));

function feedWith(rate: number, reading?: number): Feed {
  return {
    key: 'ECB',
    ...(reading !== undefined && { reading }),
    async *read(_window, { http, navigation }) {
      await navigation.get('http://bank.test/list?date=2026-03-06');
      const response = await http.get('http://bank.test/s3cret-value/rates?api_key=abcdef');
      yield ratesFrom(response, 'any day', [rate], () => ({
        date: '2026-03-06',
        base: 'EUR',
        quote: 'USD',
        rate,
      }));
    },
  };
}

const values = { BANK_KEY: 's3cret-value', EMPTY: '' };
const ingest = (feed: Feed) =>
  ingestFrom(database, feed, { access: { credentials: { status: 'present', values } } });
const read = (query: string) => readRows(database, query);

it('a rate knows the run that recorded it, and the run the responses that it read, without secrets', async () => {
  const first = await ingest(feedWith(1.1));
  expect(await read('select rate, run::text from rates')).toEqual([[1.1, first?.run]]);
  const responses = (await readResponses(database, [Number(first?.run)])).get(Number(first?.run));
  expect(responses?.map(({ url, fetchedAt, bytes }) => ({ url, fetchedAt, bytes }))).toEqual([
    { url: 'http://bank.test/list?date=2026-03-06', fetchedAt: RECEIVED_AT, bytes: 5 },
    { url: 'http://bank.test/***/rates?api_key=***', fetchedAt: RECEIVED_AT, bytes: 5 },
  ]);
  const digest = createHash('sha256').update(BODY).digest('hex');
  expect(responses?.map(({ sha256 }) => sha256)).toEqual([digest, digest]);
});

it('a run that recorded nothing leaves no evidence', async () => {
  await ingest(feedWith(1.1));
  const second = await ingest(feedWith(1.1));
  expect(second?.rowsUnchanged).toBe(1);
  expect(await readResponses(database, [Number(second?.run)])).toEqual(new Map());
});

it('tells rates that were restated from those that are read differently, and what is not known', async () => {
  await database.pool.query(
    `insert into rates (provider, date, base, quote, rate) values ('ECB', '2026-03-06', 'EUR', 'USD', 1)`,
  );
  for (const feed of [feedWith(1.1), feedWith(1.2), feedWith(1.3, 2), feedWith(1.4, 2)]) await ingest(feed);
  expect(await read('select rate, cause, run from rate_revisions order by id')).toEqual([
    [1, null, null],
    [1.1, 'source', 1],
    [1.2, 'reading', 2],
    [1.3, 'source', 3],
  ]);
  expect(await read('select rate, run from rates')).toEqual([[1.4, 4]]);
});
