import { describe, expect, it } from 'vitest';
import { openRoutes } from '../routes/in-process.js';

const AT = '2026-03-20T16:00:00Z';
const rows = [
  'ECB 2001-12-03 EUR/DEM 1.95583',
  'ECB 2001-12-03 EUR/USD 0.89',
  'ECB 2001-12-28 EUR/DEM 1.95583',
  'ECB 2001-12-28 EUR/USD 0.88',
  'ECB 2015-03-02 EUR/TRY 2.8',
  'ECB 2015-03-02 EUR/USD 1.12',
  'BOC 2026-03-20 USD/CAD 1.36',
  'ECB 2026-03-20 EUR/TRY 44',
  'ECB 2026-03-20 EUR/USD 1.15',
  'ECB 2020-06-01 EUR/USD 1.11',
  'ECB 2020-06-01 EUR/GBP 0.9',
  'HMRC 2026-03-01 GBP/USD 1.3',
];
const routes = openRoutes({ recorded: [{ at: AT, rows }], now: '2026-03-20T18:00:00Z' });
const messageAt = async (target: string) => (await routes.ask(target)).message;

describe('a pair without a rate', () => {
  it.each([
    ['EUR/DEM', '', 'no rate for EUR/DEM: DEM has rates from 2001-12-03 until 2001-12-28'],
    [
      'EUR/DEM',
      'date=2010-01-01&',
      'no rate for EUR/DEM on 2010-01-01: DEM has rates from 2001-12-03 until 2001-12-28',
    ],
    ['EUR/DEM', 'date=2001-12-02&', 'no rate for EUR/DEM on 2001-12-02: the first is of 2001-12-03'],
    [
      'EUR/TRY',
      'date=2015-03-17&',
      'no rate for EUR/TRY on 2015-03-17: the newest is of 2015-03-02, and a rate counts for 14 days',
    ],
    [
      'EUR/GBP',
      'date=2026-03-20&',
      'no rate for EUR/GBP on 2026-03-20: the newest is of 2020-06-01, and a rate counts for 14 days',
    ],
    ['EUR/KPW', '', 'no rate for EUR/KPW: there are no rates of KPW'],
    ['KPW/EUR', '', 'no rate for KPW/EUR: there are no rates of KPW'],
    ['EUR/CAD', 'providers=ECB&', 'no rate for EUR/CAD: there are no rates of CAD from ECB'],
    ['GBP/CAD', '', 'no rate for GBP/CAD: the two have no rates of the same time'],
    [
      'EUR/USD',
      'providers=ECB,BOC&date=2010-01-01&',
      'no rate for EUR/USD on 2010-01-01: there is none in the 14 days up to then',
    ],
    [
      'GBP/USD',
      'providers=HMRC&date=2010-01-01&',
      'no rate for GBP/USD on 2010-01-01: none is set that is valid then',
    ],
    [
      'EUR/TRY',
      `date=2015-03-17&as_of=${AT}&`,
      'no rate for EUR/TRY on 2015-03-17: there is none in the 14 days up to then',
    ],
  ])('is told when there is one, the same on each route: %s %s', async (pair, query, message) => {
    expect(await messageAt(`/v2/rate/${pair}?${query}`)).toBe(message);
    expect(await messageAt(`/v2/rate/${pair}.txt?${query}`)).toBe(message);
    expect(await messageAt(`/v2/rate/${pair}?${query}expand=receipt`)).toBe(message);
    expect(await messageAt(`/v2/convert/${pair}?${query}amount=1`)).toBe(message);
  });

  it('before a day has the day', async () => {
    expect(await messageAt('/v2/convert/EUR/DEM?amount=1&when=before&date=2001-12-03')).toBe(
      'no rate for EUR/DEM before 2001-12-03: the first is of 2001-12-03',
    );
  });

  it('has no rate yet where there are none at all', async () => {
    const empty = openRoutes({ recorded: [{ at: AT, rows: [] }], now: '2026-03-20T18:00:00Z' });
    expect((await empty.ask('/v2/rate/EUR/USD')).message).toBe('no rate for EUR/USD: there are no rates yet');
  });
});

describe('ten thousand lines without a rate', () => {
  const convert = async (lines: readonly object[]) => {
    const { text } = await routes.ask('/v2/convert', { body: JSON.stringify(lines) });
    return (JSON.parse(text) as { error: string }[]).map(({ error }) => error);
  };
  const dayOf = (index: number) => new Date(Date.UTC(1900, 0, 1 + index)).toISOString().slice(0, 10);

  it('of different days are explained a hundred times', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => ({
      amount: 1,
      base: 'EUR',
      quote: 'USD',
      date: dayOf(index),
    }));
    const errors = await convert(lines);
    expect(errors[99]).toBe(`no rate for EUR/USD on ${dayOf(99)}: the first is of 2001-12-03`);
    expect(errors[100]).toBe(`no rate for EUR/USD on ${dayOf(100)}`);
    expect(errors.filter((error) => error.includes(': '))).toHaveLength(100);
  });

  it('of different wrong codes have a hint twenty times', async () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const codes = Array.from({ length: 10_000 }, (_, index) => `EU${letters[index % 26]}${index}`);
    const errors = await convert([
      { amount: 1, base: 'EU', quote: 'USD' },
      ...codes.slice(1).map((base) => ({ amount: 1, base, quote: 'USD' })),
    ]);
    expect(errors[0]).toBe('invalid currency: EU (did you mean EUR?)');
    expect(errors.filter((error) => error.includes('did you mean')).length).toBeLessThanOrEqual(20);
    expect(errors.at(-1)).toBe(`invalid currency: ${codes.at(-1)}`);
  });
});
