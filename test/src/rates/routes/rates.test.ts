import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../core/domain/dates.js';
import { roundForDisplay } from '../../../../core/domain/rounding.js';
import { someRates } from '../../../support/rates.js';
import { answers, routesOn, shown, textsOf } from './golden.js';

interface Row {
  date: string;
  quote: string;
  rate: number;
}

const routes = routesOn(textsOf(someRates('2025-12-01')), '2026-03-20T12:00:00Z');
const rows = (query: string) => routes.json<Row[]>(`/v2/rates${query}`);

describe('the newest rates', () => {
  it('give each quote its newest row up to tomorrow, by date, then quote', async () => {
    const answered = await rows('');
    expect(answered.map(({ date, quote }) => `${date.slice(8)} ${quote}`).join()).toBe(
      '10 MWK,20 CAD,20 CHF,20 IRR,20 JPY,20 KWD,21 AED,21 AWG,21 BAM,21 BBD,21 BHD,21 BMD,21 BSD,21 BZD,' +
        '21 CVE,21 DJF,21 EUR,21 FKP,21 GBP,21 GGP,21 GIP,21 IMP,21 JEP,21 JOD,21 KMF,21 KYD,21 NIO,21 OMR,' +
        '21 PAB,21 QAR,21 SAR,21 SHP,21 STN,21 SVC,21 TMT,21 UAH,21 USD,21 XAF,21 XCD,21 XCG,21 XOF,21 XPF',
    );
    expect(Object.keys(answered[0] ?? {})).toEqual(['date', 'base', 'quote', 'rate']);
  });

  describe('reach back 14 days and no further, and may be none', () => {
    answers(routes, {
      '/v2/rates?quotes=BIF&date=2026-02-27': expect.stringMatching(/^\[2026-02-13 EUR\/BIF /),
      '/v2/rates?quotes=BIF&date=2026-02-28': '[]',
      '/v2/rates?date=2025-02-28': '[]',
      '/v2/rates.ndjson?date=2025-02-28': '',
      '/v2/rates.csv?date=2025-02-28&header=off': '',
      '/v2/rates?from=2026-04-01': '[]',
      '/v2/rates?base=ZWL&from=2026-03-01': '[]',
      '/v2/rates?providers=ECB&quotes=AED,CAD,DKK': '[]',
      '/v2/rate/EUR/BIF':
        '404 no rate for EUR/BIF: the newest rate is from 2026-02-13, and a rate counts for 14 days',
      '/v2/rate/EUR/USD?date=1990-01-01': expect.stringMatching(/^404 no rate for EUR\/USD on 1990-01-01: /),
    });
  });
});

describe('a range', () => {
  it('filters quotes without changing a value', async () => {
    const all = await rows('?base=CAD&from=2026-03-01&to=2026-03-10');
    const some = await rows(
      '?base=%20cad%20&from=2026-03-01&to=2026-03-10&quotes=gbp,%20usd,&quotes=CAD&date=&group=',
    );
    expect(some).toEqual(all.filter(({ quote }) => ['CAD', 'GBP', 'USD'].includes(quote)));
    expect(new Set(some.map(({ quote }) => quote)).size).toBe(3);
  });

  const EVER = 'from=0100-01-01&to=9999-12-31';

  it.each(['', 'week', 'month', 'quarter', 'year', 'range'])(
    'of all years has the rows that there are: %s',
    async (group) => {
      for (const filter of ['', '&providers=ECB', '&providers=ECB,BOC', '&expand=providers']) {
        const parameters = `${filter}${group && `&group=${group}`}`;
        const ever = await rows(`?${EVER}${parameters}`);
        expect(ever.length).toBeGreaterThan(0);
        if (group !== 'range')
          expect(ever).toEqual(await rows(`?from=2025-12-01&to=2026-12-31${parameters}`));
      }
    },
  );

  it.each(['', '&providers=ECB', '&providers=ECB,BOC', '&expand=providers'])(
    'of the first day of all and the last has none%s',
    async (parameters) => {
      for (const day of ['0100-01-01', '9999-12-31'])
        expect(await rows(`?date=${day}${parameters}`)).toEqual([]);
    },
  );

  it.each(['', '&providers=ECB', '&quotes=USD', '&fill_days=3'])(
    'is filled from the first day to the last that has anything to fill%s',
    async (parameters) => {
      const filled = (range: string) => rows(`?${range}&fill=forward${parameters}`);
      const ever = await filled(EVER);
      const [first, last] = [ever[0]?.date ?? '', ever.at(-1)?.date ?? ''];
      expect(ever).toEqual(await filled(`from=${first}&to=${last}`));
      expect(await filled(`from=${addDays(last, 1)}&to=9999-12-31`)).toEqual([]);
      expect(await filled(`from=0100-01-01&to=${addDays(first, -1)}`)).toEqual([]);
    },
  );
});

describe('digits', () => {
  it('are twelve with precision=full, of which those for display are a rounding', async () => {
    const full = await rows('?base=GBP&from=2026-03-01&precision=full');
    const asShown = await rows('?base=GBP&from=2026-03-01');
    expect(full.map((row) => ({ ...row, rate: roundForDisplay(row.rate) }))).toEqual(asShown);
    expect(full.some(({ rate }) => String(rate).replace(/\D/g, '').length >= 11)).toBe(true);
  });

  answers(routes, {
    // Those of the peg for a pegged currency against its anchor.
    '/v2/rate/EUR/XOF.txt': '655.957',
    '/v2/rate/EUR/XOF.txt?precision=full': '655.957',
    '/v2/rate/EUR/XOF.txt?date=2026-02-08': '655.957',
    '/v2/rate/XOF/EUR.txt': '0.0015245',
    '/v2/rates.csv?quotes=XOF&from=2026-03-02&to=2026-03-02&header=off': '2026-03-02,EUR,XOF,655.957\n',
  });
});

describe('one provider has the means of its own rows, and names itself as the source', () => {
  answers(routes, {
    '/v2/rates?providers=ECB&quotes=USD&from=2026-03-04&to=2026-03-18&group=week':
      '[2026-03-02 EUR/USD 1.1383, 2026-03-09 EUR/USD 1.1449, 2026-03-16 EUR/USD 1.1573]',
    '/v2/rates?providers=ECB&quotes=EUR,USD&expand=providers&date=2026-03-22':
      '[2026-03-20 EUR/EUR 1, 2026-03-20 EUR/USD 1.15984 providers=[{"key":"ECB","date":"2026-03-20","rate":1.15984}]]',
    // Codes in paths may have spaces around them.
    '/v2/rate/ eur / usd ?providers= ecb &date=2026-03-20': '2026-03-20 EUR/USD 1.15984',
    '/v2/providers/ ecb /rates?quotes=USD&date=2026-03-20': '[2026-03-20 EUR/USD 1.15984]',
    '/v2/rates?providers=BRB&base=USD': '[2026-02-13 USD/BIF 2940.96, 2026-02-13 USD/USD 1]',
  });
});

describe('a blend of some providers is of these alone, in whatever order and case they are named', () => {
  const DOLLARS =
    '[2026-03-20 USD/CAD 1.3583, 2026-03-20 USD/CHF 0.79008, 2026-03-20 USD/EUR 0.86609, 2026-03-20 USD/GBP 0.74553, 2026-03-20 USD/JPY 158.12, 2026-03-20 USD/USD 1]';
  const POUNDS =
    '[2026-03-20 GBP/CHF 1.0598, 2026-03-20 GBP/JPY 211.59, 2026-03-21 GBP/EUR 1.1617, 2026-03-21 GBP/GBP 1, 2026-03-21 GBP/UAH 58.03, 2026-03-21 GBP/USD 1.3413]';
  answers(routes, {
    '/v2/rates?providers=ECB,BOC&base=USD': DOLLARS,
    '/v2/rates?providers=boc&providers=%20ecb,ECB&base=USD': DOLLARS,
    '/v2/rates?providers=ECB,NBU&base=GBP': POUNDS,
    '/v2/rates?providers=ECB,NBU&base=GBP&date=2026-03-21': POUNDS,
    '/v2/rates?providers=ECB,NBU&base=GBP&from=2026-03-20&to=2026-03-21':
      '[2026-03-20 GBP/CHF 1.0598, 2026-03-20 GBP/EUR 1.1617, 2026-03-20 GBP/GBP 1, 2026-03-20 GBP/JPY 211.59, 2026-03-20 GBP/UAH 58.101, 2026-03-20 GBP/USD 1.3413, 2026-03-21 GBP/EUR 1.1617, 2026-03-21 GBP/GBP 1, 2026-03-21 GBP/UAH 58.03, 2026-03-21 GBP/USD 1.3413]',
    '/v2/rates?providers=ECB,BOC&quotes=JPY&from=2026-03-09&to=2026-03-13&group=week&expand=providers':
      '[2026-03-09 EUR/JPY 182.99 providers=[{"key":"BOC","date":"2026-03-09","rate":181.82},{"key":"ECB","date":"2026-03-09","rate":184.16}]]',
  });
});

describe('expand=providers names every source with its own day, or its mean in a period, and its rate', () => {
  answers(routes, {
    '/v2/rates?base=USD&quotes=JPY&expand=providers':
      '[2026-03-20 USD/JPY 158.21 providers=[{"key":"BOC","date":"2026-03-20","rate":158.5},{"key":"ECB","date":"2026-03-20","rate":157.75},{"key":"FRED","date":"2026-03-13","rate":159.46},{"key":"IMF","date":"2026-03-20","rate":238.71,"excluded":true}]]',
    '/v2/rates?base=USD&quotes=JPY&from=2026-02-01&to=2026-02-28&group=month&expand=providers':
      '[2026-02-01 USD/JPY 158.22 providers=[{"key":"BOC","date":"2026-02-01","rate":158.5},{"key":"ECB","date":"2026-02-01","rate":158.04},{"key":"FRED","date":"2026-02-01","rate":158.11},{"key":"IMF","date":"2026-02-01","rate":238.28,"excluded":true}]]',
  });
});

describe('two currencies have a row of the older of their newest days, whichever is the base', () => {
  const apart = routesOn(
    [
      // The rufiyaa is published again only after the last rate of the kwacha of Zambia.
      ...['BOZ 2026-03-08 USD/ZMW 22.5', 'BOZ 2026-03-09 USD/ZMW 23'],
      ...['MMA 2026-01-05 USD/MVR 15.3', 'MMA 2026-03-18 USD/MVR 15.4'],
      ...['ECB 2026-03-19 USD/EUR 0.87', 'ECB 2026-03-20 USD/EUR 0.86'],
      // The krone is published between two days of the franc, which is carried to it.
      ...['RBA 2026-02-28 USD/CHF 0.8', 'NB 2026-03-08 USD/NOK 10', 'RBA 2026-03-20 USD/CHF 0.78125'],
    ],
    '2026-03-20T12:00:00Z',
  );

  const none = (pair: string) =>
    `404 no rate for ${pair}: the two currencies have no rates from the same time`;
  answers(apart, {
    '/v2/rate/ZMW/MVR': none('ZMW/MVR'),
    '/v2/rate/MVR/ZMW': none('MVR/ZMW'),
    '/v2/rates?base=ZMW&quotes=MVR&date=2026-03-18': '[]',
    '/v2/rates?base=MVR&quotes=ZMW&date=2026-03-18': '[]',
    '/v2/rates?base=ZMW&quotes=MVR,USD&date=2026-03-18': '[2026-03-09 ZMW/USD 0.043478]',
    '/v2/rates?providers=RBA,NB&base=CHF&quotes=NOK,USD':
      '[2026-03-08 CHF/NOK 12.5, 2026-03-20 CHF/USD 1.28]',
    '/v2/rates?providers=RBA,NB&base=NOK&quotes=CHF,USD': '[2026-03-08 NOK/CHF 0.08, 2026-03-08 NOK/USD 0.1]',
  });
});

describe('the newest rates of some providers', () => {
  const few = routesOn(
    [
      // Nothing brings the newest row to the dollar.
      ...['BOC 2026-02-02 USD/CAD 1.4', 'BOC 2026-02-03 EUR/CAD 1.6', 'BAM 2026-02-17 AED/MAD 2.5'],
      // The shilling can't be brought to the euro, so that rates are made for each base.
      ...['ECB 2026-02-02 USD/KES 129', 'ECB 2026-03-04 EUR/USD 1.2', 'ECB 2026-03-04 USD/KES 130'],
      'ECB 2026-03-05 EUR/USD 1.25',
    ],
    '2026-03-06T12:00:00Z',
  );

  it.each([
    ['USD/CAD', 'BAM,BOC', '2026-02-17'],
    ['USD/EUR', 'BAM,BOC', '2026-02-17'],
    ['KES/EUR', 'ECB', '2026-03-05'],
    ['EUR/KES', 'ECB', '2026-03-05'],
  ])('are as of their newest row: %s of %s', async (pair, providers, day) => {
    const [base, quote] = pair.split('/');
    const list = `/v2/rates?base=${base}&quotes=${quote}&providers=${providers}`;
    const { text, headers } = await few.ask(list);
    expect(headers['x-rates-as-of']).toBe(day);
    const convert = `/v2/convert/${pair}?amount=1&providers=${providers}`;
    expect(text).toBe((await few.ask(`${list}&date=${day}`)).text);
    const [newest, ofDay] = [await shown(few, convert), await shown(few, `${convert}&date=${day}`)];
    expect(newest).toBe(String(ofDay).replace(` on ${day}`, ''));
  });
});

it.each(['', '&providers=ECB', '&providers=BAM,ECB', '&expand=providers'])(
  'a day long after the newest observation has an empty list that names it, and no rate of a pair%s',
  async (query) => {
    const newest = (await rows('')).at(-1)?.date;
    const { status, text, headers } = await routes.ask(`/v2/rates?quotes=USD&date=2026-08-01${query}`);
    expect([status, text, headers['x-rates-as-of']]).toEqual([200, '[]', newest]);
    expect(await shown(routes, `/v2/rate/EUR/USD?date=2026-08-01${query}`)).toMatch(
      /^404 no rate for EUR\/USD on 2026-08-01: /,
    );
  },
);

describe('a pair', () => {
  it.each(['', '&date=2026-03-15', '&providers=ECB', '&expand=providers'])(
    'is one object, the same as in the list%s',
    async (query) => {
      const [row] = await rows(`?quotes=GBP${query}`);
      const { text, headers } = await routes.ask(`/v2/rate/eur/Gbp${query.replace('&', '?')}`);
      expect(JSON.parse(text)).toEqual(row);
      expect(headers['x-rates-as-of']).toMatch(/^2026-03-/);
    },
  );
});

describe('what is wrong with a request', () => {
  const FILLED = '/v2/rates?quotes=ZWL&from=2026-01-01&fill=forward&fill_days=';
  const OF_DAYS = '422 fill_days: fill_days must be a whole number from 1 to 366';
  answers(routes, {
    '/v2/rates?base=ZZZ': '422 base: invalid currency: ZZZ',
    '/v2/rates?quotes=USD,zzz': '422 quotes: invalid currency: ZZZ',
    '/v2/rates?providers=NOPE': '422 providers: invalid provider: NOPE',
    '/v2/rates?provider=ECB': '422 provider: unknown parameter: provider (did you mean providers?)',
    '/v2/rates?expand=sources': expect.stringMatching(
      /^422 expand: expand must be providers, .+ or \w+, not sources$/,
    ),
    '/v2/rates?from=2026-01-01&group=decade':
      '422 group: group must be week, month, quarter, year or range, not decade',
    '/v2/rates?base=USD&base=USD': '422 base: base is given more than once',
    '/v2/rates?base=ZZZ&from=x':
      '422 base,from: invalid currency: ZZZ; from must be YYYY-MM-DD: x is not a date',
    '/v2/rate/EUR/USD?base=GBP': expect.stringMatching(
      /^422 base: unknown parameter: base \(accepted: providers, .+, to\)$/,
    ),
    '/v2/rate/EUR/zzz': '404 no such currency: ZZZ',
    '/v2/providers/nope/rates': '404 no such provider: NOPE',
    '/v2/providers/nope/rate/EUR/USD': '404 no such provider: NOPE',
    ...Object.fromEntries(['0', '367', '1.5', '1x'].map((days) => [`${FILLED}${days}`, OF_DAYS])),
    [`${FILLED}1`]: '[]',
    [`${FILLED}366`]: '[]',
  });
});
