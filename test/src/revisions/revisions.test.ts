import { expect, it } from 'vitest';
import * as z from 'zod';
import { inTransaction } from '../../../core/database/transactions.js';
import { revisionSchema } from '../../../src/revisions/routes.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { testDatabase } from '../../support/postgres.js';
import { ownApi } from '../own-api.js';

const { ask, read: readJson } = ownApi(async () => {
  const database = await testDatabase();
  await database.pool.query(`
    insert into providers (key) values ('ECB'), ('BOC');
    insert into ingest_runs (provider, reason, window_from, reading) values
      ('ECB', 'schedule', '2026-03-01', 1), ('ECB', 'schedule', '2026-03-01', 1), ('ECB', 'schedule', '2026-03-01', 2)`);
  for (const [provider, quote, rate, run] of [
    ['ECB', 'USD', 1.1, { id: '1', reading: 1 }],
    ['ECB', 'USD', 1.2, { id: '2', reading: 1 }],
    ['ECB', 'USD', 1.3, { id: '3', reading: 2 }],
    ['BOC', 'CAD', 1.4, undefined],
    ['BOC', 'CAD', 1.5, undefined],
  ] as const) {
    const rows = [{ date: '2026-03-02', base: 'EUR', quote, rate }];
    await inTransaction(database, (transaction) => storeAndBlend(transaction, provider, rows, run));
  }
  return database;
});

const read = async (path: string) => z.array(revisionSchema).parse(await readJson(path));

it('GET /v2/revisions lists what was replaced, the last first, with its cause where that is known', async () => {
  const revisions = await read('/v2/revisions');
  expect(revisions.map(({ provider, was, rate, cause }) => [provider, was, rate, cause])).toEqual([
    ['BOC', 1.4, 1.5, null],
    ['ECB', 1.2, 1.3, 'reading'],
    ['ECB', 1.1, 1.2, 'source'],
  ]);
  expect(revisions[1]?.recorded_at).toBe(revisions[2]?.replaced_at);
});

it.each([
  [2, true],
  [3, false],
  [4, false],
])('GET /v2/revisions of three corrections has a next page after one of %i: %s', async (limit, hasNext) => {
  expect((await ask(`/v2/revisions?limit=${limit}`)).headers.has('x-next-cursor')).toBe(hasNext);
});

it.each([
  [0, ['quotes=JPY', 'from=2026-03-03']],
  [1, ['providers=boc', 'until=FIRST']],
  [2, ['quotes=USD', 'since=SECOND']],
  [3, ['from=2026-03-02&to=2026-03-02', 'since=FIRST_DAY', 'until=LAST_DAY']],
])('GET /v2/revisions finds %i by %j', async (count, queries) => {
  const [last, SECOND, FIRST] = (await read('/v2/revisions')).map((one) => one.replaced_at);
  const names = { SECOND, FIRST, FIRST_DAY: FIRST?.slice(0, 10), LAST_DAY: last?.slice(0, 10) };
  for (const query of queries) {
    const times = query.replace(/[A-Z_]+$/, (name) => names[name as keyof typeof names] ?? name);
    expect(await read(`/v2/revisions?${times}`), query).toHaveLength(count);
  }
});

it('GET /v2/revisions goes on where a page ended', async () => {
  const whole = await read('/v2/revisions');
  const pages: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const response = await ask(`/v2/revisions?limit=1&cursor=${cursor}`);
    pages.push(...((await response.json()) as unknown[]));
    cursor = response.headers.get('x-next-cursor');
  }
  expect(pages).toEqual(whole);
});

it.each([
  ['since=yesterday', 'since'],
  ['since=2026-03-02&until=2026-03-01', 'since'],
  ['from=2026-03-20&to=2026-03-19', 'from'],
  ['limit=0', 'limit'],
  ['limit=10001', 'limit'],
  ['cursor=odd', 'cursor'],
  ['date=2026-03-02', 'date'],
])('GET /v2/revisions refuses %s and names the parameter', async (query, parameter) => {
  const response = await ask(`/v2/revisions?${query}`);
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ errors: [{ parameter }] });
});

it('GET /v2/revisions answers in NDJSON and CSV as well', async () => {
  const csv = await (await ask('/v2/revisions.csv')).text();
  expect(csv.split('\n')[1]).toMatch(/^BOC,2026-03-02,EUR,CAD,1.5,1.4,[^,]+Z,[^,]+Z,$/);
  const lines = await (await ask('/v2/revisions', { accept: 'application/x-ndjson' })).text();
  expect(`[${lines.trim().replaceAll('\n', ',')}]`).toBe(await (await ask('/v2/revisions.json')).text());
});
