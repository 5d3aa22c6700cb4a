import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { answers, shown } from './golden.js';
import { openRoutes } from './in-process.js';

const THEN = [
  ...['ECB 2026-02-27 EUR/GBP 0.86693', 'ECB 2026-02-27 EUR/USD 1.1537', 'BOE 2026-02-27 GBP/USD 1.3309'],
  ...['ECB 2026-03-02 EUR/GBP 0.8712', 'ECB 2026-03-02 EUR/USD 1.1698', 'ECB 2026-03-02 EUR/ZAR 19.1234'],
  ...['BOC 2026-03-02 USD/ILS 3.0882', 'BOE 2026-03-03 GBP/USD 1.3411', 'HMRC 2026-03-01 GBP/USD 1.35'],
];
const FIRST = '2026-03-04T16:00:00Z';
const SECOND = '2026-03-09T09:00:00Z';
const before = { at: FIRST, rows: THEN };
const open = (rows: readonly string[]) =>
  openRoutes({ recorded: [before, { at: SECOND, rows }], now: '2026-03-10T12:00:00Z' });
const routes = open([...THEN, 'ECB 2026-03-05 EUR/GBP 0.88', 'ECB 2026-03-05 EUR/USD 1.2']);
const { ask, json } = routes;

const CURRENCY: Readonly<Record<string, string>> = { GBX: 'GBP', ILA: 'ILS', ZAC: 'ZAR' };
const DAY = 'date=2026-03-02&providers=ECB';
const MARK = '"minor_units":{"GBX":{"currency":"GBP","per_unit":100}}';
/** As a line shows the mark. */
const GBX = `minor_units=${MARK.slice(14)}`;
const PENCE = `2026-03-02 EUR/GBX 87.12 ${GBX}`;

interface Row {
  date: string;
  base: string;
  quote: string;
  rate: number | null;
  minor_units?: object;
  providers?: { key: string; rate: number }[];
}

describe('a minor unit costs a hundred times as much, or a hundredth, and is marked', () => {
  answers(routes, {
    [`/v2/rate/EUR/GBX?${DAY}`]: PENCE,
    '/v2/rate/gbx/usd?date=2026-03-03&providers=BOE': `2026-03-03 GBX/USD 0.013411 ${GBX}`,
    [`/v2/rate/EUR/GBX.txt?${DAY}`]: '87.12',
    [`/v2/rate/GBX/GBP?${DAY}`]: `2026-03-02 GBX/GBP 0.01 ${GBX}`,
    [`/v2/rate/GBX/GBX?${DAY}`]: `2026-03-02 GBX/GBX 1 ${GBX}`,
    [`/v2/rate/ZAR/GBP?${DAY}&precision=full`]: '2026-03-02 ZAR/GBP 0.0455567524603',
    [`/v2/rate/ZAC/GBX?${DAY}&precision=full`]:
      '2026-03-02 ZAC/GBX 0.0455567524603 minor_units={"GBX":{"currency":"GBP","per_unit":100},"ZAC":{"currency":"ZAR","per_unit":100}}',
    // It stands among the rows in its order, and marks its own alone.
    [`/v2/rates?quotes=usd,GBX,GBP&${DAY}`]: `[2026-03-02 EUR/GBP 0.8712, ${PENCE}, 2026-03-02 EUR/USD 1.1698]`,
    [`/v2/rates.csv?quotes=GBX&${DAY}`]: 'date,base,quote,rate\n2026-03-02,EUR,GBX,87.12\n',
    [`/v2/rates.ndjson?quotes=GBX&${DAY}`]: `{"date":"2026-03-02","base":"EUR","quote":"GBX","rate":87.12,${MARK}}\n`,
    [`/v2/rates?quotes=GBX,USD&from=2026-03-05&providers=ECB&updated_after=${FIRST}`]: `[2026-03-05 EUR/GBX 88 ${GBX}, 2026-03-05 EUR/USD 1.2]`,
    [`/v2/rates?shape=object&quotes=GBX&${DAY}`]: `{"base":"EUR",${MARK},"date":"2026-03-02","rates":{"GBX":87.12}}`,
    // An amount is rounded to two decimals of it.
    [`/v2/convert/EUR/GBX?amount=12.345&${DAY}`]: `12.345 2026-03-02 EUR/GBX 87.12 = 1075.50 observed=2026-03-02 ${GBX}`,
    // Errors name it.
    '/v2/rate/EUR/ZAC?date=2026-02-27':
      '404 no rate for EUR/ZAC on 2026-02-27: the first rate is from 2026-03-02',
    '/v2/convert/EUR/ILA?amount=1&providers=BOE':
      '404 no rate for EUR/ILA: there are no rates for EUR from BOE',
  });

  it('in every row with it as the base, and is no row where it is not asked for', async () => {
    const all = await json<Row[]>(`/v2/rates?base=GBX&${DAY}`);
    const marked = all.filter(({ minor_units }) => minor_units).map(({ quote }) => quote);
    expect(marked).toEqual(['EUR', 'GBP', 'GBX', 'USD', 'ZAR']);
    expect(all).toHaveLength(marked.length);
    expect((await json<Row[]>('/v2/rates')).map(({ quote }) => quote)).not.toContain('GBX');
  });

  it('also where it is gone since an instant', async () => {
    // Without the next rate of the pound, the one before is not carried to the day either.
    const lost = ['ECB 2026-03-02 EUR/GBP 0.8712', 'BOE 2026-03-03 GBP/USD 1.3411'];
    const gone = open(THEN.filter((row) => !lost.includes(row)));
    const changed = `/v2/rates?quotes=GBX&from=2026-03-02&to=2026-03-02&updated_after=${FIRST}`;
    expect(await shown(gone, changed)).toBe(`[2026-03-02 EUR/GBX null ${GBX}]`);
  });
});

describe('rows with minor units', () => {
  const queries = [
    ...['', 'date=2026-03-01', 'date=2026-02-28&when=next', 'from=2026-02-01', `as_of=${FIRST}`],
    ...['from=2026-02-27&fill=forward', 'from=2026-02-01&group=week', 'from=2026-02-01&group=month'],
    ...['from=2026-01-01&group=year', `from=2026-02-01&as_of=${FIRST}`, 'from=2026-02-01&expand=providers'],
    ...[`from=2026-02-01&updated_after=${FIRST}`, 'expand=providers,quality'],
    'from=2026-02-01&providers=ECB,BOE',
    ...['from=2026-02-01&providers=ECB&expand=providers', 'from=2026-02-01&group=quarter&providers=BOE'],
  ];
  const sides = { 'EUR/GBX': 100, 'USD/ZAC': 100, 'GBX/USD': 0.01, 'ILA/EUR': 0.01, 'ZAC/GBX': 1 };

  it.each(queries)('are those of their currencies: %s', async (query) => {
    for (const [pair, factor] of Object.entries(sides)) {
      const [base = '', quote = ''] = pair.split('/');
      const rowsOf = (one: string, other: string) =>
        json<Row[]>(`/v2/rates?base=${one}&quotes=${other}&precision=full&${query}`);
      const times = <Rate extends number | null>(rate: Rate) =>
        rate && new Decimal(rate).times(factor).toNumber();
      const expected = (await rowsOf(CURRENCY[base] ?? base, CURRENCY[quote] ?? quote)).map((row) => ({
        ...row,
        base,
        quote,
        rate: times(row.rate),
        ...(row.providers && { providers: row.providers.map((one) => ({ ...one, rate: times(one.rate) })) }),
      }));
      expect((await rowsOf(base, quote)).map(({ minor_units: _, ...row }) => row)).toEqual(expected);
    }
  });
});

describe('a conversion with minor units', () => {
  interface Converted {
    rate: number;
    result: string;
  }

  it('is that of the currency, for any pair, amount and day', async () => {
    const cents = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
    const days = fc
      .integer({ min: dayNumber('2026-03-03'), max: dayNumber('2026-03-09') })
      .map(fromDayNumber);
    const code = fc.constantFrom('EUR', 'GBP', 'GBX', 'ILA', 'ILS', 'USD', 'ZAC', 'ZAR');
    const exactly = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });
    await fc.assert(
      fc.asyncProperty(code, code, cents, days, async (base, quote, amount, date) => {
        const at = (pair: string, amount: string) =>
          json<Converted>(`/v2/convert/${pair}?amount=${amount}&date=${date}`);
        const [ofBase, ofQuote] = [base, quote].map((one) => (one in CURRENCY ? 100 : 1)) as [number, number];
        const asWritten = new exactly(String(amount)).div(100);
        const found = await at(`${base}/${quote}`, asWritten.toFixed());
        const pair = [base, quote].map((one) => CURRENCY[one] ?? one).join('/');
        const expected = await at(pair, asWritten.div(ofBase).toFixed());
        expect(found.rate).toBe(new Decimal(ofQuote).times(expected.rate).div(ofBase).toNumber());
        const product = asWritten.div(ofBase).times(expected.rate).times(ofQuote).toFixed(2);
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
    expect(ofPence).toMatchObject({ rule: expect.anything(), minor_units: { GBX: { currency: 'GBP' } } });
    expect(ofPence.rate).toBe(new Decimal(ofPounds.rate).times(100).toNumber());
    const sent = Object.fromEntries(new URLSearchParams(query));
    const line = { amount: '100', base: 'USD', quote: 'GBX', ...sent };
    expect(JSON.parse((await ask('/v2/convert', { body: JSON.stringify([line]) })).text)).toEqual([ofPence]);
  });

  it('is one of many lines, each of which is marked or says what it may mean', async () => {
    const lines = [
      { amount: '100', base: 'gbx', quote: 'USD', date: '2026-03-02', id: 1 },
      { amount: '1', base: 'EUR', quote: 'GBP', date: '2026-03-02' },
      ...['EUR/GBp', 'ZAc/EUR', 'EUR/GBY'].map((pair) => {
        return { amount: '1', base: pair.slice(0, 3), quote: pair.slice(4) };
      }),
    ];
    expect(await shown(routes, '/v2/convert?providers=ECB', { body: JSON.stringify(lines) })).toBe(
      `[100 2026-03-02 GBX/USD 0.013427456382 = 1.34 observed=2026-03-02 ${GBX} id=1, ` +
        '1 2026-03-02 EUR/GBP 0.8712 = 0.87 observed=2026-03-02, ' +
        'GBp may mean pence: use GBX, or GBP for pounds, ZAc may mean cents: use ZAC, or ZAR for rand, ' +
        'invalid currency: GBY (did you mean GBP?)]',
    );
    const body = 'amount,base,quote,date\n1,EUR,GBX,2026-03-02\n1,EUR,ILa,\n';
    const csv = await shown(routes, '/v2/convert', { body, headers: { 'content-type': 'text/csv' } });
    expect(csv).toMatch(/^amount,base,quote,date,.*\n1,EUR,GBX,2026-03-02,.*\n1,EUR,ILa,,.*\n$/);
  });
});

describe('is refused', () => {
  const pence = expect.stringMatching(/^422 (\w+: )?GBp may mean pence: use GBX, or GBP for pounds$/);
  answers(routes, {
    '/v2/rates?base=GBp': pence,
    '/v2/rates?quotes=USD,GBp': pence,
    '/v2/rate/GBp/USD': pence,
    '/v2/providers/ECB/rates?quotes=GBp': pence,
    '/v2/convert/EUR/ILa?amount=1': '422 ILa may mean agorot: use ILA, or ILS for shekels',
    '/v2/coverage?base=GBp': pence,
    '/v2/coverage?quotes=GBX': '422 quotes: invalid currency: GBX (GBX is a hundredth of GBP: use GBP here)',
    '/v2/rates?quotes=GBX&from=2026-01-01&group=month&expand=stats':
      '422 expand: expand=stats is not for GBX: use GBP',
    '/v2/rate/ZAC/USD?expand=receipt': '422 expand: expand=receipt is not for ZAC: use ZAR',
    '/v2/convert/EUR/ILA?amount=1&expand=receipt': '422 expand: expand=receipt is not for ILA: use ILS',
    '/v1/latest?symbols=GBX':
      '404 not found: the ECB has no rates for GBX on 2026-03-05 (GBX is a hundredth of GBP: use GBP here)',
    [`/v2/rate/EUR/Gbp?${DAY}`]: '2026-03-02 EUR/GBP 0.8712',
    [`/v2/rate/EUR/gBp?${DAY}`]: '2026-03-02 EUR/GBP 0.8712',
  });
});
