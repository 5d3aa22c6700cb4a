import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { CHUNK_BYTES } from '../../../../src/rates/encoding/row-encoder.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { openRoutes } from './in-process.js';

const THEN = [
  'ECB 2026-02-27 EUR/USD 1.1537',
  'BOE 2026-02-27 GBP/USD 1.3309',
  'ECB 2026-03-02 EUR/GBP 0.8712',
  'ECB 2026-03-02 EUR/USD 1.1546',
  'ECB 2026-03-03 EUR/CHF 0.9123',
  'BOE 2026-03-03 GBP/USD 1.3411',
  'HMRC 2026-03-01 GBP/USD 1.35',
];
const FIRST = '2026-03-04T16:00:00Z';
const { ask, json } = openRoutes({
  recorded: [
    { at: FIRST, rows: THEN },
    { at: '2026-03-09T09:00:00Z', rows: [...THEN, 'ECB 2026-03-05 EUR/USD 1.2'] },
  ],
  now: '2026-03-10T12:00:00Z',
});

interface Row {
  date: string;
  base: string;
  quote: string;
  rate: number;
}
type Prices = Record<string, number>;

describe('shape=object', () => {
  it('is an object of the rates of a day, or of the newest, with the date of the newest of them', async () => {
    expect((await ask('/v2/rates?shape=object&date=2026-03-02&providers=ECB')).text).toBe(
      '{"base":"EUR","date":"2026-03-02","rates":{"EUR":1,"GBP":0.8712,"USD":1.1546}}',
    );
    expect(await json('/v2/rates.json?shape=OBJECT&quotes=USD,CHF')).toEqual({
      base: 'EUR',
      date: '2026-03-05',
      rates: { CHF: 0.9123, USD: 1.2 },
    });
    expect(await json('/v2/rates?shape=object&quotes=KPW')).toEqual({ base: 'EUR', date: null, rates: {} });
    expect((await ask('/v2/rates?shape=object')).headers).toEqual({ 'x-rates-as-of': '2026-03-05' });
  });

  it('is one by date of a range, and by period of its groups', async () => {
    const range = 'from=2026-03-02&to=2026-03-04&providers=ECB';
    expect((await ask(`/v2/rates?shape=object&quotes=GBP,USD,CHF&${range}`)).text).toBe(
      '{"base":"EUR","start_date":"2026-03-02","end_date":"2026-03-04","rates":{"2026-03-02":{"GBP":0.8712,"USD":1.1546},"2026-03-03":{"CHF":0.9123}}}',
    );
    expect(await json(`/v2/rates?shape=object&quotes=USD&group=month&from=2026-02-01&providers=ECB`)).toEqual(
      {
        base: 'EUR',
        start_date: '2026-02-01',
        end_date: '2026-03-10',
        rates: { '2026-02-01': { USD: 1.1537 }, '2026-03-01': { USD: expect.any(Number) } },
      },
    );
    expect((await ask('/v2/rates?shape=object&quotes=KPW&from=2026-03-01&to=2026-03-02')).text).toBe(
      '{"base":"EUR","start_date":"2026-03-01","end_date":"2026-03-02","rates":{}}',
    );
  });

  it('is that of a provider, and marks minor units', async () => {
    expect(await json('/v2/providers/ECB/rates?shape=object&quotes=GBX&date=2026-03-02')).toEqual({
      base: 'EUR',
      minor_units: { GBX: { currency: 'GBP', per_unit: 100 } },
      date: '2026-03-02',
      rates: { GBX: 87.12 },
    });
  });
});

describe('shape=v1', () => {
  it('is a day in the form of the older API: without the base, and a 404 without rates', async () => {
    expect((await ask('/v2/rates?shape=v1&date=2026-03-02&providers=ECB')).text).toBe(
      (await ask('/v1/2026-03-02')).text,
    );
    expect((await ask('/v2/rates?shape=v1&date=2026-03-02&providers=ECB')).text).toBe(
      '{"amount":1,"base":"EUR","date":"2026-03-02","rates":{"GBP":0.8712,"USD":1.1546}}',
    );
    for (const query of ['quotes=KPW', 'quotes=EUR', 'quotes=EUR&from=2026-03-02', 'from=2026-03-06'])
      expect([query, await ask(`/v2/rates?shape=v1&${query}`)]).toEqual([
        query,
        expect.objectContaining({
          status: 404,
          message: 'not found: there are no rates of these currencies and days',
        }),
      ]);
  });

  it('is an interval with the first and the last day that there are', async () => {
    const range = '2026-02-27..2026-03-08';
    const [from, to] = range.split('..');
    const interval = await json(`/v2/rates?shape=v1&from=${from}&to=${to}&providers=ECB`);
    expect(interval).toEqual(await json(`/v1/${range}`));
    expect(Object.keys(interval)).toEqual(['amount', 'base', 'start_date', 'rates', 'end_date']);
    expect(interval).toMatchObject({ start_date: '2026-02-27', end_date: '2026-03-05' });
  });
});

describe('the rates of an object', () => {
  const codes = fc.constantFrom('EUR', 'USD', 'GBP', 'CHF', 'GBX', 'XOF', 'KPW');
  const days = fc.integer({ min: dayNumber('2026-02-20'), max: dayNumber('2026-03-12') }).map(fromDayNumber);
  const when = fc.oneof(
    fc.constant(''),
    days.map((date) => `date=${date}`),
    fc.tuple(days, fc.constantFrom('before', 'next')).map(([date, pick]) => `date=${date}&when=${pick}`),
    fc
      .tuple(days, days, fc.constantFrom('', '&fill=forward', '&group=week', '&group=month', '&group=range'))
      .map(([one, other, rest]) => {
        const [from, to] = [one, other].sort();
        return `from=${from}&to=${to}${rest}`;
      }),
  );
  const query = fc
    .record({
      base: codes,
      quotes: fc.option(
        fc.uniqueArray(codes, { minLength: 1 }).map((list) => list.join()),
        { nil: undefined },
      ),
      providers: fc.constantFrom(undefined, 'ECB', 'ECB,BOE'),
      precision: fc.constantFrom(undefined, 'full'),
      as_of: fc.constantFrom(undefined, FIRST),
    })
    .map((parameters) =>
      Object.entries(parameters).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${value}`],
      ),
    );

  it('are those of the rows, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(query, when, async (parameters, when) => {
        const asked = [...parameters, when].join('&');
        const rows = await json<Row[]>(`/v2/rates?${asked}`);
        const isRange = when.startsWith('from');
        const byDate: Record<string, Prices> = {};
        for (const { date, quote, rate } of rows) byDate[date] = { ...byDate[date], [quote]: rate };
        const found = await json<{ date: string | null; rates: object }>(`/v2/rates?shape=object&${asked}`);
        const all = Object.assign({}, ...Object.values(byDate)) as Prices;
        const codes = Object.keys(all).sort();
        if (isRange) expect(JSON.stringify(found.rates)).toBe(JSON.stringify(byDate));
        else {
          expect(Object.entries(found.rates)).toEqual(codes.map((code) => [code, all[code]]));
          expect(found.date).toBe(rows.at(-1)?.date ?? null);
        }
        const base = asked.match(/base=(\w+)/)?.[1] ?? '';
        const v1 = await ask(`/v2/rates?shape=v1&${asked}`);
        const others = rows.filter(({ quote }) => quote !== base);
        expect(v1.status).toBe(others.length > 0 ? 200 : 404);
        if (v1.status === 404) return;
        const { rates, ...head } = JSON.parse(v1.text) as { rates: Record<string, Prices> } & Record<
          string,
          string
        >;
        const listed = isRange
          ? Object.entries(rates).flatMap(([date, prices]) =>
              Object.entries(prices).map((one) => [date, ...one]),
            )
          : Object.entries(rates);
        expect(listed).toEqual(
          isRange
            ? others.map(({ date, quote, rate }) => [date, quote, rate])
            : codes.filter((code) => code !== base).map((code) => [code, all[code]]),
        );
        if (isRange) expect([head.start_date, head.end_date]).toEqual([others[0]?.date, others.at(-1)?.date]);
        else
          expect(head.date).toBe(
            others
              .map(({ date }) => date)
              .sort()
              .at(-1),
          );
      }),
      propertyRuns(1_000),
    );
  });

  it.each(['', '&providers=ECB', '&providers=ECB,BOE'])('of a long range are streamed%s', async (source) => {
    const rows = Array.from(
      { length: 14_000 },
      (_, index) => `ECB ${fromDayNumber(6_000 + index)} EUR/USD ${(1 + index / 10_000).toFixed(4)}`,
    );
    const { ask, json } = openRoutes({ recorded: [{ at: FIRST, rows }], now: '2026-03-10T12:00:00Z' });
    const asked = `from=1986-01-01&to=2026-03-01${source}`;
    for (const shape of ['object', 'v1']) {
      const { isStream, text } = await ask(`/v2/rates?shape=${shape}&${asked}`);
      expect([isStream, text.length > CHUNK_BYTES]).toEqual([true, true]);
      const { rates } = JSON.parse(text) as { rates: Record<string, Prices> };
      expect(Object.entries(rates).map(([date, { USD }]) => `${date} ${USD}`)).toEqual(
        (await json<Row[]>(`/v2/rates?quotes=USD&${asked}`)).map(({ date, rate }) => `${date} ${rate}`),
      );
    }
  });
});

describe('a shape', () => {
  const csv = { headers: { accept: 'text/csv' } };
  it.each([
    ['/v2/rates.csv?shape=object', {}, 'shape=object is JSON: leave out .csv, or accept application/json'],
    ['/v2/rates.ndjson?shape=v1', {}, 'shape=v1 is JSON: leave out .ndjson, or accept application/json'],
    ['/v2/rates?shape=object', csv, 'shape=object is JSON: leave out .csv, or accept application/json'],
    ['/v2/rates?shape=v1&expand=providers', {}, 'expand is for rows: leave it out with shape=v1'],
    [
      `/v2/rates?shape=object&updated_after=${FIRST}`,
      {},
      'updated_after is for rows: leave it out with shape=object',
    ],
    ['/v2/rates?shape=objects', {}, 'shape must be object or v1, not objects (did you mean object?)'],
    ['/v2/rate/EUR/USD?shape=object', {}, expect.stringMatching(/^unknown parameter: shape/)],
  ])('is refused: %s', async (target, request, message) => {
    expect(await ask(target, request)).toMatchObject({ status: 422, message });
  });

  it('has a tag of its own', async () => {
    const targets = ['', '?shape=object', '?shape=v1'].map((query) => `/v2/rates${query}`);
    const tags = await Promise.all(targets.map(async (target) => (await ask(target)).tag));
    expect(new Set(tags).size).toBe(3);
  });
});
