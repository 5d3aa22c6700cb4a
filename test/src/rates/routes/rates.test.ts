import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addDays, daysBetween, firstOfMonth, firstOfWeek } from '../../../../core/domain/dates.js';
import { pegOf } from '../../../../core/domain/pegs.js';
import { roundForDisplay } from '../../../../core/domain/rounding.js';
import { exampleRow, exampleRows } from '../../../../src/rates/routes/examples.js';
import { rowSchema } from '../../../../src/rates/routes/schemas.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { databaseWith, someRates } from '../../../support/rates.js';

interface Row {
  date: string;
  base: string;
  quote: string;
  rate: number;
  providers?: { key: string; date: string; rate: number; excluded?: boolean }[];
}

const NOW = '2026-03-20T12:00:00Z';
const raw = someRates();
let database: TestDatabase;
let api: TestApi;
/** Stored blends: units per dollar by date and quote. */
const stored = new Map<string, Map<string, number>>();

beforeAll(async () => {
  database = await databaseWith(raw);
  const { rows } = await database.pool.query('select date::text, quote, rate from blended_days');
  for (const { date, quote, rate } of rows) {
    stored.set(date, (stored.get(date) ?? new Map()).set(quote, rate));
  }
  api = await startApi(database, { clock: () => new Date(NOW) });
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function rows(query: string): Promise<Row[]> {
  const response = await fetch(`${api.url}/v2/rates${query}`);
  const body = await response.text();
  expect(response.status, body).toBe(200);
  return JSON.parse(body) as Row[];
}

async function refusal(path: string, status = 422) {
  const response = await fetch(`${api.url}${path}`);
  expect(response.status).toBe(status);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body = (await response.json()) as {
    message: string;
    errors?: { parameter: string; message: string }[];
  };
  expect(body).toMatchObject({ success: false, status });
  return { ...body, at: body.errors?.map(({ parameter }) => parameter) };
}

/** Units of a currency per dollar as of a date: its newest in the 14 days up to it. */
function asOf(date: string, quote: string): number | undefined {
  for (let age = 0; age <= 14; age++) {
    const rate = stored.get(addDays(date, -age))?.get(quote);
    if (rate !== undefined) return rate;
  }
  return undefined;
}

/** All rows of a date worked out from the stored blends. */
function expectedOn(date: string, base: string): Row[] {
  const divisor = asOf(date, base);
  const here = stored.get(date);
  if (divisor === undefined || !here) return [];
  const quotes = new Set([...here.keys(), base]);
  return [...quotes].sort().map((quote) => {
    const peg = pegOf(quote);
    const shown = roundForDisplay((here.get(quote) ?? Number.NaN) / divisor);
    const rate = quote === base ? 1 : peg?.base === base ? peg.rate : shown;
    return { date, base, quote, rate };
  });
}

const BASES = ['EUR', 'USD', 'JPY', 'UAH', 'MWK', 'AED', 'IRR'];

describe('the newest rates', () => {
  it('give each quote its newest row, by date, then quote', async () => {
    const answered = await rows('');
    expect(answered).toEqual(answered.toSorted((a, b) => (a.date + a.quote < b.date + b.quote ? -1 : 1)));
    expect(new Set(answered.map(({ quote }) => quote)).size).toBe(answered.length);
    const date = (quote: string) => answered.find((row) => row.quote === quote)?.date;
    expect(date('UAH')).toBe('2026-03-21');
    expect(date('EUR')).toBe('2026-03-21');
    expect(date('GBP')).toBe('2026-03-21');
    expect(date('CHF')).toBe('2026-03-20');
    expect(date('MWK')).toBe('2026-03-10');
    expect(date('BIF')).toBeUndefined();
    expect(answered.every(({ base }) => base === 'EUR')).toBe(true);
    expect(Object.keys(answered[0] ?? {})).toEqual(['date', 'base', 'quote', 'rate']);
  });

  it('say up to which day they were looked for: tomorrow counts, the day after does not', async () => {
    const response = await fetch(`${api.url}/v2/rates`);
    expect(response.headers.get('x-rates-as-of')).toBe('2026-03-21');
    const dates = (await rows('')).map(({ date }) => date);
    expect(dates).not.toContain('2026-03-22');
  });

  it.each(BASES)('agree to the digit with the day and the range: %s', async (base) => {
    const newest = await rows(`?base=${base}`);
    expect(newest.length).toBeGreaterThan(5);
    const range = await rows(`?base=${base}&from=2026-03-07&to=2026-03-21`);
    for (const row of newest) {
      expect(expectedOn(row.date, base)).toContainEqual(row);
      expect(range).toContainEqual(row);
      expect(await rows(`?base=${base}&date=${row.date}&quotes=${row.quote}`)).toEqual([row]);
    }
    expect(await rows(`?base=${base}&date=2026-03-21`)).toEqual(newest);
  });

  it('of a day reach back 14 days and no further', async () => {
    const on = async (date: string) => (await rows(`?date=${date}&quotes=BIF`)).map((row) => row.date);
    expect(await on('2026-02-13')).toEqual(['2026-02-13']);
    expect(await on('2026-02-27')).toEqual(['2026-02-13']);
    expect(await on('2026-02-28')).toEqual([]);
    expect(await on('2025-02-28')).toEqual([]);
    expect(await on('2031-01-01')).toEqual([]);
  });

  it('go on from the last word of a store that has not heard for weeks', async () => {
    const later = await startApi(database, { clock: () => new Date('2026-07-01T00:00:00Z') });
    try {
      const response = await fetch(`${later.url}/v2/rates?quotes=UAH,USD`);
      expect(response.headers.get('x-rates-as-of')).toBe('2026-03-22');
      expect((await response.json()) as Row[]).toMatchObject([
        { quote: 'UAH', date: '2026-03-21' },
        { quote: 'USD', date: '2026-03-22' },
      ]);
    } finally {
      await later.close();
    }
  });

  it('of a store without any rates are none', async () => {
    const empty = await testDatabase();
    const bare = await startApi(empty);
    try {
      for (const path of [
        '/v2/rates',
        '/v2/rates?from=2026-01-01',
        '/v2/rates?providers=ECB',
        '/v2/rates?providers=ECB,BOC',
        '/v2/rates?expand=providers',
      ]) {
        const response = await fetch(`${bare.url}${path}`);
        expect(await response.text()).toBe('[]');
        expect(response.headers.has('x-rates-as-of')).toBe(false);
      }
      expect((await fetch(`${bare.url}/v2/rate/EUR/USD`)).status).toBe(404);
    } finally {
      await bare.close();
      await empty.close();
    }
  });
});

describe('a range', () => {
  it.each(BASES)('has the rows of all its dates and no others: %s', async (base) => {
    const expected: Row[] = [];
    for (let date = '2026-02-01'; date <= '2026-03-20'; date = addDays(date, 1)) {
      expected.push(...expectedOn(date, base));
    }
    expect(expected.length).toBeGreaterThan(100);
    expect(await rows(`?base=${base}&from=2026-02-01&to=2026-03-20`)).toEqual(expected);
  });

  it('ends today where no end is given', async () => {
    const dates = (await rows('?from=2026-03-18')).map(({ date }) => date);
    expect([...new Set(dates)]).toEqual(['2026-03-18', '2026-03-19', '2026-03-20']);
  });

  it('is empty where there is nothing', async () => {
    expect(await rows('?from=2026-04-01')).toEqual([]);
    expect(await rows('?from=1980-01-01&to=1980-12-31')).toEqual([]);
    expect(await rows('?base=ZWL&from=2026-03-01')).toEqual([]);
    expect(await rows('?from=2026-03-21&group=week')).toEqual([]);
  });

  it('filters quotes without changing a value', async () => {
    const all = await rows('?base=CAD&from=2026-03-01&to=2026-03-10');
    const some = await rows('?base=CAD&from=2026-03-01&to=2026-03-10&quotes=gbp,%20usd&quotes=CAD');
    expect(some).toEqual(all.filter(({ quote }) => ['CAD', 'GBP', 'USD'].includes(quote)));
    expect(new Set(some.map(({ quote }) => quote)).size).toBe(3);
  });

  it('has the base with 1 on a weekend on which others publish', async () => {
    expect(await rows('?base=CHF&from=2026-03-14&to=2026-03-14')).toEqual(expectedOn('2026-03-14', 'CHF'));
    expect(await rows('?base=CHF&from=2026-03-14&to=2026-03-14&quotes=CHF')).toEqual([
      { date: '2026-03-14', base: 'CHF', quote: 'CHF', rate: 1 },
    ]);
  });

  it.each(['week', 'month'] as const)('in %ss has a mean for each that it overlaps', async (group) => {
    const first = group === 'week' ? firstOfWeek : firstOfMonth;
    const answered = await rows(`?base=GBP&quotes=JPY,GBP&from=2026-02-04&to=2026-03-11&group=${group}`);
    const periods = [...new Set([...stored.keys()].map(first))]
      .filter((date) => date >= first('2026-02-04') && date <= first('2026-03-11'))
      .sort();
    const mean = (period: string, quote: string) => {
      const rates = [...stored]
        .filter(([date]) => first(date) === period)
        .flatMap(([, on]) => on.get(quote) ?? []);
      return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    };
    expect(answered).toEqual(
      periods.flatMap((date) => [
        { date, base: 'GBP', quote: 'GBP', rate: 1 },
        { date, base: 'GBP', quote: 'JPY', rate: roundForDisplay(mean(date, 'JPY') / mean(date, 'GBP')) },
      ]),
    );
  });
});

describe('one provider', () => {
  const own = raw.filter(({ provider }) => provider === 'ECB');

  it('is echoed in its own digits where it publishes the pair', async () => {
    const answered = await rows('?providers=ecb&from=2026-03-09&to=2026-03-13');
    for (const { date, base, quote, rate } of answered.filter(({ quote }) => quote !== 'EUR')) {
      expect(own).toContainEqual({ provider: 'ECB', date, base, quote, rate });
    }
    expect(answered.map(({ quote }) => quote).slice(0, 5)).toEqual(['CHF', 'EUR', 'GBP', 'JPY', 'USD']);
    expect(answered).toHaveLength(25);
  });

  it.each(['USD', 'GBP', 'JPY'])('is rebased within its own data: %s', async (base) => {
    // The bank quotes all others against the euro: what one euro costs of each, over what it costs of the base.
    const euroCosts = new Map(
      own.filter(({ date }) => date === '2026-03-20').map(({ quote, rate }) => [quote, rate] as const),
    );
    const baseCosts = euroCosts.get(base) ?? Number.NaN;
    const expected = [['EUR', 1] as const, ...euroCosts]
      .filter(([quote]) => quote !== base)
      .map(([quote, rate]) => ({ date: '2026-03-20', base, quote, rate: roundForDisplay(rate / baseCosts) }))
      .sort((one, other) => (one.quote < other.quote ? -1 : 1));
    expect(expected).toHaveLength(4);
    const newest = await rows(`?providers=ECB&base=${base}`);
    expect(newest.filter(({ quote }) => quote !== base)).toEqual(expected);
    expect(newest).toContainEqual({ date: '2026-03-20', base, quote: base, rate: 1 });
    expect(await rows(`?providers=ECB&base=${base}&from=2026-03-20&to=2026-03-20`)).toEqual(newest);
    expect(await rows(`?providers=ECB&base=${base}&date=2026-03-20`)).toEqual(newest);
  });

  it('has no pegs and nothing of others', async () => {
    expect(await rows('?providers=ECB&quotes=AED,CAD,DKK')).toEqual([]);
    expect(await rows('?providers=ECB&base=UAH')).toEqual([]);
  });

  it('is looked for up to its own newest day', async () => {
    const response = await fetch(`${api.url}/v2/rates?providers=BRB&base=USD`);
    expect(response.headers.get('x-rates-as-of')).toBe('2026-02-13');
    expect(await response.json()).toMatchObject([{ quote: 'BIF' }, { quote: 'USD', rate: 1 }]);
    expect(await rows('?providers=CBE&base=USD')).toEqual([]);
  });

  it('in weeks has the means of its own rows', async () => {
    const answered = await rows('?providers=ECB&quotes=USD&from=2026-03-04&to=2026-03-18&group=week');
    const mean = (period: string) => {
      const rates = own.filter(({ date, quote }) => quote === 'USD' && firstOfWeek(date) === period);
      return rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length;
    };
    expect(answered).toEqual(
      ['2026-03-02', '2026-03-09', '2026-03-16'].map((date) => ({
        date,
        base: 'EUR',
        quote: 'USD',
        rate: roundForDisplay(mean(date)),
      })),
    );
  });

  it('names itself as the source', async () => {
    const answered = await rows('?providers=ECB&quotes=EUR,USD&expand=providers&date=2026-03-22');
    const rate = own.find(({ date, quote }) => date === '2026-03-20' && quote === 'USD')?.rate;
    expect(answered).toEqual([
      { date: '2026-03-20', base: 'EUR', quote: 'EUR', rate: 1 },
      {
        date: '2026-03-20',
        base: 'EUR',
        quote: 'USD',
        rate,
        providers: [{ key: 'ECB', date: '2026-03-20', rate }],
      },
    ]);
  });
});

describe('a blend of a subset', () => {
  it('are blended alone, in whatever order and case', async () => {
    const answered = await rows('?providers=ECB,BOC&base=USD');
    expect(answered.map(({ quote }) => quote).sort()).toEqual(['CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD']);
    expect(await rows('?providers=boc&providers=%20ecb,ECB&base=USD')).toEqual(answered);
    const dollars = (base: string, quote: string, provider: string) =>
      raw.find(
        (row) =>
          row.provider === provider && row.date === '2026-03-20' && row.base === base && row.quote === quote,
      )?.rate ?? Number.NaN;
    const ecb = dollars('EUR', 'GBP', 'ECB') / dollars('EUR', 'USD', 'ECB');
    const boc = dollars('USD', 'CAD', 'BOC') / dollars('GBP', 'CAD', 'BOC');
    expect(answered.find(({ quote }) => quote === 'GBP')?.rate).toBe(roundForDisplay((ecb + boc) / 2));
  });

  it('agree between newest, day, range and base', async () => {
    const newest = await rows('?providers=ECB,NBU&base=GBP');
    expect(await rows('?providers=ECB,NBU&base=GBP&date=2026-03-21')).toEqual(newest);
    const range = await rows('?providers=ECB,NBU&base=GBP&from=2026-03-16&to=2026-03-21');
    for (const row of newest) expect(range).toContainEqual(row);
    const saturday = range.filter(({ date }) => date === '2026-03-21');
    expect(saturday.map(({ quote }) => quote)).toEqual(['EUR', 'GBP', 'UAH', 'USD']);
  });

  it('can be grouped and expanded', async () => {
    const [row] = await rows(
      '?providers=ECB,BOC&quotes=JPY&from=2026-03-09&to=2026-03-13&group=week&expand=providers',
    );
    expect(row).toMatchObject({ date: '2026-03-09', quote: 'JPY' });
    expect(row?.providers?.map(({ key, date }) => [key, date])).toEqual([
      ['BOC', '2026-03-09'],
      ['ECB', '2026-03-09'],
    ]);
    const rates = row?.providers?.map(({ rate }) => rate) ?? [];
    expect(row?.rate).toBeGreaterThanOrEqual(Math.min(...rates));
    expect(row?.rate).toBeLessThanOrEqual(Math.max(...rates));
  });
});

describe('expand=providers', () => {
  const findRow = (answered: Row[], quote: string, date?: string) =>
    answered.find((row) => row.quote === quote && (date === undefined || row.date === date));

  it('changes no rate', async () => {
    for (const query of [
      '?base=GBP',
      '?base=GBP&from=2026-03-10&to=2026-03-21',
      '?base=GBP&date=2026-03-15',
      '?base=GBP&from=2026-01-01&group=month',
    ]) {
      const plain = await rows(query);
      const expanded = await rows(`${query}&expand=providers`);
      expect(expanded.map(({ providers: _, ...row }) => row)).toEqual(plain);
    }
  });

  it('names every source with its own day and its rate in the base, by key', async () => {
    const jpy = findRow(await rows('?base=USD&expand=providers'), 'JPY');
    const published = (provider: string, date: string) =>
      raw.find(
        (row) => row.provider === provider && row.date === date && row.base === 'USD' && row.quote === 'JPY',
      )?.rate;
    expect(jpy?.providers?.map(({ key, date, excluded }) => [key, date, excluded])).toEqual([
      ['BOC', '2026-03-20', undefined],
      ['ECB', '2026-03-20', undefined],
      ['FRED', '2026-03-13', undefined],
      ['IMF', '2026-03-20', true],
    ]);
    expect(jpy?.providers?.[2]?.rate).toBe(roundForDisplay(published('FRED', '2026-03-13') ?? Number.NaN));
    expect(jpy?.providers?.[3]?.rate).toBe(roundForDisplay(published('IMF', '2026-03-20') ?? Number.NaN));
  });

  it('puts each row between its sources, in every base', async () => {
    for (const base of ['EUR', 'USD', 'JPY']) {
      const answered = await rows(`?base=${base}&expand=providers&from=2026-03-11&to=2026-03-16`);
      for (const { providers, rate, date, quote } of answered) {
        if (quote === base || quote === 'AED') continue;
        const counted = (providers ?? []).filter(({ excluded }) => !excluded);
        if (['EUR', 'GBP', 'JPY', 'USD', 'UAH', 'CAD'].includes(quote))
          expect(counted.length).toBeGreaterThan(0);
        for (const source of counted) expect(daysBetween(source.date, date)).toBeLessThanOrEqual(14);
        if (counted.length === 0) continue;
        const rates = counted.map((source) => source.rate);
        expect(rate).toBeGreaterThanOrEqual(Math.min(...rates) * 0.9999);
        expect(rate).toBeLessThanOrEqual(Math.max(...rates) * 1.0001);
      }
    }
  });

  it('is left out on the base and on pegged currencies', async () => {
    const answered = await rows('?expand=providers');
    expect(findRow(answered, 'AED')).toBeDefined();
    for (const quote of ['EUR', 'AED']) expect(findRow(answered, quote)).not.toHaveProperty('providers');
    for (const row of await rows('?base=AED&quotes=USD,GBP&expand=providers')) {
      expect('providers' in row).toBe(row.quote === 'GBP');
    }
  });

  it('gives in a month the mean of each source over its own days', async () => {
    const row = findRow(
      await rows('?base=USD&quotes=JPY&from=2026-02-01&to=2026-02-28&group=month&expand=providers'),
      'JPY',
    );
    const own = raw.filter(
      ({ provider, date, base }) =>
        provider === 'FRED' && base === 'USD' && firstOfMonth(date) === '2026-02-01',
    );
    const yen = own.filter(({ quote }) => quote === 'JPY').map(({ rate }) => rate);
    expect(yen).toHaveLength(20);
    expect(row?.providers?.map(({ key }) => key)).toEqual(['BOC', 'ECB', 'FRED', 'IMF']);
    expect(row?.providers?.[2]).toEqual({
      key: 'FRED',
      date: '2026-02-01',
      rate: roundForDisplay(yen.reduce((sum, rate) => sum + rate, 0) / yen.length),
    });
    expect(row?.providers?.[3]?.excluded).toBe(true);
  });
});

describe('a pair', () => {
  it('is one object, the same as in the list', async () => {
    for (const query of ['', '?date=2026-03-15', '?providers=ECB', '?expand=providers']) {
      const [row] = await rows(query === '' ? '?quotes=GBP' : `${query}&quotes=GBP`);
      const response = await fetch(`${api.url}/v2/rate/eur/Gbp${query}`);
      expect(await response.json()).toEqual(row);
      expect(response.headers.get('x-rates-as-of')).toMatch(/^2026-03-/);
    }
  });

  it('is 404 where there is none', async () => {
    expect((await refusal('/v2/rate/EUR/BIF', 404)).message).toMatch(
      /^no rate for EUR\/BIF: the newest is of 20\d\d-\d\d-\d\d, and a rate counts for 14 days$/,
    );
    expect((await refusal('/v2/rate/EUR/ZZZ', 404)).message).toBe('no such currency: ZZZ');
    await refusal('/v2/rate/EUR/USD?date=1990-01-01', 404);
    await refusal('/v2/rate/EUR/AED?providers=ECB', 404);
    await refusal('/v2/rate/EUR', 404);
  });

  it('takes no other parameters', async () => {
    expect((await refusal('/v2/rate/EUR/USD?from=2026-01-01')).at).toEqual(['from']);
    expect((await refusal('/v2/rate/EUR/USD?base=GBP')).at).toEqual(['base']);
  });
});

describe('what is wrong with a request', () => {
  it.each([
    ['?base=ZZZ', ['base'], 'invalid currency: ZZZ'],
    ['?quotes=USD,zzz', ['quotes'], 'invalid currency: ZZZ'],
    ['?providers=NOPE', ['providers'], 'invalid provider: NOPE'],
    ['?provider=ECB', ['provider'], 'unknown parameter: provider'],
    ['?expand=sources', ['expand'], 'expand must be providers, stats or quality, not sources'],
    ['?date=2025-02-30', ['date'], 'date must be YYYY-MM-DD: 2025-02-30 is no date'],
    ['?from=2025-1-1', ['from'], 'from must be YYYY-MM-DD: write 2025-01-01 for 2025-1-1'],
    ['?from=2026-01-01&to=yesterday', ['to'], 'to must be YYYY-MM-DD: yesterday is no date'],
    [
      '?from=2026-01-01&group=decade',
      ['group'],
      'group must be week, month, quarter, year or range, not decade',
    ],
    ['?from=2026-01-01&fill=back', ['fill'], 'must be forward'],
    ['?fill=forward', ['fill'], 'fill needs from'],
    ['?from=2026-01-01&fill=forward&group=week', ['fill'], 'use either fill or group'],
    ['?from=2026-01-01&fill_days=3', ['fill_days'], 'needs fill=forward'],
    ['?from=2026-01-01&fill=forward&fill_days=0', ['fill_days'], 'from 1 to 366'],
    ['?from=2026-01-01&fill=forward&fill_days=367', ['fill_days'], 'from 1 to 366'],
    ['?from=2026-01-01&expand=stats', ['expand'], 'stats needs group'],
    ['?precision=12', ['precision'], 'must be full'],
    ['?header=no', ['header'], 'must be on or off'],
    ['?to=2026-01-01', ['to'], 'to needs from'],
    ['?group=week', ['group'], 'group needs from'],
    ['?date=2026-01-01&group=week', ['group'], 'group needs from'],
    ['?date=2026-01-01&from=2026-01-01', ['date'], 'use either date, or from and to'],
    ['?date=2026-01-01&to=2026-01-01', ['date'], 'use either date, or from and to'],
    ['?from=2026-02-01&to=2026-01-01', ['from'], 'from is after to'],
    ['?base=USD&base=USD', ['base'], 'more than once'],
    ['?base=ZZZ&from=x', ['base', 'from'], 'invalid currency: ZZZ'],
  ])('is named: %s', async (query, at, message) => {
    const refused = await refusal(`/v2/rates${query}`);
    expect(refused.at).toEqual(at);
    expect(refused.message).toContain(message);
  });

  it('is not there where values are empty or in another case', async () => {
    const plain = await rows('?base=GBP&quotes=USD');
    expect(await rows('?base=%20gbp%20&quotes=usd&providers=&expand=&date=&from=&to=&group=')).toEqual(plain);
    expect(await rows('?base=GBP&quotes=,USD,')).toEqual(plain);
  });

  it('is not there for long ranges that cost little', async () => {
    expect((await rows('?from=1999-01-01&quotes=USD')).length).toBeGreaterThan(70);
    expect((await rows('?from=1999-01-01&quotes=USD&providers=ECB&expand=providers')).length).toBeGreaterThan(
      70,
    );
    expect((await rows('?from=1999-01-01&quotes=USD&group=month&expand=providers')).length).toBe(4);
    expect((await rows('?from=1999-01-01&quotes=USD&group=month&providers=ECB,BOC')).length).toBe(4);
  });

  it('is a 404 for another extension', async () => {
    await refusal('/v2/rates.xml', 404);
  });
});

describe('the description', () => {
  it('has examples that fit the schemas', () => {
    expect(z.array(rowSchema).parse(exampleRows)).toEqual(exampleRows);
    expect(rowSchema.parse(exampleRow)).toEqual(exampleRow);
  });

  it('covers the routes', async () => {
    const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
      paths: Record<string, unknown>;
    };
    for (const path of ['/v2/rates', '/v2/rate/{base}/{quote}', '/v2/rate/{base}/{quote}.txt']) {
      expect(document.paths).toHaveProperty([path, 'get', 'responses', '200']);
    }
  });
});
