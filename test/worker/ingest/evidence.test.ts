import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readResponses } from '../../../core/database/run-responses.js';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import { BODY, dollars, ingestFrom, ownDatabase, RECEIVED_AT, readRows } from './support.js';

const database = await ownDatabase();

function ingest(rate: number, reading = 1) {
  const feed: Feed = {
    key: 'ECB',
    reading,
    async *read(_window, { http, navigation }) {
      await navigation.get('http://bank.test/list?date=2026-03-06');
      const response = await http.get('http://bank.test/s3cret-value/rates?api_key=abcdef');
      yield ratesFrom(response, 'any day', [dollars('2026-03-06', rate)], (row) => row);
    },
  };
  const values = { BANK_KEY: 's3cret-value', EMPTY: '' };
  return ingestFrom(database, feed, { access: { credentials: { status: 'present', values } } });
}

const read = (query: string) => readRows(database, query);

it('a rate has the run that recorded it, and the run its responses, without secrets', async () => {
  await ingest(1.1);
  expect(await read('select rate, run from rates')).toEqual([[1.1, 1]]);
  const sha256 = createHash('sha256').update(BODY).digest('hex');
  const response = { fetchedAt: RECEIVED_AT, bytes: BODY.length, sha256 };
  expect((await readResponses(database, [1])).get(1)).toMatchObject([
    { url: 'http://bank.test/list?date=2026-03-06', ...response },
    { url: 'http://bank.test/***/rates?api_key=***', ...response },
  ]);
  // A run that recorded nothing leaves no evidence.
  expect(await ingest(1.1)).toMatchObject({ run: '2', rowsUnchanged: 1 });
  expect(await readResponses(database, [2])).toEqual(new Map());
});

it('rates that were restated are distinguished from those that are read differently, or of unknown cause', async () => {
  await database.pool.query(
    `insert into rates (provider, date, base, quote, rate) values ('ECB', '2026-03-06', 'EUR', 'USD', 1)`,
  );
  await ingest(1.1);
  await ingest(1.2);
  await ingest(1.3, 2);
  await ingest(1.4, 2);
  expect(await read('select rate, cause, run from rate_revisions order by id')).toEqual([
    [1, null, null],
    [1.1, 'source', 1],
    [1.2, 'reading', 2],
    [1.3, 'source', 3],
  ]);
  expect(await read('select rate, run from rates')).toEqual([[1.4, 4]]);
});

it('every table that has a provider holds the longest key', async () => {
  const lengths = await read(
    `select distinct coalesce(character_maximum_length, 16) from information_schema.columns
     where table_schema = 'public' and column_name = 'provider'`,
  );
  expect(lengths).toEqual([[16]]);
});
