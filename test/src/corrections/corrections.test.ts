import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import type { Revision } from '../../../core/database/revisions.js';
import { correctionEntries } from '../../../src/corrections/entries.js';
import { databaseWith, storeRows } from '../../support/rates.js';
import { ownApi } from '../own-api.js';
import { row } from '../rates/sources/in-memory.js';

const rows = (...rates: string[]) => rates.map((rate) => row(`ECB 2026-03-02 EUR/${rate}`));

const own = ownApi(() =>
  databaseWith([...rows('USD 1.1', 'CHF 0.93', 'JPY 160'), row('BOC 2026-03-02 USD/CAD 1.37')]),
);

interface Feed {
  id: string;
  updated: string;
  link: { '@_rel': string; '@_href': string }[];
  entry?: { id: string; title: string; summary: string; updated: string; link: { '@_href': string } }[];
}

const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'entry' });

async function read(): Promise<Feed> {
  const response = await own.ask('/corrections.atom');
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const text = await response.text();
  const start = '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">';
  expect(text.startsWith(start)).toBe(true);
  return parser.parse(text).feed;
}

test('GET /corrections.atom has no entry before anything was corrected, then one for all that were corrected together', async () => {
  const before = await read();
  expect(before.entry).toBeUndefined();
  expect(before.updated).toBe('1970-01-01T00:00:00.000Z');
  await storeRows(own.database, rows('USD 1.12', 'CHF 0.94', 'JPY 160'));
  const { entry = [], id, link, updated } = await read();
  expect(id).toBe(before.id);
  const links = link.map((each) => `${each['@_rel']} ${each['@_href']}`);
  const { url } = own.api;
  expect(links).toEqual([`self ${url}/corrections.atom`, `alternate ${url}/status`]);
  expect(entry.map(({ title }) => title)).toEqual(['ECB corrected 2 rates of 2026-03-02']);
  expect(entry[0]?.summary).toContain('2026-03-02 EUR/USD: 1.1 became 1.12.');
  expect(entry[0]?.summary).toContain('2026-03-02 EUR/CHF: 0.93 became 0.94.');
  expect(entry[0]?.updated).toBe(updated);
  const listed = await fetch(entry[0]?.link['@_href'] ?? '');
  expect(((await listed.json()) as unknown[]).length).toBe(2);
});

test('GET /corrections.atom names a rate that is held back, under the same id once that is decided', async () => {
  await own.database.pool.query(`with added as (
    insert into suspects (provider, date, base, quote, rate, reason, expected, others, suspected_at)
    values ('BOC', '2026-03-02', 'USD', 'CAD', 13.6, 'factor_of_ten', 1.36, 3, '2026-03-02T18:00:00Z') returning id)
    insert into suspect_states (suspect, since, status, reason)
    select id, '2026-03-02T18:00:00Z', 'held', 'factor_of_ten' from added`);
  const title = "BOC's USD/CAD of 2026-03-02 was held back: 13.6 where about 1.36 was expected";
  const find = async () => (await read()).entry?.find((entry) => entry.title === title);
  const held = await find();
  expect(held?.updated).toBe('2026-03-02T18:00:00.000Z');
  expect(held?.id).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  const decision = `update suspects set status = 'rejected', resolved_at = '2026-03-03T09:00:00Z'`;
  await own.database.pool.query(decision);
  const decided = await find();
  expect(decided).toMatchObject({ id: held?.id, updated: '2026-03-03T09:00:00.000Z' });
  expect(decided?.summary).toContain('An operator has rejected it');
});

test('GET /corrections.atom is not read again while nothing has changed', async () => {
  const etag = (await own.ask('/corrections.atom')).headers.get('etag') ?? '';
  expect((await own.ask('/corrections.atom', { 'if-none-match': etag })).status).toBe(304);
});

test('corrections of which a part may be missing are left out', () => {
  const revised = { ...row('ECB 2026-03-02 EUR/USD 1.2'), was: 1.1, cause: 'source' } as const;
  const revisions = [2, 1, 1].map((second): Revision => {
    const replacedAt = new Date(Date.UTC(2026, 2, 3, 16, 0, second));
    return { ...revised, id: String(second), recordedAt: new Date('2026-03-02T16:00:00Z'), replacedAt };
  });
  const titles = (isWhole: boolean) =>
    correctionEntries(revisions, isWhole, 'http://localhost').map(({ title }) => title);
  const [one, both] = ['ECB corrected 1 rate of 2026-03-02', 'ECB corrected 2 rates of 2026-03-02'];
  expect([titles(true), titles(false)]).toEqual([[one, both], [one]]);
});
