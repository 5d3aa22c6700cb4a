import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies } from '../../../../core/domain/currencies.js';
import { addDays } from '../../../../core/domain/dates.js';
import { answers, routesOn } from './golden.js';

const LAST_YEAR = ['ECB 2026-03-02 EUR/USD 1.1', 'ECB 2026-03-03 EUR/USD 1.2', 'ECB 2026-03-03 EUR/GBP 0.87'];
const ROWS = [
  ...['ECB 2001-12-28 EUR/USD 0.88', 'ECB 2001-12-31 EUR/USD 0.8813', 'SBI 2001-12-31 USD/DEM 2.21'],
  ...['SBI 2001-12-31 USD/FRF 7.5', 'ECB 2001-12-31 EUR/CYP 0.575', 'ECB 2002-01-02 EUR/USD 0.9038'],
  ...['ECB 2022-12-30 EUR/USD 1.0666', 'ECB 2022-12-30 EUR/HRK 7.5365', 'ECB 2023-01-02 EUR/USD 1.0683'],
  ...LAST_YEAR,
];
const routes = routesOn(ROWS, '2026-03-04T12:00:00Z');
const { json } = routes;

interface Answer {
  date: string;
  rate: number;
  fixed?: Record<string, { base: string; rate: number; regulation: string; source: string }>;
}
/** The rate of a pair in twelve digits, with the fixed rates by which it is answered. */
const pair = (codes: string, query = '') => json<Answer>(`/v2/rate/${codes}?precision=full${query}`);

const LAW = 'Council Regulation (EC) No 2866/98';
const SOURCE = 'https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:31998R2866';
const by = (rate: number) => ({ base: 'EUR', rate, regulation: LAW, source: SOURCE });
const DEM = { DEM: by(1.95583) };
const FRF = { FRF: by(6.55957) };

/** Between two old currencies, of an old one and the euro, and any other; the dollar costs 1.2 of a euro. */
const PAIRS: [codes: string, rate: number, fixed: object][] = [
  ['EUR/DEM', 1.95583, DEM],
  ['DEM/EUR', 0.511291881196, DEM],
  ['EUR/FRF', 6.55957, FRF],
  ['DEM/FRF', 3.35385488514, { ...DEM, ...FRF }],
  ['FRF/DEM', 0.298164361383, { ...DEM, ...FRF }],
  ['DEM/DEM', 1, DEM],
  ['DEM/USD', 0.613550257435, DEM],
  ['USD/DEM', 1.62985833333, DEM],
  ['DEM/XOF', 335.385488514, DEM],
];

describe('a pair of a currency that has ended', () => {
  it.each(PAIRS)('%s is answered on later days, by the law', async (codes, rate, fixed) => {
    expect(await pair(codes)).toMatchObject({ date: '2026-03-03', rate, fixed });
    expect(await pair(codes, '&date=2026-03-04')).toMatchObject({ date: '2026-03-03', rate, fixed });
    const [base, quote] = codes.split('/');
    const one = await json(`/v2/convert/${codes}?amount=1000&date=2026-03-04`);
    expect(one).toMatchObject({ rate, fixed, observed: '2026-03-03' });
    const many = await routes.ask('/v2/convert', {
      body: JSON.stringify([{ amount: '1000', base, quote, date: '2026-03-04' }]),
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(many.text)).toEqual([one]);
  });

  it.each([
    ['EUR/DEM', 1.95583],
    ['FRF/DEM', 0.298164361383],
    ['DEM/USD', 0.450601534898],
  ])('%s has the same rate on its last day, without the mark', async (codes, rate) => {
    const found = await pair(codes, '&date=2001-12-31');
    expect([found.date, found.rate, found.fixed]).toEqual(['2001-12-31', rate, undefined]);
  });

  answers(routes, {
    // Shown in the digits of the law, and otherwise as other rates.
    '/v2/rate/EUR/DEM.txt': '1.95583',
    '/v2/rate/DEM/EUR.txt': '0.51129',
    '/v2/rate/GBX/DEM.txt': '0.022481',
    '/v2/rate/DEM/USD.txt?date=2002-01-01': '0.4506',
    // The day that counts is the one whose rate is wanted.
    '/v2/rate/EUR/HRK.txt?date=2022-12-31': '7.5365',
    '/v2/rate/EUR/HRK.txt?date=2023-01-01': '7.5345',
    '/v2/rate/EUR/HRK.txt?date=2023-01-01&when=before': '7.5365',
    '/v2/rate/EUR/HRK.txt?date=2023-01-02&when=before': '7.5345',
    '/v2/rate/HRK/USD.txt?date=2023-01-01&when=next': '0.14179',
    // An old currency that had no rates here, and a day without any.
    '/v2/rate/EUR/SKK.txt': '30.126',
    '/v2/rate/DEM/USD?date=2010-01-04': expect.stringMatching(
      /^404 no rate for DEM\/USD on 2010-01-04: the newest/,
    ),
    '/v2/convert/DEM/EUR?amount=100.00': expect.stringMatching(
      /^100.00 2026-03-03 DEM\/EUR .* = 51.13 .*2866\/98/,
    ),
    // CSV has the codes alone, lists end with the currency, and so do the rates of sources.
    '/v2/rates?quotes=DEM,USD': '[2026-03-03 EUR/USD 1.2]',
    '/v2/rates?base=DEM&quotes=USD': '[]',
    '/v2/rates?quotes=DEM&from=2001-12-31&to=2026-03-04&base=USD': '[2001-12-31 USD/DEM 2.2193]',
    '/v2/rate/DEM/EUR?providers=ECB': expect.stringMatching(/^404 no rate for DEM\/EUR/),
    '/v2/rate/DEM/USD?expand=receipt': '422 expand: expand=receipt is not for DEM, which has ended: use EUR',
    '/v2/convert/USD/DEM?amount=1&expand=receipt':
      '422 expand: expand=receipt is not for DEM, which has ended: use EUR',
  });

  it('has the sources of its successor, in its own terms', async () => {
    const { providers } = await json<{ providers: object[] }>(
      '/v2/rate/DEM/USD?expand=providers&precision=full',
    );
    expect(providers).toEqual([{ key: 'ECB', date: '2026-03-03', rate: 0.613550257435 }]);
  });
});

/** Each currency whose rate is fixed by law, with its last day. */
const OLD = [...currencies.values()].flatMap(({ iso_code: code, lifetime: { until = '', successor } }) =>
  successor?.fixed ? [{ code, last: addDays(until, -1), rate: successor.ratio, law: successor.fixed }] : [],
);

it.each(OLD)(
  'EUR/$code is fixed after its end by the law that its end names',
  async ({ code, rate, law }) => {
    const { regulation, source } = law;
    const found = await pair(`EUR/${code}`);
    expect([found.rate, found.fixed]).toEqual([rate, { [code]: { base: 'EUR', rate, regulation, source } }]);
  },
);

it('a pair times its inverse is one, and over the euro it is the same', async () => {
  const code = fc.constantFrom(...OLD.map(({ code }) => code), 'EUR', 'USD', 'GBP', 'XOF', 'GBX');
  await fc.assert(
    fc.asyncProperty(code, code, async (base, quote) => {
      const [one, inverse, first, second] = await Promise.all([
        pair(`${base}/${quote}`),
        pair(`${quote}/${base}`),
        pair(`${base}/EUR`),
        pair(`EUR/${quote}`),
      ]);
      const difference = (product: Decimal) => product.minus(1).abs().toNumber();
      // Each of the rates is rounded to twelve digits.
      expect(difference(new Decimal(one.rate).times(inverse.rate))).toBeLessThan(1.1e-11);
      expect(difference(new Decimal(first.rate).times(second.rate).div(one.rate))).toBeLessThan(1.6e-11);
    }),
    { numRuns: 300 },
  );
});
