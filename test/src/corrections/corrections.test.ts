import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Revision } from '../../../core/database/revisions.js';
import { inTransaction } from '../../../core/database/transactions.js';
import { correctionEntries } from '../../../src/corrections/entries.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let api: TestApi;

async function store(provider: string, rates: Readonly<Record<string, number>>) {
  const rows = Object.entries(rates).map(([quote, rate]) => ({
    date: '2026-03-02',
    base: 'EUR',
    quote,
    rate,
  }));
  await inTransaction(database, (transaction) => storeAndBlend(transaction, provider, rows));
}

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query("insert into providers (key) values ('ECB'), ('BOC')");
  await store('ECB', { USD: 1.1, CHF: 0.93, JPY: 160 });
  api = await startApi(database);
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

interface Feed {
  id: string;
  updated: string;
  link: { '@_rel': string; '@_href': string }[];
  entry?: { id: string; title: string; summary: string; updated: string; link: { '@_href': string } }[];
}

const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'entry' });

async function read(): Promise<Feed> {
  const response = await fetch(`${api.url}/corrections.atom`);
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(
    /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/,
  );
  return parser.parse(text).feed;
}

describe('GET /corrections.atom', () => {
  test('has no entry before anything was corrected, then one for all that were corrected together', async () => {
    const before = await read();
    expect(before.entry).toBeUndefined();
    expect(before.updated).toBe('1970-01-01T00:00:00.000Z');
    await store('ECB', { USD: 1.12, CHF: 0.94, JPY: 160 });
    const { entry = [], id, link, updated } = await read();
    expect(id).toBe(before.id);
    expect(link.map((each) => [each['@_rel'], each['@_href']])).toEqual([
      ['self', `${api.url}/corrections.atom`],
      ['alternate', `${api.url}/status`],
    ]);
    expect(entry.map(({ title }) => title)).toEqual(['ECB corrected 2 rates of 2026-03-02']);
    expect(entry[0]?.summary).toContain('2026-03-02 EUR/USD: 1.1 became 1.12.');
    expect(entry[0]?.summary).toContain('2026-03-02 EUR/CHF: 0.93 became 0.94.');
    expect(entry[0]?.updated).toBe(updated);
    const listed = await fetch(entry[0]?.link['@_href'] ?? '');
    expect(((await listed.json()) as unknown[]).length).toBe(2);
  });

  test('names a rate that is held back, under the same id once that is decided', async () => {
    const add = `insert into suspects (provider, date, base, quote, rate, reason, expected, others, suspected_at)
      values ('BOC', '2026-03-02', 'USD', 'CAD', 13.6, 'factor_of_ten', 1.36, 3, '2026-03-02T18:00:00Z') returning id`;
    const [{ id }] = (await database.pool.query(add)).rows;
    await database.pool.query(
      "insert into suspect_states (suspect, since, status) values ($1, '2026-03-02T18:00:00Z', 'held')",
      [id],
    );
    const title = "BOC's USD/CAD of 2026-03-02 was held back: 13.6 where about 1.36 was expected";
    const find = async () => (await read()).entry?.find((entry) => entry.title === title);
    const held = await find();
    expect(held?.updated).toBe('2026-03-02T18:00:00.000Z');
    expect(held?.id).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
    await database.pool.query(
      "update suspects set status = 'rejected', resolved_at = '2026-03-03T09:00:00Z' where id = $1",
      [id],
    );
    const decided = await find();
    expect(decided).toMatchObject({ id: held?.id, updated: '2026-03-03T09:00:00.000Z' });
    expect(decided?.summary).toContain('An operator has rejected it');
  });

  test('is not read again while nothing has changed', async () => {
    const etag = (await fetch(`${api.url}/corrections.atom`)).headers.get('etag') ?? '';
    const again = await fetch(`${api.url}/corrections.atom`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });
});

describe('corrections', () => {
  const revision = (provider: string, second: number): Revision => ({
    id: String(second),
    provider,
    date: '2026-03-02',
    base: 'EUR',
    quote: 'USD',
    rate: 1.2,
    was: 1.1,
    recordedAt: new Date('2026-03-02T16:00:00Z'),
    replacedAt: new Date(Date.UTC(2026, 2, 3, 16, 0, second)),
    cause: 'source',
  });

  test('of which a part may be missing are left out', () => {
    const revisions = [revision('ECB', 2), revision('ECB', 1), revision('ECB', 1)];
    const titles = (isWhole: boolean) =>
      correctionEntries(revisions, isWhole, 'http://localhost').map(({ title }) => title);
    expect(titles(true)).toEqual([
      'ECB corrected 1 rate of 2026-03-02',
      'ECB corrected 2 rates of 2026-03-02',
    ]);
    expect(titles(false)).toEqual(['ECB corrected 1 rate of 2026-03-02']);
  });
});
