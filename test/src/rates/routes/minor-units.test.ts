import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { roundForDisplay } from '../../../../core/domain/rounding.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { openRoutes } from './in-process.js';

const THEN = [
  'ECB 2026-02-27 EUR/GBP 0.86693',
  'ECB 2026-02-27 EUR/USD 1.1537',
  'BOE 2026-02-27 GBP/USD 1.3309',
  'ECB 2026-03-02 EUR/GBP 0.8712',
  'ECB 2026-03-02 EUR/USD 1.1698',
  'ECB 2026-03-02 EUR/ZAR 19.1234',
  'ECB 2026-03-03 EUR/ILS 3.6127',
  'BOE 2026-03-03 GBP/USD 1.3411',
  'HMRC 2026-03-01 GBP/USD 1.35',
];
const FIRST = '2026-03-04T16:00:00Z';
const { ask, json } = openRoutes({
  recorded: [
    { at: FIRST, rows: THEN },
    {
      at: '2026-03-09T09:00:00Z',
      rows: [...THEN, 'ECB 2026-03-05 EUR/GBP 0.88', 'ECB 2026-03-05 EUR/USD 1.2'],
    },
  ],
  now: '2026-03-10T12:00:00Z',
});

const GBX = { GBX: { currency: 'GBP', per_unit: 100 } };
const CURRENCY: Readonly<Record<string, string>> = { GBX: 'GBP', ILA: 'ILS', ZAC: 'ZAR' };
const DAY = 'date=2026-03-02&providers=ECB';

interface Row {
  date: string;
  base: string;
  quote: string;
  rate: number | null;
  minor_units?: object;
  observed?: string;
  quality?: object;
  providers?: { key: string; rate: number }[];
}
interface Converted {
  base: string;
  quote: string;
  rate: number;
  result: string;
}

describe('a minor unit as a quote or a base', () => {
  it('costs a hundred times as much, or a hundredth, and is marked', async () => {
    expect((await ask(`/v2/rate/EUR/GBX?${DAY}`)).text).toBe(
      '{"date":"2026-03-02","base":"EUR","quote":"GBX","rate":87.12,"minor_units":{"GBX":{"currency":"GBP","per_unit":100}}}',
    );
    expect(await json(`/v2/rate/gbx/usd?date=2026-03-03&providers=BOE`)).toEqual({
      date: '2026-03-03',
      base: 'GBX',
      quote: 'USD',
      rate: 0.013411,
      minor_units: GBX,
    });
    expect((await ask(`/v2/rate/EUR/GBX.txt?${DAY}`)).text).toBe('87.12');
    expect(await json(`/v2/rate/GBX/GBP?${DAY}`)).toMatchObject({ rate: 0.01 });
    expect(await json(`/v2/rate/GBX/GBX?${DAY}`)).toMatchObject({ rate: 1 });
    expect(await json(`/v2/rate/ZAC/GBX?${DAY}&precision=full`)).toMatchObject({
      rate: (await json<Row>(`/v2/rate/ZAR/GBP?${DAY}&precision=full`)).rate,
      minor_units: { ...GBX, ZAC: { currency: 'ZAR', per_unit: 100 } },
    });
  });

  it('stands among the rows in its order, and marks its own alone', async () => {
    expect(await json(`/v2/rates?quotes=usd,GBX,GBP&${DAY}`)).toEqual([
      { date: '2026-03-02', base: 'EUR', quote: 'GBP', rate: 0.8712 },
      { date: '2026-03-02', base: 'EUR', quote: 'GBX', rate: 87.12, minor_units: GBX },
      { date: '2026-03-02', base: 'EUR', quote: 'USD', rate: 1.1698 },
    ]);
    const all = await json<Row[]>(`/v2/rates?base=GBX&${DAY}`);
    expect(all.map(({ quote }) => quote)).toEqual(['EUR', 'GBP', 'GBX', 'USD', 'ZAR']);
    expect(all.map(({ minor_units }) => minor_units)).toEqual(Array(5).fill(GBX));
    expect((await json<Row[]>('/v2/rates')).map(({ quote }) => quote)).not.toContain('GBX');
  });

  it('has a tag of its own', async () => {
    const targets = ['GBX', 'GBP', 'GBP,GBX'].map((quotes) => `/v2/rates?quotes=${quotes}`);
    const tags = await Promise.all(targets.map(async (target) => (await ask(target)).tag));
    expect(new Set(tags).size).toBe(3);
  });

  it('is a row in every format', async () => {
    const query = `quotes=GBX&${DAY}`;
    expect((await ask(`/v2/rates.csv?${query}`)).text).toBe(
      'date,base,quote,rate\n2026-03-02,EUR,GBX,87.12\n',
    );
    expect((await ask(`/v2/rates.ndjson?${query}`)).text).toBe(
      '{"date":"2026-03-02","base":"EUR","quote":"GBX","rate":87.12,"minor_units":{"GBX":{"currency":"GBP","per_unit":100}}}\n',
    );
  });

  it('is named in the error of a pair without a rate', async () => {
    expect(await ask('/v2/rate/EUR/ZAC?date=2026-02-27')).toMatchObject({
      status: 404,
      message: 'no rate for EUR/ZAC on 2026-02-27: the first is of 2026-03-02',
    });
    expect(await ask('/v2/convert/EUR/ILA?amount=1&providers=BOE')).toMatchObject({
      status: 404,
      message: 'no rate for EUR/ILA: there are no rates of EUR from BOE',
    });
  });

  it('is what has changed since an instant, and what is gone', async () => {
    const changed = await json<Row[]>(
      `/v2/rates?quotes=GBX,USD&from=2026-03-05&providers=ECB&updated_after=${FIRST}`,
    );
    expect(changed).toEqual([
      { date: '2026-03-05', base: 'EUR', quote: 'GBX', rate: 88, minor_units: GBX },
      { date: '2026-03-05', base: 'EUR', quote: 'USD', rate: 1.2 },
    ]);
    const earlier = { at: FIRST, rows: THEN };
    const later = {
      at: '2026-03-09T09:00:00Z',
      rows: THEN.filter((row) => !row.includes('ECB 2026-03-02 EUR/GBP')),
    };
    const restated = openRoutes({ recorded: [earlier, later], now: '2026-03-10T12:00:00Z' });
    expect(
      await restated.json(`/v2/rates?quotes=GBX&from=2026-03-02&to=2026-03-02&updated_after=${FIRST}`),
    ).toEqual([{ date: '2026-03-02', base: 'EUR', quote: 'GBX', rate: null, minor_units: GBX }]);
  });
});

describe('rows with minor units', () => {
  const queries = [
    '',
    'date=2026-03-01',
    'date=2026-02-28&when=next',
    'from=2026-02-01',
    'from=2026-02-27&fill=forward',
    'from=2026-02-01&group=week',
    'from=2026-02-01&group=month',
    'from=2026-01-01&group=year',
    `from=2026-02-01&as_of=${FIRST}`,
    `as_of=${FIRST}`,
    `from=2026-02-01&updated_after=${FIRST}`,
    'from=2026-02-01&expand=providers',
    'expand=providers,quality',
    'from=2026-02-01&providers=ECB,BOE',
    'from=2026-02-01&providers=ECB&expand=providers',
    'from=2026-02-01&group=quarter&providers=BOE',
  ];
  const sides = [
    ['EUR', 'GBX', 100],
    ['USD', 'ZAC', 100],
    ['GBX', 'USD', 0.01],
    ['ILA', 'EUR', 0.01],
    ['ZAC', 'GBX', 1],
  ] as const;

  it.each(queries.flatMap((query) => sides.map((side) => ({ query, side }))))(
    'are those of their currencies: $query $side',
    async ({ query, side: [base, quote, factor] }) => {
      const rowsOf = (one: string, other: string) =>
        json<Row[]>(`/v2/rates?base=${one}&quotes=${other}&precision=full&${query}`);
      const ofCurrencies = await rowsOf(CURRENCY[base] ?? base, CURRENCY[quote] ?? quote);
      const times = (rate: number | null) => rate && new Decimal(rate).times(factor).toNumber();
      const rows = await rowsOf(base, quote);
      expect(rows.map(({ minor_units: _, ...row }) => row)).toEqual(
        ofCurrencies.map((row) => ({
          ...row,
          base,
          quote,
          rate: times(row.rate),
          ...(row.providers && {
            providers: row.providers.map((source) => ({ ...source, rate: times(source.rate) })),
          }),
        })),
      );
    },
  );

  it('are shown in the digits of their size', async () => {
    const shown = await json<Row[]>('/v2/rates?quotes=GBP,GBX&from=2026-02-01');
    const full = await json<Row[]>('/v2/rates?quotes=GBP,GBX&from=2026-02-01&precision=full');
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.map(({ rate }) => rate)).toEqual(full.map(({ rate }) => roundForDisplay(rate ?? 0)));
  });
});

describe('a conversion with minor units', () => {
  it('is marked, and rounded to two decimals of the minor unit', async () => {
    expect(await json(`/v2/convert/EUR/GBX?amount=12.345&${DAY}`)).toEqual({
      amount: '12.345',
      base: 'EUR',
      quote: 'GBX',
      date: '2026-03-02',
      observed: '2026-03-02',
      rate: 87.12,
      result: '1075.50',
      minor_units: GBX,
    });
    const csv = await ask(`/v2/convert/EUR/GBX?amount=1&${DAY}`, { headers: { accept: 'text/csv' } });
    expect(csv.text).toBe(
      'amount,base,quote,date,observed,rate,result\n1,EUR,GBX,2026-03-02,2026-03-02,87.12,87.12\n',
    );
  });

  it('is that of the currency, for any pair, amount and day', async () => {
    const codes = ['EUR', 'GBP', 'GBX', 'ILA', 'ILS', 'USD', 'ZAC', 'ZAR'];
    const cents = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
    const days = fc
      .integer({ min: dayNumber('2026-03-03'), max: dayNumber('2026-03-09') })
      .map(fromDayNumber);
    const code = fc.constantFrom(...codes);
    await fc.assert(
      fc.asyncProperty(code, code, cents, days, async (base, quote, amount, date) => {
        const at = (pair: string, amount: string) =>
          json<Converted>(`/v2/convert/${pair}?amount=${amount}&date=${date}`);
        const currencies = [base, quote].map((one) => CURRENCY[one] ?? one);
        const asWritten = new Decimal(String(amount)).div(100);
        const ofBase = base === currencies[0] ? asWritten : asWritten.div(100);
        const found = await at(`${base}/${quote}`, asWritten.toFixed());
        const expected = await at(currencies.join('/'), ofBase.toFixed());
        const perUnit = new Decimal(quote === currencies[1] ? 1 : 100);
        expect(found.rate).toBe(
          perUnit
            .times(expected.rate)
            .div(base === currencies[0] ? 1 : 100)
            .toNumber(),
        );
        const exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });
        const product = new exact(ofBase.toFixed()).times(expected.rate).times(perUnit.toFixed()).toFixed(2);
        expect(found.result).toBe(/[1-9]/.test(product) ? product : product.replace('-', ''));
      }),
      propertyRuns(2_000),
    );
  });

  it.each([
    'date=2026-03-03&rule=uk-vat',
    'date=2026-03-02&rule=eu-vat',
    'from=2026-02-01&to=2026-03-02&rule=eu-grant',
  ])('is at the rate that a rule wants: %s', async (query) => {
    const ofPounds = await json<Converted>(`/v2/convert/USD/GBP?amount=100&${query}`);
    const ofPence = await json<Converted>(`/v2/convert/USD/GBX?amount=100&${query}`);
    expect(ofPence).toMatchObject({ rule: expect.anything(), minor_units: GBX });
    expect(ofPence.rate).toBe(new Decimal(ofPounds.rate).times(100).toNumber());
    const line = {
      amount: '100',
      base: 'USD',
      quote: 'GBX',
      ...Object.fromEntries(new URLSearchParams(query)),
    };
    expect(JSON.parse((await ask('/v2/convert', { body: JSON.stringify([line]) })).text)).toEqual([ofPence]);
  });

  it('is one of many lines, each of which is marked or says what it may mean', async () => {
    const lines = [
      { amount: '100', base: 'gbx', quote: 'USD', date: '2026-03-02', id: 1 },
      { amount: '1', base: 'EUR', quote: 'GBP', date: '2026-03-02' },
      { amount: '1', base: 'EUR', quote: 'GBp' },
      { amount: '1', base: 'ZAc', quote: 'EUR' },
      { amount: '1', base: 'EUR', quote: 'GBY' },
    ];
    const { text } = await ask('/v2/convert?providers=ECB', { body: JSON.stringify(lines) });
    expect(JSON.parse(text)).toEqual([
      {
        amount: '100',
        base: 'GBX',
        quote: 'USD',
        date: '2026-03-02',
        observed: '2026-03-02',
        rate: 0.013427456382,
        result: '1.34',
        minor_units: GBX,
        id: 1,
      },
      expect.not.objectContaining({ minor_units: expect.anything() }),
      { ...lines[2], error: 'GBp may mean pence: use GBX, or GBP for pounds' },
      { ...lines[3], error: 'ZAc may mean cents: use ZAC, or ZAR for rand' },
      expect.objectContaining({ error: expect.stringMatching(/^invalid currency: GBY/) }),
    ]);
    const csv = await ask('/v2/convert', {
      body: 'amount,base,quote,date\n1,EUR,GBX,2026-03-02\n1,EUR,ILa,\n',
      headers: { 'content-type': 'text/csv' },
    });
    expect(csv.text.split('\n').map((line) => line.split(',').slice(0, 4).join())).toEqual([
      'amount,base,quote,date',
      '1,EUR,GBX,2026-03-02',
      '1,EUR,ILa,',
      '',
    ]);
  });
});

describe('is refused', () => {
  const pence = 'GBp may mean pence: use GBX, or GBP for pounds';
  it.each([
    ['/v2/rates?base=GBp', pence],
    ['/v2/rates?quotes=USD,GBp', pence],
    ['/v2/rate/GBp/USD', pence],
    ['/v2/rate/EUR/GBp.txt', pence],
    ['/v2/providers/ECB/rates?quotes=GBp', pence],
    ['/v2/providers/ECB/rate/EUR/GBp', pence],
    ['/v2/convert/GBp/USD?amount=1', pence],
    ['/v2/convert/EUR/ILa?amount=1', 'ILa may mean agorot: use ILA, or ILS for shekels'],
    ['/v2/coverage?base=GBp', pence],
    ['/v2/coverage?quotes=GBX', 'invalid currency: GBX (GBX is a hundredth of GBP: use GBP here)'],
    ['/v2/rates?quotes=GBX&from=2026-01-01&group=month&expand=stats', 'expand=stats is not for GBX: use GBP'],
    ['/v2/rate/ZAC/USD?expand=receipt', 'expand=receipt is not for ZAC: use ZAR'],
    ['/v2/convert/EUR/ILA?amount=1&expand=receipt', 'expand=receipt is not for ILA: use ILS'],
  ])('%s', async (target, message) => {
    expect(await ask(target)).toMatchObject({ status: 422, message });
  });

  it.each(['gbp', 'Gbp', 'GbP', 'gBp'])('%s is not: it is the pound', async (code) => {
    expect(await json(`/v2/rate/EUR/${code}?${DAY}`)).toMatchObject({ quote: 'GBP', rate: 0.8712 });
  });

  it('by the older API, which says what it is', async () => {
    expect(await ask('/v1/latest?symbols=GBX')).toMatchObject({
      status: 404,
      message:
        'not found: the ECB has no rates of GBX on 2026-03-05 (GBX is a hundredth of GBP: use GBP here)',
    });
  });
});
