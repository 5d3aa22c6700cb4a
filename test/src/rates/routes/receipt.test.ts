import { describe, expect, it } from 'vitest';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import { METHOD } from '../../../support/rates.js';
import { answers, shown } from './golden.js';
import { openRoutes } from './in-process.js';

const FIRST = '2026-03-18T16:00:00Z';
const SECOND = '2026-03-20T09:00:00Z';
const PIN = 'as_of=2026-03-20T09:00:00.000Z&expand=receipt';
const THEN = [
  ...['ECB 2026-03-02 EUR/USD 1.1', 'ECB 2026-03-17 EUR/USD 1.2', 'BOC 2026-03-18 EUR/USD 1.345678'],
  ...['BOC 2026-03-18 EUR/CAD 1.6', 'BCEAO 2026-03-18 EUR/XOF 655.957', 'HMRC 2026-03-01 GBP/USD 1.3'],
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

const prove = (target: string) =>
  json<{ receipt: { url: string } }>(`${target}${target.includes('?') ? '&' : '?'}expand=receipt`);

describe('an answer with its receipt', () => {
  it.each([
    ...['/v2/rate/USD/EUR', '/v2/rate/EUR/XOF', '/v2/rate/USD/XOF', '/v2/rate/EUR/USD?providers=ECB'],
    // Of more digits than are shown of other rates; the euro is not published on the newest day.
    ...['/v2/rate/EUR/BAM', '/v2/rate/EUR/BAM?date=2026-03-18', '/v2/rate/USD/CAD?date=2026-03-19'],
    ...['/v2/rate/EUR/USD?date=2026-03-17&when=before', '/v2/rate/EUR/BAM?date=2026-03-10&when=next'],
    ...['', '&providers=ECB', '&providers=BOC,ECB', `&as_of=${FIRST}`].map(
      (rest) => `/v2/rate/EUR/USD?date=2026-03-10&when=next${rest}`,
    ),
    ...['/v2/rate/GBP/USD?providers=HMRC&date=2026-02-20&when=next', '/v2/rate/USD/UAH?providers=NBU'],
    ...['/v2/rate/USD/EUR?providers=BOC&precision=full', `/v2/rate/EUR/USD?providers=ECB&as_of=${FIRST}`],
    ...['', '&date=2026-03-18&when=before', '&date=2026-03-10&when=next', `&as_of=${FIRST}`].map(
      (rest) => `/v2/convert/EUR/USD?amount=3${rest}`,
    ),
    ...['/v2/convert/EUR/USD?amount=1250.50&providers=ECB,BOC', '/v2/rate/EUR/USD?providers=BOC,ECB'],
  ])('is the one without it, and so is that at its address: %s', async (target) => {
    const { receipt, ...row } = await prove(target);
    expect(row).toEqual(await json(target));
    expect(await json(receipt.url)).toEqual({ ...row, receipt });
  });

  it('says that a rate is suspect, but for a table', async () => {
    const target = '/v2/rate/USD/UAH?providers=NBU';
    expect(await shown(routes, target)).toBe('2026-03-18 USD/UAH 41.5 suspect=true reason=jump');
    const textIn = async (accept: string, rest = '') =>
      (await ask(`${target}&expand=receipt${rest}`, { headers: { accept } })).text;
    const csv = await textIn('text/csv');
    expect(csv).toMatch(/^date,base,quote,rate,receipt\n2026-03-18,USD,UAH,41.5,"/);
    expect(`date,base,quote,rate,receipt\n${await textIn('text/csv', '&header=off')}`).toBe(csv);
    expect(await textIn('application/x-ndjson')).toMatch(/^\{"date":"2026-03-18",.*\}\n$/);
  });

  it.each([
    ['/v2/rate/eur/usd', `/v2/rate/EUR/USD?date=2026-03-21&${PIN}`],
    [
      '/v2/rate/EUR/USD?date=2026-03-18&precision=full&providers=boc,ECB',
      `/v2/rate/EUR/USD?providers=BOC,ECB&precision=full&date=2026-03-18&${PIN}`,
    ],
    [
      '/v2/rate/EUR/USD?as_of=2026-03-19T00:00:00Z',
      '/v2/rate/EUR/USD?date=2026-03-18&as_of=2026-03-18T16:00:00.000Z&expand=receipt',
    ],
    ['/v2/providers/ecb/rate/EUR/USD', `/v2/rate/EUR/USD?providers=ECB&date=2026-03-21&${PIN}`],
    [
      '/v2/convert/eur/usd?amount=3&date=2026-03-18&when=before&providers=ecb,boc',
      `/v2/convert/EUR/USD?amount=3&providers=BOC,ECB&date=2026-03-18&when=before&${PIN}`,
    ],
  ])('has an address with the day and the instant, and what else was asked for: %s', async (target, url) => {
    expect((await prove(target)).receipt.url).toBe(url);
  });

  it.each([
    ['', routes, '2026-03-21'],
    ['', nextDay, '2026-03-22'],
    ['', before, '2026-03-18'],
    ['&as_of=2026-03-19T00:00:00Z', routes, '2026-03-18'],
    ['&providers=ECB', nextDay, '2026-03-22'],
    ['&providers=ECB,BOC', routes, '2026-03-21'],
    ['&providers=ECB,BOC&as_of=2026-03-19T00:00:00Z', routes, '2026-03-18'],
    ['&date=2026-03-10', routes, '2026-03-10'],
  ])('is of the newest day up to tomorrow among the rates that were known%s', async (rest, each, day) => {
    expect(await each.ask(`/v2/rate/EUR/USD?expand=receipt${rest}`)).toMatchObject({
      headers: { 'x-blend-method': METHOD, 'x-rates-as-of': day },
    });
  });

  it('is proven by what it was found among', async () => {
    proven.length = 0;
    await prove('/v2/rate/USD/CAD?date=2026-03-19&providers=BOC');
    await prove('/v2/convert/EUR/USD?amount=3&date=2026-03-18&when=before');
    await prove('/v2/rate/EUR/USD?date=2026-03-10&when=next');
    const [first] = proven;
    expect(first).toMatchObject({ base: 'USD', quote: 'CAD', providers: ['BOC'] });
    expect(first?.snapshot.knownAt).toBe(Date.parse(SECOND));
    const days = proven.map(({ asked, found }) => [asked, found.day].map(fromDayNumber).join());
    expect(days).toEqual(['2026-03-19,2026-03-18', '2026-03-17,2026-03-17', '2026-03-17,2026-03-17']);
    expect([...(first?.columns.byQuote.keys() ?? [])].sort()).toEqual(['CAD', 'EUR', 'USD']);
  });

  it('is proven by the newest snapshot itself where nothing has changed since', async () => {
    proven.length = 0;
    for (const rest of ['', `?as_of=${SECOND}`, '?providers=ECB', `?as_of=${FIRST}`])
      await prove(`/v2/rate/EUR/USD${rest}`);
    expect(proven.map(({ snapshot }) => snapshot.past !== undefined)).toEqual([false, false, false, true]);
  });

  const alone = '422 expand: expand=receipt stands alone: leave out the other words, and .txt';
  answers(routes, {
    '/v2/rate/EUR/USD?expand=receipt,quality': alone,
    '/v2/rate/EUR/USD.txt?expand=receipt': alone,
  });
});
