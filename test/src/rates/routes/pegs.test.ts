import { describe, expect, it } from 'vitest';
import { answers, routesOn, shown } from './golden.js';

/** The euro and the franc have rates on different days, and the euro changes. */
const ROWS = [
  ...['ECB 2026-03-02 EUR/USD 1.1', 'ECB 2026-03-04 EUR/USD 1.2', 'ECB 2026-03-05 EUR/USD 1.3'],
  ...['BCEAO 2026-03-02 USD/XOF 590', 'BCEAO 2026-03-03 USD/XOF 580', 'BCEAO 2026-03-06 USD/XOF 540'],
  ...['NBU 2026-03-04 USD/JPY 150', 'BOC 2026-03-09 USD/JPY 151'],
];
const NOW = '2026-03-31T12:00:00Z';
const routes = routesOn(ROWS, NOW);
const GROUPS = ['week', 'month', 'quarter', 'year', 'range'];
const WEEK = 'from=2026-03-02&to=2026-03-06';

describe('the mean of a pegged currency in a period inside its peg', () => {
  it.each(GROUPS)('is its peg against its anchor: group=%s', async (group) => {
    const mean = async (base: string, quote: string) =>
      routes.json<{ rate: number }[]>(
        `/v2/rates?${WEEK}&group=${group}&base=${base}&quotes=${quote}&precision=full`,
      );
    expect(await mean('EUR', 'XOF')).toMatchObject([{ rate: 655.957 }]);
    expect(await mean('XOF', 'EUR')).toMatchObject([{ rate: 0.00152449017237 }]);
    expect(await mean('USD', 'AED')).toMatchObject([{ rate: 3.6725 }]);
    expect(await mean('XOF', 'XAF')).toMatchObject([{ rate: 1 }]);
    expect(await mean('AED', 'SAR')).toMatchObject([{ rate: 1.02110279101 }]);
    const [[euro], [franc]] = [await mean('EUR', 'JPY'), await mean('XOF', 'JPY')];
    expect((euro?.rate ?? 0) / (franc?.rate ?? 0)).toBeCloseTo(655.957, 6);
    expect(await mean('EUR', 'XOF&providers=BCEAO,ECB')).not.toMatchObject([{ rate: 655.957 }]);
  });

  it.each(['XOF', 'AED'])(
    'is none in a week in which only its anchor has rates, as on each day: %s',
    async (code) => {
      const euro = ['ECB 2026-03-02 EUR/USD 1.1', 'ECB 2026-03-10 EUR/USD 1.25'];
      const pegged = ['BCEAO 2026-03-02 USD/XOF 590', 'CBR 2026-03-02 USD/AED 3.7'];
      const among = routesOn([...euro, ...pegged], NOW);
      for (const pair of [
        `base=${code}&quotes=EUR,USD`,
        `base=EUR&quotes=${code}`,
        `base=USD&quotes=${code}`,
      ]) {
        for (const group of ['', '&group=week']) {
          const path = `/v2/rates?from=2026-03-09&to=2026-03-15&${pair}${group}`;
          expect([path, await shown(among, path)]).toEqual([path, '[]']);
        }
      }
    },
  );
});

describe('a period in which a peg begins or ends', () => {
  const changing = routesOn(
    [
      ...['ECB 2014-12-30 EUR/USD 1.2', 'CBR 2014-12-30 USD/TMT 2.85', 'CBR 2014-12-31 USD/TMT 2.85'],
      'CBR 2015-01-02 USD/TMT 3.5',
      // The franc of West Africa, before it was pegged to the euro and after.
      ...['BCEAO 1998-12-28 USD/XOF 560', 'BCEAO 1999-01-06 USD/XOF 565', 'FRED 1998-12-28 EUR/USD 1.17'],
      ...['FRED 1998-12-30 EUR/USD 1.18', 'FRED 1999-01-01 EUR/USD 1.19', 'FRED 1999-01-05 EUR/USD 1.16'],
    ],
    NOW,
  );
  answers(changing, {
    // The mean of its days, and their sources.
    '/v2/rates?from=2014-12-29&to=2015-01-04&group=week&base=USD&quotes=TMT&precision=full&expand=quality,providers':
      expect.stringMatching(/TMT 3.06666666667 providers=\[\{"key":"CBR",.*quality=\{"sources":1,/),
    '/v2/rates?from=2015-01-01&to=2015-01-31&group=month&base=USD&quotes=TMT&expand=quality,providers':
      '[2015-01-01 USD/TMT 3.5 quality={"peg":true}]',
    // It has its peg from the first day of it, and its own rates before.
    '/v2/rates?base=XOF&quotes=USD&from=1998-12-28&to=1999-01-06':
      '[1998-12-28 XOF/USD 0.0017857, 1999-01-01 XOF/USD 0.0018141, 1999-01-05 XOF/USD 0.0017684, 1999-01-06 XOF/USD 0.0017684]',
  });
});

describe('a currency that is retired', () => {
  const retired = routesOn(
    [
      ...['ECB 2025-06-27 EUR/USD 1.2', 'ECB 2025-06-30 EUR/USD 1.25'],
      ...['ECB 2025-07-01 EUR/USD 1.3', 'ECB 2025-07-04 EUR/USD 1.35', 'ECB 2025-07-15 EUR/USD 1.3'],
    ],
    '2025-07-15T12:00:00Z',
  );
  const LAST = '2025-06-30 USD/ANG 1.79';
  const BACK = '2025-06-30 ANG/USD 0.55866';

  answers(retired, {
    // It has no rates after its last day, in either direction.
    '/v2/rates?base=USD&quotes=ANG&from=2025-06-30&to=2025-07-04': `[${LAST}]`,
    '/v2/rates?base=ANG&quotes=USD&from=2025-06-30&to=2025-07-04': `[${BACK}]`,
    '/v2/rates?base=ANG&quotes=USD&date=2025-07-04': `[${BACK}]`,
    '/v2/rates?from=2025-06-23&to=2025-07-15&base=USD&quotes=ANG&group=week':
      '[2025-06-23 USD/ANG 1.79, 2025-06-30 USD/ANG 1.79]',
    // It has no newest rates once its last day is two weeks old.
    '/v2/rates?base=USD&quotes=ANG': '[]',
    '/v2/rates?base=ANG&quotes=USD': '[]',
    // It is filled forward with its last rate.
    '/v2/rates?base=USD&quotes=ANG&from=2025-06-30&to=2025-07-02&fill=forward&fill_days=1':
      '[2025-06-30 USD/ANG 1.79 observed=2025-06-30, 2025-07-01 USD/ANG 1.79 observed=2025-06-30]',
    '/v2/rates?base=ANG&quotes=EUR&from=2025-07-01&to=2025-07-01&fill=forward':
      '[2025-07-01 ANG/EUR 0.44693 observed=2025-06-30]',
    '/v2/convert/USD/ANG?amount=100&date=2025-07-04':
      '100 2025-07-04 USD/ANG 1.79 = 179.00 observed=2025-06-30',
    '/v2/convert/USD/ANG?amount=100&date=2025-07-20': expect.stringMatching(/^404 /),
  });
});
