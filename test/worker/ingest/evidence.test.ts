import { createHash } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readResponses } from '../../../core/database/run-responses.js';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import type { HttpClient } from '../../../worker/feeds/http/client.js';
import { httpAnswer } from '../../../worker/feeds/http/response.js';
import { ingest } from '../../../worker/ingest/ingest.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(() =>
  database.pool.query(
    'truncate providers, ingest_runs, rates, rate_revisions, run_responses restart identity cascade',
  ),
);

const RECEIVED_AT = new Date('2026-03-06T16:00:00.123Z');

const ask = async (url: string) =>
  httpAnswer({
    url,
    status: 200,
    headers: new Map(),
    cookies: [],
    receivedAt: RECEIVED_AT,
    bytes: Buffer.from('rates'),
  });
const bank: HttpClient = { get: ask, post: ask, pause: async () => {} };

function feedOf(rate: number, reading?: number): Feed {
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

function ingestFrom(feed: Feed) {
  return ingest(
    feed,
    { from: '2026-03-01' },
    {
      database,
      announcements: { publish: async () => {} },
      source: {
        open: async () => ({
          http: bank,
          today: '2026-03-08',
          credentials: { status: 'present', values: { BANK_KEY: 's3cret-value', EMPTY: '' } },
        }),
        close: async () => {},
      },
      log: pino({ level: 'silent' }),
      reason: 'schedule',
    },
  );
}

const read = async (query: string) => (await database.pool.query({ text: query, rowMode: 'array' })).rows;

it('a rate knows the run that recorded it, and the run the responses that it read, without secrets', async () => {
  const first = await ingestFrom(feedOf(1.1));
  expect(await read('select rate, run::text from rates')).toEqual([[1.1, first?.run]]);
  const responses = (await readResponses(database, [Number(first?.run)])).get(Number(first?.run));
  expect(responses?.map(({ url, fetchedAt, bytes }) => ({ url, fetchedAt, bytes }))).toEqual([
    { url: 'http://bank.test/list?date=2026-03-06', fetchedAt: RECEIVED_AT, bytes: 5 },
    { url: 'http://bank.test/***/rates?api_key=***', fetchedAt: RECEIVED_AT, bytes: 5 },
  ]);
  const digest = createHash('sha256').update('rates').digest('hex');
  expect(responses?.map(({ sha256 }) => sha256)).toEqual([digest, digest]);
});

it('a run that recorded nothing leaves no evidence', async () => {
  await ingestFrom(feedOf(1.1));
  const second = await ingestFrom(feedOf(1.1));
  expect(second?.rowsUnchanged).toBe(1);
  expect(await readResponses(database, [Number(second?.run)])).toEqual(new Map());
});

it('tells rates that were restated from those that are read differently, and what is not known', async () => {
  await database.pool.query(
    `insert into rates (provider, date, base, quote, rate) values ('ECB', '2026-03-06', 'EUR', 'USD', 1)`,
  );
  for (const feed of [feedOf(1.1), feedOf(1.2), feedOf(1.3, 2), feedOf(1.4, 2)]) await ingestFrom(feed);
  expect(await read('select rate, cause, run from rate_revisions order by id')).toEqual([
    [1, null, null],
    [1.1, 'source', 1],
    [1.2, 'reading', 2],
    [1.3, 'source', 3],
  ]);
  expect(await read('select rate, run from rates')).toEqual([[1.4, 4]]);
});
