import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amountIn, converted } from '../../../../core/domain/amount.js';
import { minorUnitsOf } from '../../../../core/domain/minor-units.js';
import { startApi, type TestApi } from '../../../support/api.js';
import type { TestDatabase } from '../../../support/postgres.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { databaseWith, someRates } from '../../../support/rates.js';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await databaseWith(someRates());
  api = await startApi(database, { clock: () => new Date('2026-03-20T12:00:00Z') });
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

interface Conversion {
  amount: string;
  date: string;
  observed: string;
  rate: number;
  result: string;
  id?: unknown;
  error?: string;
}

async function convert(pair: string, query: string, status = 200): Promise<Conversion> {
  const response = await fetch(`${api.url}/v2/convert/${pair}?${query}`);
  expect(response.status).toBe(status);
  return (await response.json()) as Conversion;
}

async function post(body: string, type: string, query = ''): Promise<Response> {
  return fetch(`${api.url}/v2/convert${query}`, { method: 'POST', headers: { 'content-type': type }, body });
}

describe('an amount', () => {
  it.each(['1', '-1', '0.00', '123456789012345678901234567890', '-0.12345678901234567890123456789'])(
    'is %s',
    (text) => expect(amountIn(text)).toBe(text),
  );

  it.each(['', '1e31', '+1', '.5', '1.', '1,5', 'NaN', '1'.repeat(31), ' 1'])('is not %j', (text) =>
    expect(amountIn(text)).toBeUndefined(),
  );

  it('times a rate is rounded half away from zero to the minor units of the quote', () => {
    expect(converted('1', 2.345, 'USD')).toBe('2.35');
    expect(converted('-1', 2.345, 'USD')).toBe('-2.35');
    expect(converted('3', 0.5, 'JPY')).toBe('2');
    expect(converted('1', 0.3064505, 'KWD')).toBe('0.306');
    expect(converted('1', 0.000123456789, 'XAU')).toBe('0.000123456789');
    expect(converted('-0.001', 1, 'USD')).toBe('0.00');
    expect(converted('-12.5', 1.5, 'JPY')).toBe('-19');
    expect(converted('21474836.47', 1, 'USD')).toBe('21474836.47');
    expect(converted('21474836.48', 1, 'USD')).toBe('21474836.48');
  });

  it('is exact, whatever its digits', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 30n - 1n });
    const rate = fc
      .double({ min: 1e-6, max: 1e6, noNaN: true })
      .map((value) => Number(value.toPrecision(12)));
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: 0, max: 29 }),
        rate,
        fc.constantFrom('USD', 'JPY', 'BHD'),
        (n, at, by, code) => {
          const text = String(n).padStart(at + 1, '0');
          const amount = at === 0 ? text : `${text.slice(0, -at)}.${text.slice(-at)}`;
          if (amountIn(amount) === undefined) return;
          const Exact = Decimal.clone({ precision: 100 });
          const exact = new Exact(amount).times(by).toFixed(minorUnitsOf(code) ?? 0, Decimal.ROUND_HALF_UP);
          expect(converted(amount, by, code)).toBe(exact);
        },
      ),
    );
  });
});

describe('GET /v2/convert', () => {
  it('shows the rate that it used, in full precision, and its date', async () => {
    const row = (await (await fetch(`${api.url}/v2/rate/EUR/GBP?precision=full`)).json()) as Conversion;
    const found = await convert('eur/gbp', 'amount=100');
    expect(found).toEqual({
      amount: '100',
      base: 'EUR',
      quote: 'GBP',
      date: '2026-03-21',
      observed: row.date,
      rate: row.rate,
      result: converted('100', row.rate, 'GBP'),
    });
  });

  it('takes the newest rate strictly before a date where that is wanted', async () => {
    const monday = await convert('EUR/USD', 'amount=1&date=2026-03-16&when=before&providers=ECB');
    expect(monday).toMatchObject({ date: '2026-03-16', observed: '2026-03-13' });
    expect(await convert('EUR/USD', 'amount=1&date=2026-03-16&providers=ECB')).toMatchObject({
      observed: '2026-03-16',
    });
  });

  it('uses several providers as their blend does', async () => {
    const response = await fetch(
      `${api.url}/v2/rate/EUR/USD?providers=ECB,FRED&precision=full&date=2026-03-10`,
    );
    const { rate } = (await response.json()) as Conversion;
    expect(await convert('EUR/USD', 'amount=1&providers=ECB,FRED&date=2026-03-10')).toMatchObject({ rate });
  });

  it('says what is wrong', async () => {
    expect(await convert('EUR/USD', '', 422)).toMatchObject({
      message: 'amount is required',
      errors: [{ parameter: 'amount' }],
    });
    expect(await convert('EUR/USD', 'amount=1e31', 422)).toMatchObject({ errors: [{ parameter: 'amount' }] });
    expect(await convert('EUR/USD', 'amount=1&when=before', 422)).toMatchObject({
      errors: [{ parameter: 'when' }],
    });
    expect(await convert('EUR/KPW', 'amount=1', 404)).toMatchObject({
      message: 'no rate for EUR/KPW: there are no rates of KPW',
    });
  });
});

describe('POST /v2/convert', () => {
  const lines = [
    { amount: '100', base: 'EUR', quote: 'USD', date: '2026-03-10', id: 'a,"b"' },
    { amount: '-5.5', base: 'usd', quote: 'JPY' },
    { amount: '1', base: 'EUR', quote: 'KPW', id: 3 },
    { amount: 'x', base: 'EUR', quote: 'USD' },
  ];

  it('answers line for line, with errors in their lines', async () => {
    const response = await post(JSON.stringify(lines), 'application/json');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const answered = (await response.json()) as Conversion[];
    expect(answered.map(({ id }) => id)).toEqual(['a,"b"', undefined, 3, undefined]);
    expect(answered.map(({ error }) => error)).toEqual([
      undefined,
      undefined,
      'no rate for EUR/KPW: there are no rates of KPW',
      'invalid amount: x (write a number of at most 30 digits such as 1250.00)',
    ]);
    const alone = await convert('EUR/USD', 'amount=100&date=2026-03-10');
    expect(answered[0]).toEqual({ ...alone, id: 'a,"b"' });
  });

  it('answers NDJSON and CSV in the same form', async () => {
    const json = (await (await post(JSON.stringify(lines), 'application/json')).json()) as Conversion[];
    const ndjson = await post(lines.map((line) => JSON.stringify(line)).join('\n'), 'application/x-ndjson');
    expect(
      (await ndjson.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(json);
    const csv = await post('id,amount,base,quote,date\n"a,""b""",100,EUR,USD,2026-03-10\n', 'text/csv');
    const [head, line] = (await csv.text()).split('\n');
    expect(head).toBe('amount,base,quote,date,observed,rate,result,id,error');
    const { amount, date, observed, rate, result } = json[0] ?? ({} as Conversion);
    expect(line).toBe([amount, 'EUR', 'USD', date, observed, rate, result, '"a,""b"""', ''].join(','));
  });

  it('reads CSV with and without quotes alike', async () => {
    const cell = fc.constantFrom('1', '-2.50', 'EUR', 'usd', ' JPY ', '2026-03-10', '', 'x');
    const record = fc.tuple(cell, cell, cell, cell);
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('\n', '\r\n'),
        async (records, end) => {
          const header = 'amount,base,quote,id';
          const plain = [header, ...records.map((cells) => cells.join(','))].join(end);
          const quoted = [
            header,
            ...records.map((cells) => cells.map((text) => `"${text.trim()}"`).join(',')),
          ].join(end);
          const [one, other] = await Promise.all(
            [`\ufeff${plain}${end}${end}`, quoted].map(async (body) => (await post(body, 'text/csv')).text()),
          );
          expect(one).toBe(other);
        },
      ),
      propertyRuns(25),
    );
  });

  it.each([
    ['[{]', 'application/json', 422, 'is no JSON'],
    ['{}', 'application/json', 422, 'must be a JSON array'],
    ['[1]', 'application/json', 422, 'line 1'],
    ['{"amount":"1"}\nno', 'application/x-ndjson', 422, 'line 2'],
    ['amount,base\n1,EUR\n', 'text/csv', 422, 'quote'],
    ['amount,base,quote\n1,EUR\n', 'text/csv', 422, 'line 2'],
    ['amount,base,quote\n"1",EUR\n', 'text/csv', 422, 'line 2'],
    ['amount,base,quote\n\n1,EUR,USD\n1,EUR\n', 'text/csv', 422, 'line 4'],
    ['a=1', 'application/x-www-form-urlencoded', 415, 'text/csv'],
    [JSON.stringify(Array(10_001).fill(1)), 'application/json', 422, 'line'],
    [`[${' '.repeat(2 * 1024 * 1024)}]`, 'application/json', 413, ''],
  ])('refuses what it can not read: %.20s', async (body, type, status, message) => {
    const response = await post(body, type);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { message: string }).message).toContain(message);
  });

  it('converts ten thousand lines', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      amount: String(index),
      base: ['EUR', 'USD', 'GBP'][index % 3],
      quote: ['JPY', 'CHF', 'UAH'][index % 3],
      date: `2026-0${1 + (index % 3)}-${String(1 + (index % 20)).padStart(2, '0')}`,
    }));
    const answered = (await (await post(JSON.stringify(many), 'application/json')).json()) as Conversion[];
    expect(answered).toHaveLength(10_000);
    expect(answered.filter(({ error }) => error !== undefined)).toEqual([]);
  });
});
