import { describe, expect, it } from 'vitest';
import { CLOSED } from '../../../../src/http/representation.js';
import { openRoutes } from './in-process.js';

const FIRST = '2026-03-10T16:00:00Z';
const THEN = [
  'ECB 2025-06-27 EUR/USD 1.2',
  'ECB 2025-07-04 EUR/USD 1.25',
  'ECB 2026-02-27 EUR/USD 1.1815',
  'ECB 2026-03-02 EUR/USD 1.1698',
  'ECB 2026-03-02 EUR/GBP 0.87',
  'ECB 2026-03-03 EUR/GBP 0.88',
  'BOC 2026-03-03 EUR/USD 1.16',
  'BOC 2026-03-03 USD/CAD 1.37',
];
const { ask, json } = openRoutes({
  recorded: [
    { at: FIRST, rows: THEN },
    { at: '2026-03-20T09:00:00Z', rows: [...THEN, 'ECB 2026-03-01 EUR/USD 1.17'] },
  ],
  now: '2026-03-20T12:00:00Z',
});
// The last Friday of February; the month ends on a Saturday.
const FRIDAY = '2026-02-27';
const SATURDAY = '2026-02-28';
const MONDAY = '2026-03-02';
const KNOWN = `as_of=${FIRST}`;

interface Row {
  date: string;
  quote: string;
  rate: number;
}
const found = async (query: string) =>
  (await json<Row[]>(`/v2/rates?${query}`)).map(({ date, quote, rate }) => `${date} ${quote} ${rate}`);

describe('when=next', () => {
  it('is the first rate of the day or later: what is due for February by ECB', async () => {
    const query = `date=${SATURDAY}&when=next&providers=ECB&${KNOWN}`;
    expect(await json(`/v2/convert/USD/EUR?amount=10000&${query}`)).toEqual({
      amount: '10000',
      base: 'USD',
      quote: 'EUR',
      date: SATURDAY,
      observed: MONDAY,
      rate: 0.85484698239,
      result: '8548.47',
    });
    expect(await json(`/v2/rate/EUR/USD?${query}`)).toMatchObject({ date: MONDAY, rate: 1.1698 });
    expect(await found(`quotes=GBP,USD&${query}`)).toEqual([`${MONDAY} GBP 0.87`, `${MONDAY} USD 1.1698`]);
    expect(await json(`/v2/rate/EUR/USD?date=${FRIDAY}&when=next&${KNOWN}`)).toMatchObject({ date: FRIDAY });
  });

  it.each([
    ['of the blend', '', [`${MONDAY} GBP 0.87`, '2026-03-03 CAD 1.5893', `${MONDAY} USD 1.1698`]],
    [
      'of some providers',
      '&providers=ECB,BOC',
      [`${MONDAY} GBP 0.87`, '2026-03-03 CAD 1.5893', `${MONDAY} USD 1.1698`],
    ],
  ])(
    'is of each quote its own first row %s, with its sources where these are wanted',
    async (_which, source, rows) => {
      const query = `quotes=USD,GBP,CAD&date=${SATURDAY}&when=next&${KNOWN}${source}`;
      const expected = [...rows].sort();
      expect((await found(query)).map((row) => row.replace(/CAD .*/, 'CAD 1.5893')).sort()).toEqual(expected);
      const expanded = await json<(Row & { providers: { key: string }[]; quality: { age_days: number } })[]>(
        `/v2/rates?${query}&expand=providers,quality`,
      );
      expect(expanded.map(({ date, quote }) => `${date} ${quote}`).sort()).toEqual(
        expected.map((row) => row.slice(0, 14)),
      );
      const dollar = expanded.find(({ quote }) => quote === 'USD');
      expect(dollar?.providers.map(({ key }) => key)).toEqual(['ECB']);
      expect(dollar?.quality.age_days).toBe(0);
    },
  );

  it('is of what is known by now, or was then', async () => {
    const query = `/v2/rate/EUR/USD?date=${SATURDAY}&when=next`;
    for (const source of ['', '&providers=ECB', '&providers=ECB,BOC']) {
      expect(await json(query + source)).toMatchObject({ date: '2026-03-01', rate: 1.17 });
      expect(await json(`${query}${source}&${KNOWN}`)).toMatchObject({ date: MONDAY });
    }
  });

  it('is of a rate that is set for a period the first that becomes valid', async () => {
    const rows = ['HMRC 2026-02-01 GBP/USD 1.3', 'HMRC 2026-03-01 GBP/USD 1.35'];
    const { ask, json } = openRoutes({ recorded: [{ at: FIRST, rows }], now: '2026-03-20T12:00:00Z' });
    const query = (date: string) => `/v2/rate/GBP/USD?providers=HMRC&when=next&date=${date}`;
    for (const date of ['2026-02-15', '2026-03-01'])
      expect(await json(query(date))).toMatchObject({
        date: '2026-03-01',
        rate: 1.35,
        valid_to: '2026-03-31',
      });
    expect(await ask(query('2026-02-14'))).toMatchObject({ status: 404 });
    expect(await json('/v2/convert/GBP/USD?providers=HMRC&amount=1&when=next&date=2026-02-20')).toMatchObject(
      {
        date: '2026-02-20',
        observed: '2026-03-01',
      },
    );
  });

  it('holds to pegs, and ends with a currency that is retired', async () => {
    expect(await json(`/v2/rate/EUR/XOF?date=${SATURDAY}&when=next&${KNOWN}`)).toMatchObject({
      date: MONDAY,
      rate: 655.957,
    });
    for (const pair of ['USD/ANG', 'ANG/USD']) {
      const at = async (date: string) => (await ask(`/v2/rate/${pair}?date=${date}&when=next`)).status;
      expect([await at('2025-06-20'), await at('2025-06-28'), await at('2025-07-01')]).toEqual([
        200, 404, 404,
      ]);
    }
  });

  it.each(['', '&providers=ECB', '&providers=ECB,BOC'])(
    'reaches 14 days, and says between which days there is none%s',
    async (source) => {
      for (const target of ['/v2/rate/EUR/USD?', '/v2/convert/EUR/USD?amount=1&', '/v2/rate/EUR/USD.txt?'])
        expect(await ask(`${target}date=2026-03-04&when=next${source}`)).toMatchObject({
          status: 404,
          message: expect.stringMatching(
            /^no rate for EUR\/USD from 2026-03-04 to 2026-03-18: (the newest is of 2026-03-0[23]|there is none in the 14 days from then on)$/,
          ),
        });
      const rate = async (date: string) =>
        (await ask(`/v2/rate/EUR/USD?when=next&date=${date}${source}`)).status;
      expect([await rate('2025-06-20'), await rate('2025-06-19')]).toEqual([200, 200]);
      expect([await rate('2026-02-13'), await rate('2026-02-12')]).toEqual([200, 404]);
    },
  );

  it('may be of the last day of all, which has none', async () => {
    for (const last of ['when=next', 'rule=eu-oss'])
      expect(await ask(`/v2/convert/USD/EUR?amount=1&date=9999-12-31&${last}`)).toMatchObject({
        status: 404,
        message: expect.stringContaining('from 9999-12-31 to 9999-12-31'),
      });
  });

  it('is of each line its own', async () => {
    const lines = [SATURDAY, '2026-03-03', '2026-03-04', undefined].map((date) => ({
      amount: '1',
      base: 'EUR',
      quote: 'USD',
      date,
    }));
    for (const source of ['', '&providers=ECB,BOC']) {
      const answer = await ask(`/v2/convert?when=next&date=2025-06-20&${KNOWN}${source}`, {
        body: JSON.stringify(lines),
      });
      expect(
        (JSON.parse(answer.text) as Record<string, string>[]).map((line) => line.observed ?? line.error),
      ).toEqual([
        MONDAY,
        '2026-03-03',
        'no rate for EUR/USD from 2026-03-04 to 2026-03-18: there is none in the 14 days from then on',
        '2025-06-27',
      ]);
    }
  });

  it('is closed only once none can come any more', async () => {
    const cacheControl = async (date: string) => (await ask(`/v2/rates?when=next&date=${date}`)).cacheControl;
    expect(await cacheControl('2026-03-05')).toBe(CLOSED);
    expect(await cacheControl('2026-03-06')).toMatch(/^public, max-age=\d+, stale/);
  });
});

describe('when=before', () => {
  it.each(['', '&providers=ECB', '&providers=ECB,BOC'])(
    'is the last rate strictly before the day%s',
    async (source) => {
      const query = `date=${MONDAY}&when=before&${KNOWN}${source}`;
      expect(await found(`quotes=USD&${query}`)).toEqual([`${FRIDAY} USD 1.1815`]);
      expect(await json(`/v2/rate/EUR/USD?${query}`)).toMatchObject({ date: FRIDAY, rate: 1.1815 });
      expect((await ask(`/v2/rate/EUR/USD?${query}`)).headers).toMatchObject({ 'x-blend-method': '2' });
    },
  );

  it('is of a provider on the route of its own', async () => {
    const row = await json(`/v2/providers/ECB/rate/EUR/USD?date=${MONDAY}&when=before&${KNOWN}`);
    expect(row).toMatchObject({ date: FRIDAY });
  });
});

describe.each(['before', 'next'])('when=%s', (when) => {
  it.each([
    '/v2/rates?',
    '/v2/rates.csv?from=2026-03-01&',
    '/v2/rate/EUR/USD?',
    '/v2/convert/EUR/USD?amount=1&',
  ])('needs a day: %s', async (target) => {
    expect(await ask(`${target}when=${when}`)).toMatchObject({
      status: 422,
      message: 'when needs date: add the day that it is counted from',
      faults: [{ parameter: 'when' }],
    });
  });
});

it('of another word is refused by its name', async () => {
  expect(await ask(`/v2/rates?date=${MONDAY}&when=after`)).toMatchObject({
    status: 422,
    message: 'when must be before or next, not after',
  });
});
