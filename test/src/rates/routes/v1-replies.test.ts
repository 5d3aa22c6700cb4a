import { describe, expect, it } from 'vitest';
import { openRoutes } from './in-process.js';

const rows = [
  'ECB 2026-03-12 EUR/USD 1.1512',
  'ECB 2026-03-12 EUR/GBP 0.8641',
  'ECB 2026-03-16 EUR/USD 1.1523',
  'ECB 2026-03-18 EUR/USD 1.16',
  'BOC 2026-03-17 EUR/USD 1.2',
];
const recorded = [{ at: '2026-03-16T16:00:00Z', rows }];
const now = '2026-03-17T23:58:20Z';
const routes = openRoutes({ recorded, now });
const tomorrow = openRoutes({ recorded, now: '2026-03-18T12:00:00Z' });
const more = openRoutes({
  recorded: [...recorded, { at: '2026-03-17T16:00:00Z', rows: [...rows, 'ECB 2026-03-17 EUR/USD 1.17'] }],
  now,
});
const { ask, json } = routes;

describe('an interval', () => {
  it('without an end is up to today', async () => {
    const open = await json<{ end_date: string }>('/v1/2026-03-12..');
    expect(open.end_date).toBe('2026-03-16');
    expect((await tomorrow.json<{ end_date: string }>('/v1/2026-03-12..')).end_date).toBe('2026-03-18');
    expect((await json<{ end_date: string }>('/v1/2026-03-12..2026-03-18')).end_date).toBe('2026-03-18');
  });

  it('may begin today, and not after it', async () => {
    expect(await json('/v1/2026-03-17..')).toMatchObject({
      start_date: '2026-03-16',
      end_date: '2026-03-16',
    });
    expect(await ask('/v1/2026-03-18..2026-03-18')).toMatchObject({
      status: 404,
      message: 'not found: 2026-03-18 is in the future',
    });
  });
});

describe('a reply of /v1', () => {
  it('is of one bank, and names its successor', async () => {
    expect(await json('/v1/latest')).toEqual({
      amount: 1,
      base: 'EUR',
      date: '2026-03-18',
      rates: { USD: 1.16 },
    });
    expect(await json('/v1/current')).toEqual(await json('/v1/latest'));
    expect(await ask('/v1/latest')).toMatchObject({
      headers: { link: '</v2/rates>; rel="successor-version"' },
      cacheControl: 'public, max-age=100, stale-while-revalidate=60, stale-if-error=86400',
      dataVersion: '1',
      type: 'application/json; charset=utf-8',
    });
  });

  it('has the names of the currencies', async () => {
    expect(await json('/v1/currencies')).toEqual({
      EUR: 'Euro',
      GBP: 'British Pound',
      USD: 'United States Dollar',
    });
  });

  it('has a tag for what it depends on', async () => {
    const tag = async (path: string, each = routes) => (await each.ask(`/v1/${path}`)).tag;
    const tags = [
      await tag('latest'),
      await tag('latest', tomorrow),
      await tag('latest', more),
      await tag('latest?amount=2'),
      await tag('latest?base=USD'),
      await tag('latest?symbols=USD'),
      await tag('latest?symbols=USD,GBP'),
      await tag('2026-03-16'),
      await tag('2026-03-12'),
      await tag('2026-03-12..'),
      await tag('2026-03-12..2026-03-16'),
      await tag('currencies'),
      (await ask('/v2/rates')).tag,
    ];
    expect(tags).not.toContain(undefined);
    expect(new Set(tags).size).toBe(tags.length);
    expect(await tag('current')).toBe(await tag('latest'));
  });
});
