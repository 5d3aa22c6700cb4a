import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../core/domain/dates.js';
import type { Receipt } from '../../../../core/domain/receipt/schema.js';
import { PAST } from '../../../../src/http/representation.js';
import { encodeWithReceipt } from '../../../../src/rates/routes/receipt.js';
import { openRoutes } from './in-process.js';

const FIRST = '2026-03-18T16:00:00Z';
const SECOND = '2026-03-20T09:00:00Z';
const PIN = 'as_of=2026-03-20T09:00:00.000Z&expand=receipt';
const THEN = [
  'ECB 2026-03-02 EUR/USD 1.1',
  'ECB 2026-03-17 EUR/USD 1.2',
  'BOC 2026-03-18 EUR/USD 1.345678',
  'BOC 2026-03-18 EUR/CAD 1.6',
  'BCEAO 2026-03-18 EUR/XOF 655.957',
  'HMRC 2026-03-01 GBP/USD 1.3',
  'NBU 2026-03-18 USD/UAH 41.5 jump',
];
const recorded = [
  { at: FIRST, rows: THEN },
  { at: SECOND, rows: [...THEN, 'ECB 2026-03-21 USD/JPY 150', 'ECB 2026-03-22 EUR/USD 1.4'] },
];
const NOW = '2026-03-20T12:00:00Z';
const routes = openRoutes({ recorded, now: NOW });
const nextDay = openRoutes({ recorded, now: '2026-03-21T12:00:00Z' });
const before = openRoutes({ recorded: recorded.slice(0, 1), now: NOW });
const { ask, json, proven } = routes;

interface Proven {
  date: string;
  rate: number;
  receipt: { url: string };
  [name: string]: unknown;
}
const prove = (target: string) => json<Proven>(`${target}${target.includes('?') ? '&' : '?'}expand=receipt`);

describe('the row of a pair with its receipt', () => {
  it.each([
    '/v2/rate/EUR/USD',
    '/v2/rate/USD/EUR',
    '/v2/rate/EUR/XOF',
    '/v2/rate/USD/XOF',
    // Of more digits than are shown of other rates; the euro is not published on the newest day.
    '/v2/rate/EUR/BAM',
    '/v2/rate/EUR/BAM?date=2026-03-18',
    '/v2/rate/USD/BAM?date=2026-03-18',
    '/v2/rate/EUR/CAD?precision=full',
    '/v2/rate/USD/CAD?date=2026-03-19',
    '/v2/rate/EUR/USD?date=2026-03-16',
    '/v2/rate/EUR/USD?date=2026-03-17&when=before',
    '/v2/rate/EUR/USD?date=2026-03-10&when=next',
    '/v2/rate/EUR/USD?date=2026-03-10&when=next&providers=ECB',
    '/v2/rate/EUR/USD?date=2026-03-10&when=next&providers=BOC,ECB',
    '/v2/rate/EUR/BAM?date=2026-03-10&when=next',
    '/v2/rate/GBP/USD?providers=HMRC&date=2026-02-20&when=next',
    `/v2/rate/EUR/USD?date=2026-03-10&when=next&as_of=${FIRST}`,
    '/v2/rate/EUR/USD?providers=ECB',
    '/v2/rate/EUR/USD?providers=BOC',
    '/v2/rate/USD/EUR?providers=BOC&precision=full',
    '/v2/rate/EUR/USD?providers=BOC,ECB',
    '/v2/rate/GBP/USD?providers=HMRC&date=2026-03-19',
    `/v2/rate/EUR/USD?as_of=${FIRST}`,
    `/v2/rate/EUR/USD?providers=ECB&as_of=${FIRST}`,
  ])('is the row without it, and so is that at its address: %s', async (target) => {
    const { receipt, ...row } = await prove(target);
    expect(row).toEqual(await json(target));
    expect(await json(receipt.url)).toEqual({ ...row, receipt });
  });

  it('says that a rate is suspect, but for a table', async () => {
    const target = '/v2/rate/USD/UAH?providers=NBU';
    const row = { date: '2026-03-18', base: 'USD', quote: 'UAH', rate: 41.5, suspect: true, reason: 'jump' };
    expect(await json(target)).toEqual(row);
    expect(await prove(target)).toMatchObject(row);
    const csv = await ask(`${target}&expand=receipt`, { headers: { accept: 'text/csv' } });
    expect(csv.text).toMatch(/^date,base,quote,rate,receipt\n2026-03-18,USD,UAH,41.5,"/);
  });

  it('has an address with the day and the instant, and what else was asked for', async () => {
    const urlOf = async (target: string) => (await prove(target)).receipt.url;
    expect(await urlOf('/v2/rate/eur/usd')).toBe(`/v2/rate/EUR/USD?date=2026-03-21&${PIN}`);
    expect(await urlOf('/v2/rate/EUR/USD?date=2026-03-18&precision=full&providers=boc,ECB')).toBe(
      `/v2/rate/EUR/USD?providers=BOC,ECB&precision=full&date=2026-03-18&${PIN}`,
    );
    expect(await urlOf(`/v2/rate/EUR/USD?as_of=2026-03-19T00:00:00Z`)).toBe(
      `/v2/rate/EUR/USD?date=2026-03-18&as_of=2026-03-18T16:00:00.000Z&expand=receipt`,
    );
    expect(await urlOf('/v2/providers/ecb/rate/EUR/USD')).toBe(
      `/v2/rate/EUR/USD?providers=ECB&date=2026-03-21&${PIN}`,
    );
  });

  it('looks up the newest day, up to tomorrow, among the rates that were known', async () => {
    const dayOf = async (rest: string, each = routes) =>
      (await each.ask(`/v2/rate/EUR/USD?expand=receipt${rest}`)).headers['x-rates-as-of'];
    expect(await dayOf('')).toBe('2026-03-21');
    expect(await dayOf('', nextDay)).toBe('2026-03-22');
    expect(await dayOf('', before)).toBe('2026-03-18');
    expect(await dayOf('&as_of=2026-03-19T00:00:00Z')).toBe('2026-03-18');
    expect(await dayOf('&providers=ECB', nextDay)).toBe('2026-03-22');
    expect(await dayOf('&providers=ECB,BOC')).toBe('2026-03-21');
    expect(await dayOf('&providers=ECB,BOC&as_of=2026-03-19T00:00:00Z')).toBe('2026-03-18');
    expect(await dayOf('&date=2026-03-10')).toBe('2026-03-10');
  });

  it('is proven by what it was found among', async () => {
    proven.length = 0;
    await prove('/v2/rate/USD/CAD?date=2026-03-19&providers=BOC');
    expect(proven).toHaveLength(1);
    const [rate] = proven;
    expect(rate).toMatchObject({
      base: 'USD',
      quote: 'CAD',
      providers: ['BOC'],
      asked: dayNumber('2026-03-19'),
      found: { day: dayNumber('2026-03-18') },
      snapshot: { knownAt: Date.parse(SECOND) },
    });
    expect([...(rate?.columns.byQuote.keys() ?? [])].sort()).toEqual(['CAD', 'EUR', 'USD']);
  });

  it('is proven by the newest snapshot itself where nothing has changed since', async () => {
    proven.length = 0;
    for (const rest of ['', `?as_of=${SECOND}`, '?providers=ECB', `?as_of=${FIRST}`])
      await prove(`/v2/rate/EUR/USD${rest}`);
    const past = (rate: (typeof proven)[number]) => rate.snapshot.past !== undefined;
    expect(proven.map(past)).toEqual([false, false, false, true]);
  });

  it('is for a day where both day and instant are named, and else moving', async () => {
    const cacheControl = async (rest: string) =>
      (await ask(`/v2/rate/EUR/USD?expand=receipt${rest}`)).cacheControl;
    expect(await cacheControl(`&date=2026-03-18&as_of=${FIRST}`)).toBe(PAST);
    for (const moving of ['', '&date=2026-03-18', `&as_of=${FIRST}`])
      expect([moving, await cacheControl(moving)]).toEqual([
        moving,
        'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400',
      ]);
  });

  it('has the headers and the version of what it was made from', async () => {
    const answer = await ask('/v2/rate/EUR/USD?expand=receipt');
    expect(answer).toMatchObject({
      headers: { 'x-blend-method': '2', 'x-rates-as-of': '2026-03-21' },
      vary: ['accept'],
      dataVersion: '2',
    });
  });

  it('has a tag of its own for its data, its day, its pair and its form', async () => {
    const csv = { headers: { accept: 'text/csv' } };
    const target = '/v2/rate/EUR/USD?expand=receipt';
    const found = await Promise.all([
      ask(target),
      nextDay.ask(target),
      before.ask(target),
      ask('/v2/rate/USD/EUR?expand=receipt'),
      ask(`${target}&date=2026-03-18`),
      ask(`${target}&as_of=${FIRST}`),
      ask(`${target}&providers=ECB`),
      ask(`${target}&precision=full`),
      ask(target, csv),
      ask(`${target}&header=off`, csv),
      ask('/v2/rate/EUR/USD'),
    ]);
    const tags = found.map(({ tag }) => tag);
    expect(tags).not.toContain(undefined);
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('is a 404 where there is none', async () => {
    for (const rest of [
      'EUR/KPW?',
      'EUR/USD?date=2020-01-01&',
      'EUR/UAH?providers=ECB&',
      'EUR/USD?providers=IMF,NBU&',
    ]) {
      const pair = rest.slice(0, 7);
      expect(await ask(`/v2/rate/${rest}expand=receipt`)).toMatchObject({
        status: 404,
        message: expect.stringContaining(`no rate for ${pair}`),
      });
    }
  });

  it('stands alone, and is no bare number', async () => {
    for (const target of ['/v2/rate/EUR/USD?expand=receipt,quality', '/v2/rate/EUR/USD.txt?expand=receipt']) {
      expect(await ask(target)).toMatchObject({
        status: 422,
        message: 'expand=receipt stands alone: leave out the other words, and .txt',
        faults: [{ parameter: 'expand' }],
      });
    }
  });
});

describe('a record with a receipt', () => {
  const receipt = { url: '/v2', inputs: [] } as unknown as Receipt;
  const record = { date: '2026-03-20', rate: 1.5, receipt };

  it('is an object, a line, or a line of cells of which the last is JSON', () => {
    const text = JSON.stringify(record);
    expect(encodeWithReceipt(record, 'json')).toBe(text);
    expect(encodeWithReceipt(record, 'ndjson')).toBe(`${text}\n`);
    const cells = '2026-03-20,1.5,"{""url"":""/v2"",""inputs"":[]}"\n';
    expect(encodeWithReceipt(record, 'csv')).toBe(`date,rate,receipt\n${cells}`);
    expect(encodeWithReceipt(record, 'csv', false)).toBe(cells);
  });
});

describe('a conversion with its receipt', () => {
  it.each([
    '/v2/convert/EUR/USD?amount=1250.50',
    '/v2/convert/USD/CAD?amount=3&date=2026-03-19',
    '/v2/convert/EUR/USD?amount=3&date=2026-03-18&when=before',
    '/v2/convert/EUR/USD?amount=3&date=2026-03-10&when=next',
    '/v2/convert/EUR/USD?amount=3&providers=ECB,BOC',
    '/v2/convert/EUR/USD?amount=3&providers=ECB',
    `/v2/convert/EUR/USD?amount=3&as_of=${FIRST}`,
  ])('is the one without it, and so is that at its address: %s', async (target) => {
    const { receipt, ...conversion } = await prove(target);
    expect(conversion).toEqual(await json(target));
    expect(await json(receipt.url)).toEqual({ ...conversion, receipt });
  });

  it('has an address with all that was asked for', async () => {
    const { receipt } = await prove(
      '/v2/convert/eur/usd?amount=3&date=2026-03-18&when=before&providers=ecb,boc',
    );
    expect(receipt.url).toBe(
      `/v2/convert/EUR/USD?amount=3&providers=BOC,ECB&date=2026-03-18&when=before&${PIN}`,
    );
    expect(proven.at(-1)).toMatchObject({ asked: dayNumber('2026-03-17') });
  });

  it('is for a day where both day and instant are named, and says how it was blended', async () => {
    const at = (rest: string) => ask(`/v2/convert/EUR/USD?amount=3&expand=receipt${rest}`);
    expect((await at(`&date=2026-03-18&as_of=${FIRST}`)).cacheControl).toBe(PAST);
    for (const moving of ['', '&date=2026-03-18', `&as_of=${FIRST}`])
      expect((await at(moving)).cacheControl).toBe(
        'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400',
      );
    expect(await at('')).toMatchObject({
      headers: { 'x-blend-method': '2' },
      vary: ['accept'],
      dataVersion: '2',
      type: 'application/json; charset=utf-8',
    });
  });

  it('has a tag of its own for its data, its day, its amount and its form', async () => {
    const target = '/v2/convert/EUR/USD?amount=3&expand=receipt';
    const found = await Promise.all([
      ask(target),
      nextDay.ask(target),
      before.ask(target),
      ask(target.replace('3', '4')),
      ask(`${target}&date=2026-03-18`),
      ask(`${target}&date=2026-03-18&when=before`),
      ask(`${target}&as_of=${FIRST}`),
      ask(`${target}&providers=ECB`),
      ask(target, { headers: { accept: 'text/csv' } }),
      ask('/v2/convert/EUR/USD?amount=3'),
    ]);
    const tags = found.map(({ tag }) => tag);
    expect(tags).not.toContain(undefined);
    expect(new Set(tags).size).toBe(tags.length);
  });
});
