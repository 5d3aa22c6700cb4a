import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readResponses } from '../../../core/database/run-responses.js';
import { setAside } from '../../../core/database/set-aside.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { useSources } from '../../../core/sources/own-sources.js';
import { type Feed, ratesFrom } from '../../../worker/feeds/feed.js';
import { BODY, dollars, feedOf, ingestFrom, ownDatabase, RECEIVED_AT, ratesOf, readRows } from './support.js';

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
  const key = 'ABCDEFGHIJKLMNOP';
  const folder = await mkdtemp(join(tmpdir(), 'sources-'));
  await writeFile(join(folder, 'long.yaml'), `key: ${key}\nname: Long\nblend: true\n`);
  useSources({ SOURCES_DIR: folder });
  try {
    const day = (number: number, rate: number, quotes = ['EUR', 'GBP', 'JPY']) =>
      quotes.map((quote) => ratesOf(`USD/${quote}`)(`2026-03-0${number}`, rate));
    await ingestFrom(
      database,
      feedOf(
        key,
        [1, 2, 3, 4, 5, 6].flatMap((number) => day(number, 0.9)),
      ),
    );
    // A correction, a day with few currencies, and a rate that nobody believes.
    await ingestFrom(database, feedOf(key, [...day(6, 0.91), ...day(7, 9.1, ['EUR'])]));
    const window = { provider: key, from: '2026-02-01', to: '2026-02-28', reason: 'closed', attempts: 6 };
    await inTransaction(database, (transaction) => setAside(transaction, window));
    const tables = await read(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'provider'`,
    );
    expect(tables.length).toBeGreaterThan(0);
    for (const [table] of tables)
      expect([table, ...(await read(`select distinct provider from ${table}`))]).toEqual([table, [key]]);
  } finally {
    useSources({});
    await rm(folder, { recursive: true });
  }
});
