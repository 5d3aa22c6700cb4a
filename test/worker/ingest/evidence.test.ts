import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readResponses } from '../../../core/database/run-responses.js';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import { BODY, dollars, ingestFrom, ownDatabase, RECEIVED_AT, readLines } from './support.js';

const database = await ownDatabase();

function ingest(rate: number) {
  const feed: Feed = {
    key: 'ECB',
    async *read(_window, { http, navigation }) {
      await navigation.get('http://bank.test/list?date=2026-03-06');
      const response = await http.get('http://bank.test/s3cret-value/rates?api_key=abcdef');
      yield ratesFrom(response, 'any day', [dollars('2026-03-06', rate)], (row) => row);
    },
  };
  const values = { BANK_KEY: 's3cret-value', EMPTY: '' };
  return ingestFrom(database, feed, { access: { credentials: { status: 'present', values } } });
}

const lines = (query: string) => readLines(database, query);

it('a rate has the run that recorded it, and the run its responses, without secrets', async () => {
  await ingest(1.1);
  expect(await lines('select rate, run from rates')).toEqual(['1.1 1']);
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

it('every table that has a provider holds the longest key', async () => {
  const lengths = `select distinct coalesce(character_maximum_length, 16) from information_schema.columns
    where table_schema = 'public' and column_name = 'provider'`;
  expect(await lines(lengths)).toEqual(['16']);
});
