import { beforeAll, describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { HttpError } from '../../../../src/http/errors.js';
import { encodePricesByDate } from '../../../../src/rates/encoding/prices-by-date.js';
import { CHUNK_BYTES } from '../../../../src/rates/encoding/row-encoder.js';
import { providerRatesOf } from '../../../../src/rates/sources/provider-rates.js';
import { type EcbDays, ecbDaysOf } from '../../../../src/rates/v1/ecb-days.js';
import { type V1Query, v1Query } from '../../../../src/rates/v1/query.js';
import { dayReply, daysFor, intervalReply } from '../../../../src/rates/v1/replies.js';
import { row, tableOf } from '../sources/in-memory.js';

let ecb: EcbDays;
beforeAll(() => {
  ecb = ecbDaysOf(
    providerRatesOf(
      tableOf([
        row('ECB 2026-03-02 EUR/CHF 0.91'),
        row('ECB 2026-03-02 EUR/USD 1.1512'),
        row('ECB 2026-03-16 EUR/USD 1.1523'),
        row('ECB 2026-03-16 EUR/GBP 0.86412'),
        row('ECB 2026-03-17 EUR/USD 1.1601'),
        row('ECB 2026-04-10 EUR/USD 1.2'),
        row('ECB 2026-04-10 EUR/JPY 183.41'),
      ]),
      'EUR',
      undefined,
    ),
  );
});

const QUERY: V1Query = { amount: 1, base: 'EUR', symbols: undefined, namesBase: false };
const day = (date: string) => dayNumber(date);

function fault(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof HttpError)
      return `${error.status} ${error.message} (${error.parameters.map(({ parameter }) => parameter)})`;
    throw error;
  }
  throw new Error('there was no fault');
}

const noRatesOf = (codes: string) => `404 not found: the ECB has no rates of ${codes} on 2026-03-16 ()`;

describe('a day of /v1', () => {
  it('is the last publication of the fourteen days up to it', () => {
    const dateOf = (date: string) => dayReply(ecb, QUERY, day(date)).date;
    expect([dateOf('2026-03-02'), dateOf('2026-03-15'), dateOf('2026-03-16')]).toEqual([
      '2026-03-02',
      '2026-03-02',
      '2026-03-16',
    ]);
    expect(dateOf('2026-03-31')).toBe('2026-03-17');
    const tooFar = (date: string) => fault(() => dayReply(ecb, QUERY, day(date)));
    expect(tooFar('2026-04-01')).toBe(
      '404 not found: the ECB has published nothing in the 14 days up to 2026-04-01 ()',
    );
    expect(tooFar('2026-03-01')).toBe('404 not found: the first rates of the ECB are of 2026-03-02 ()');
  });

  it('is the newest where none is asked for, and of no day too long after it', () => {
    for (const at of [Number.POSITIVE_INFINITY, day('2026-04-24'), day('2026-04-10')]) {
      expect(dayReply(ecb, QUERY, at).date).toBe('2026-04-10');
    }
    expect(fault(() => dayReply(ecb, QUERY, day('2026-04-25')))).toBe(
      '404 not found: the ECB has published nothing in the 14 days up to 2026-04-25 ()',
    );
    const empty = ecbDaysOf(providerRatesOf(tableOf([]), 'EUR', undefined));
    expect(fault(() => dayReply(empty, QUERY, Number.POSITIVE_INFINITY))).toBe(
      '404 not found: there are no rates of the ECB yet ()',
    );
  });

  it('has what was quoted on it, without the base, in the digits of the bank for one euro', () => {
    expect(dayReply(ecb, QUERY, day('2026-03-16'))).toEqual({
      amount: 1,
      base: 'EUR',
      date: '2026-03-16',
      rates: { GBP: 0.86412, USD: 1.1523 },
    });
    expect(dayReply(ecb, { ...QUERY, symbols: ['USD', 'CHF'] }, day('2026-03-16')).rates).toEqual({
      USD: 1.1523,
    });
  });

  it('has other amounts and bases rounded once, for display', () => {
    expect(dayReply(ecb, { ...QUERY, amount: 10 }, day('2026-03-16')).rates).toEqual({
      GBP: 8.6412,
      USD: 11.523,
    });
    expect(dayReply(ecb, { ...QUERY, base: 'USD' }, day('2026-03-16')).rates).toEqual({
      EUR: 0.86783,
      GBP: 0.74991,
    });
    expect(dayReply(ecb, { ...QUERY, base: 'USD', amount: 100 }, day('2026-03-16')).rates).toEqual({
      EUR: 86.78,
      GBP: 74.991,
    });
  });

  it('is not there where the base was not quoted, or none of the symbols', () => {
    expect(fault(() => dayReply(ecb, { ...QUERY, base: 'CHF' }, day('2026-03-16')))).toBe(noRatesOf('CHF'));
    expect(fault(() => dayReply(ecb, { ...QUERY, base: 'NOK' }, day('2026-03-16')))).toBe(noRatesOf('NOK'));
    expect(fault(() => dayReply(ecb, { ...QUERY, symbols: ['CHF', 'NOK'] }, day('2026-03-16')))).toBe(
      noRatesOf('CHF, NOK'),
    );
    expect(fault(() => dayReply(ecb, { ...QUERY, symbols: [] }, day('2026-03-16')))).toBe(
      '404 not found: symbols names no currency ()',
    );
  });

  it('refuses a base that is the only symbol where it is named', () => {
    const own = { ...QUERY, symbols: ['EUR'], namesBase: true };
    expect(fault(() => dayReply(ecb, own, day('2026-03-16')))).toBe(
      '422 bad currency pair: base and symbols are both EUR (symbols)',
    );
    expect(fault(() => dayReply(ecb, { ...own, namesBase: false }, day('2026-03-16')))).toBe(
      noRatesOf('EUR'),
    );
    expect(dayReply(ecb, { ...own, symbols: ['EUR', 'USD'] }, day('2026-03-16')).rates).toEqual({
      USD: 1.1523,
    });
    expect(fault(() => intervalReply(ecb, own, { from: 0, to: 1 }))).toBe(
      '422 bad currency pair: base and symbols are both EUR (symbols)',
    );
  });
});

describe('an interval of /v1', () => {
  const dates = (from: string, to: string, query = QUERY) =>
    [...intervalReply(ecb, query, { from: day(from), to: day(to) }).rates].map(([date]) => date);

  it('has the days of publication up to its end, from the last on or before its first day on', () => {
    expect(dates('2026-03-02', '2026-03-16')).toEqual(['2026-03-02', '2026-03-16']);
    expect(dates('2026-03-15', '2026-03-16')).toEqual(['2026-03-02', '2026-03-16']);
    expect(dates('2026-03-16', '2026-03-16')).toEqual(['2026-03-16']);
    expect(dates('2026-03-03', '2026-03-15')).toEqual(['2026-03-02']);
    expect(dates('2026-02-01', '2026-03-02')).toEqual(['2026-03-02']);
    // More than fourteen days after the last publication it begins with the next one.
    expect(dates('2026-04-01', '2026-04-30')).toEqual(['2026-04-10']);
    expect(dates('2026-03-31', '2026-04-30')).toEqual(['2026-03-17', '2026-04-10']);
  });

  it('names the first and the last day that it has', async () => {
    const interval = intervalReply(
      ecb,
      { ...QUERY, amount: 2, symbols: ['USD'] },
      { from: day('2026-03-16'), to: day('2026-04-01') },
    );
    const chunks: Buffer[] = [];
    for await (const chunk of encodePricesByDate(interval, () => undefined)) chunks.push(chunk);
    expect(JSON.parse(chunks.join(''))).toEqual({
      amount: 2,
      base: 'EUR',
      start_date: '2026-03-16',
      end_date: '2026-03-17',
      rates: { '2026-03-16': { USD: 2.3046 }, '2026-03-17': { USD: 2.3202 } },
    });
  });

  it('is written in chunks, and others may go first between its dates', async () => {
    const rates = Array.from(
      { length: 50_000 },
      (_, index) => [fromDayNumber(index), { USD: index, ZAR: 1 }] as const,
    );
    const head = { amount: 1, base: 'EUR', start_date: '1970-01-01', end_date: fromDayNumber(49_999) };
    const chunks: Buffer[] = [];
    let turns = 0;
    const yieldNow = () => {
      turns++;
      return undefined;
    };
    for await (const chunk of encodePricesByDate({ ...head, rates }, yieldNow)) chunks.push(chunk);
    expect(JSON.parse(chunks.join(''))).toEqual({ ...head, rates: Object.fromEntries(rates) });
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.length).toBeLessThan(CHUNK_BYTES + 100);
    expect(turns).toBeGreaterThanOrEqual(50_000);
  });

  it('leaves out days on which the base or the symbols were not quoted', () => {
    expect(dates('2026-03-02', '2026-04-30', { ...QUERY, base: 'GBP' })).toEqual(['2026-03-16']);
    expect(dates('2026-03-02', '2026-04-30', { ...QUERY, symbols: ['JPY'] })).toEqual(['2026-04-10']);
  });

  it('is not there without any', () => {
    const at = (from: string, to: string) =>
      fault(() => intervalReply(ecb, QUERY, { from: day(from), to: day(to) }));
    const nothing = '404 not found: the ECB has published nothing of that in this interval ()';
    expect(at('2026-04-02', '2026-04-09')).toBe(nothing);
    expect(at('2026-01-01', '2026-03-01')).toBe(nothing);
  });
});

describe('the currencies of /v1', () => {
  it('are those of the fourteen days up to the newest', () => {
    expect(ecb.newestCurrencies().toSorted()).toEqual(['EUR', 'JPY', 'USD']);
    const rows = [
      row('ECB 2026-03-02 EUR/CHF 0.91'),
      row('ECB 2026-03-03 EUR/GBP 0.86'),
      row('ECB 2026-03-17 EUR/USD 1.2'),
    ];
    const days = ecbDaysOf(providerRatesOf(tableOf(rows), 'EUR', undefined));
    expect(days.newestCurrencies().toSorted()).toEqual(['EUR', 'GBP', 'USD']);
  });
});

describe('the days in a path', () => {
  const daysIn = (text: string) => daysFor(text, day('2026-03-17'));

  it('are one, an interval, or all from one on', () => {
    expect(daysIn('2026-01-02')).toEqual({ date: '2026-01-02' });
    expect(daysIn('2026-01-02..2026-01-06')).toEqual({ from: '2026-01-02', to: '2026-01-06' });
    expect(daysIn('2026-01-02..')).toEqual({ from: '2026-01-02', to: '2026-03-17' });
  });

  it('are the newest where they have not come, and none where they end before they begin', () => {
    expect(daysIn('2026-03-18')).toEqual({});
    expect(fault(() => daysIn('2026-03-18..2026-03-20'))).toBe(
      '404 not found: 2026-03-18 is in the future ()',
    );
    expect(fault(() => daysIn('2026-03-17..2026-03-16'))).toBe(
      '404 not found: 2026-03-17 is after 2026-03-16 ()',
    );
  });

  it.each([
    'soon',
    '2026-1-2',
    'x2026-01-02',
    '2026-01-02x',
    '2026-01-02.',
    '..2026-01-02',
    '2026-01-022026-01-03',
  ])('are not there in %s', (text) =>
    expect(fault(() => daysIn(text))).toMatch(/^404 not found: use \/v1\/latest, .* or \/v2\/rates \(\)$/),
  );

  it.each([
    ['2026-02-30', '2026-02-30'],
    ['2026-01-01..2026-02-30', '2026-02-30'],
    ['2026-13-01..', '2026-13-01'],
  ])('must be days of the calendar, unlike %s', (text, date) =>
    expect(fault(() => daysIn(text))).toBe(`422 invalid date: ${date} is not in the calendar (date)`),
  );
});

describe('a query of /v1', () => {
  const read = (query: string) => v1Query.read(`/v1/latest${query}`);

  it('is for one euro where nothing is said', () => {
    expect(read('')).toEqual(QUERY);
    expect(read('?unknown=1')).toEqual(QUERY);
  });

  it('has codes in any case, with spaces around them', () => {
    expect(read('?base=%20usd&symbols=gbp,%20Jpy,,')).toEqual({
      amount: 1,
      base: 'USD',
      symbols: ['GBP', 'JPY'],
      namesBase: true,
    });
    expect(read('?symbols=')).toMatchObject({ symbols: [] });
  });

  it('takes the last of what is repeated, and the older names before the newer', () => {
    expect(read('?base=USD&base=GBP&symbols=A&symbols=B&amount=2&amount=3')).toMatchObject({
      base: 'GBP',
      symbols: ['B'],
      amount: 3,
    });
    expect(read('?from=USD&base=GBP&to=JPY&symbols=CHF')).toMatchObject({ base: 'USD', symbols: ['JPY'] });
    expect(read('?from=USD')).toMatchObject({ namesBase: true });
  });

  it('has the number that an amount begins with', () => {
    const amount = (text: string) => read(`?amount=${text}`).amount;
    expect([amount('10.5x'), amount('1_000'), amount('1e3'), amount('.5')]).toEqual([
      10.5, 1_000, 1_000, 0.5,
    ]);
    expect(amount('1_000_000')).toBe(1_000_000);
    expect([amount('1__0'), amount('1_x')]).toEqual([1, 1]);
  });

  it.each(['0', '-1', 'x', '', '_1', '1e999'])('refuses the amount %j', (text) => {
    expect(fault(() => read(`?amount=${text}`))).toBe(
      `422 invalid amount: ${text} (write a number above 0) (amount)`,
    );
  });

  it('may have a question mark in a value', () => {
    expect(read('?base=USD&x=a?b&symbols=EUR')).toMatchObject({ base: 'USD', symbols: ['EUR'] });
    expect(read('?symbols=EUR?,USD')).toMatchObject({ symbols: ['EUR?', 'USD'] });
  });
});
