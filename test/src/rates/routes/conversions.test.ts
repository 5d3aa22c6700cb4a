import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { CLOSED, PAST } from '../../../../src/http/representation.js';
import { type Answer, openRoutes } from './in-process.js';

const TODAY = '2026-03-20';
const at = (days: number) => fromDayNumber(dayNumber(TODAY) + days);
const FIRST = '2026-03-17T16:00:00Z';
const SECOND = '2026-03-18T16:00:00Z';
const THEN = [
  `ECB ${at(-90)} EUR/USD 1.1`,
  `ECB ${at(-20)} EUR/USD 1.2`,
  `BOC ${at(-4)} EUR/USD 1.25`,
  `ECB ${at(-20)} EUR/JPY 180`,
];
const recorded = [
  { at: FIRST, rows: THEN },
  { at: SECOND, rows: [...THEN, `ECB ${at(-2)} EUR/USD 1.5`, `ECB ${at(1)} EUR/CHF 0.9`] },
];
const routes = openRoutes({ recorded, now: `${TODAY}T23:58:20Z` });
const nextDay = openRoutes({ recorded, now: `${at(1)}T12:00:00Z` });
const before = openRoutes({ recorded: recorded.slice(0, 1), now: `${TODAY}T23:58:20Z` });
const { ask, json } = routes;

interface Converted {
  date?: string;
  observed?: string;
  rate?: number;
  error?: string;
}

const PAIR = '/v2/convert/EUR/USD?amount=10';
const accepting = (accept: string) => ({ headers: { accept } });

describe('one conversion', () => {
  it('is of the newest rate of the day, or of the day before it', async () => {
    const found = async (rest: string) => {
      const { date, observed } = await json<Converted>(`${PAIR}${rest}`);
      return [date, observed];
    };
    expect(await found('')).toEqual([at(1), at(1)]);
    expect(await found(`&date=${at(-2)}`)).toEqual([at(-2), at(-2)]);
    expect(await found(`&date=${at(-2)}&when=before`)).toEqual([at(-2), at(-4)]);
    expect(await found(`&date=${at(-7)}&providers=ECB`)).toEqual([at(-7), at(-20)]);
  });

  it('reaches 14 days back', async () => {
    const status = async (rest: string) => (await ask(`${PAIR}&providers=ECB,NBU&date=${rest}`)).status;
    expect(await status(at(-76))).toBe(200);
    expect(await status(at(-75))).toBe(404);
    expect(await status(`${at(-75)}&when=before`)).toBe(200);
    expect(await status(`${at(-90)}&when=before`)).toBe(404);
  });

  it('as of an instant reaches as far back', async () => {
    const status = async (rest: string) => (await ask(`${PAIR}&as_of=${FIRST}&date=${rest}`)).status;
    expect(await status(at(-76))).toBe(200);
    expect(await status(at(-75))).toBe(404);
    expect(await status(`${at(-75)}&when=before`)).toBe(200);
  });

  it('is an object, a line or two lines of cells', async () => {
    const found = {
      amount: '10',
      base: 'EUR',
      quote: 'USD',
      date: at(-4),
      observed: at(-4),
      rate: 1.25,
      result: '12.50',
    };
    const target = `/v2/convert/eur/usd?amount=10&date=${at(-4)}`;
    expect(await ask(target)).toMatchObject({
      text: JSON.stringify(found),
      type: 'application/json; charset=utf-8',
    });
    expect(await ask(target, accepting('application/x-ndjson'))).toMatchObject({
      text: `${JSON.stringify(found)}\n`,
      type: 'application/x-ndjson; charset=utf-8',
    });
    expect(await ask(target, accepting('text/csv'))).toMatchObject({
      text: `amount,base,quote,date,observed,rate,result\n10,EUR,USD,${at(-4)},${at(-4)},1.25,12.50\n`,
      type: 'text/csv; charset=utf-8',
    });
  });

  it('is closed where its day is over, and else moving until the end of the day', async () => {
    expect(await ask(`${PAIR}&date=${at(-1)}`)).toMatchObject({
      cacheControl: CLOSED,
      vary: ['accept'],
      dataVersion: '2',
    });
    for (const open of ['', `&date=${TODAY}`])
      expect([open, (await ask(PAIR + open)).cacheControl]).toEqual([
        open,
        'public, max-age=100, stale-while-revalidate=60, stale-if-error=86400',
      ]);
  });

  it('has a tag for all that it depends on, and for the day only as long as that is not over', async () => {
    const tag = async (target: string, each = routes, request = {}) => (await each.ask(target, request)).tag;
    const closed = `${PAIR}&date=${at(-1)}`;
    expect(await tag(closed)).toBe(await tag(closed, nextDay));
    expect(await tag(`${PAIR}&providers=ECB,BOC`)).toBe(await tag(`${PAIR}&providers=boc,ecb`));
    const tags = [
      await tag(PAIR),
      await tag(PAIR, nextDay),
      await tag(PAIR, before),
      await tag(PAIR, routes, accepting('text/csv')),
      await tag(PAIR.replace('10', '11')),
      await tag(PAIR.replace('EUR/USD', 'USD/EUR')),
      await tag(`${PAIR}&providers=ECB`),
      await tag(`${PAIR}&providers=ECB,BOC`),
      await tag(closed),
      await tag(closed, before),
      await tag(`${closed}&when=before`),
      await tag(`${PAIR}&date=${at(-2)}`),
      await tag(`${PAIR}&as_of=${FIRST}`),
      await tag(`${PAIR}&as_of=2026-03-18T00:00:00Z`),
      await tag(`${PAIR}&as_of=${SECOND}`),
      await tag(`${PAIR}&date=${at(-4)}&as_of=${FIRST}`),
    ];
    expect(tags).not.toContain(undefined);
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('as of an instant is that of its time, for a day', async () => {
    const past = await ask(`${PAIR}&as_of=${FIRST}`);
    expect(past).toMatchObject({
      cacheControl: PAST,
      vary: ['accept'],
      dataVersion: '2',
      headers: { 'x-blend-method': '2', 'x-rates-as-of': at(-4) },
    });
    expect(JSON.parse(past.text)).toMatchObject({ date: at(-4), rate: 1.25 });
    const own = await json<Converted>(`${PAIR}&as_of=${FIRST}&providers=ECB`);
    expect(own).toMatchObject({ date: at(-20), rate: 1.2 });
    expect(await json(`${PAIR}&as_of=${FIRST}&date=${at(-3)}`)).toMatchObject({ date: at(-3), rate: 1.25 });
  });

  it('is of an amount with an exponent, and shows it without one', async () => {
    for (const [given, amount] of [
      ['1e3', '1000'],
      ['1.25e-2', '0.0125'],
      ['-1E%2B2', '-100'],
    ] as const) {
      const target = `/v2/convert/EUR/USD?date=${at(-4)}&amount=`;
      const { text, tag } = await ask(target + given);
      expect(JSON.parse(text)).toMatchObject({ amount });
      expect([text, tag]).toEqual([(await ask(target + amount)).text, (await ask(target + amount)).tag]);
    }
  });

  it('of no rate, of no amount or of half a day is refused', async () => {
    expect(await ask('/v2/convert/EUR/KPW?amount=1')).toMatchObject({
      status: 404,
      message: 'no rate for EUR/KPW: there are no rates of KPW',
    });
    expect(await ask('/v2/convert/EUR/ZZZ?amount=1')).toMatchObject({
      status: 404,
      message: 'no such currency: ZZZ',
    });
    expect(await ask(`${PAIR}&when=before`)).toMatchObject({
      status: 422,
      message: 'when needs date: add the day that it is counted from',
      faults: [{ parameter: 'when' }],
    });
    expect(await ask(PAIR.replace('10', '1e31'))).toMatchObject({
      status: 422,
      message: 'invalid amount: 1e31 (write a number of at most 30 digits such as 1250.00)',
      faults: [{ parameter: 'amount' }],
    });
  });
});

describe('official rates', () => {
  it.each(['/v2/convert/GBP/USD?amount=1&', '/v2/coverage?'])(
    'are not blended with others: %s',
    async (target) => {
      expect(await ask(`${target}providers=HMRC,ECB`)).toMatchObject({
        status: 422,
        faults: [{ parameter: 'providers' }],
      });
    },
  );
});

describe('many conversions', () => {
  const JSON_LINES = { 'content-type': 'application/json' };
  const post = (lines: readonly object[], query = '', each = routes): Promise<Answer> =>
    each.ask(`/v2/convert${query}`, { body: JSON.stringify(lines), headers: JSON_LINES });
  const line = (date?: string) => ({ amount: '10', base: 'EUR', quote: 'USD', date });
  const observed = async (dates: readonly (string | undefined)[], query: string) =>
    (JSON.parse((await post(dates.map(line), query)).text) as Converted[]).map(
      ({ observed: day, error }) => day ?? error,
    );

  it.each(['', '?providers=ECB,BOC', `?as_of=${SECOND}`, `?providers=ECB,BOC&as_of=${SECOND}`])(
    'are each of its own day, whatever order they are in (%s)',
    async (query) => {
      const dates = [at(-3), at(-88), at(-19), at(-2), at(-60)];
      const expected = [at(-4), at(-90), at(-20), at(-2), expect.stringContaining('no rate for EUR/USD on ')];
      expect(await observed(dates, query)).toEqual(expected);
      expect(await observed(dates.toReversed(), query)).toEqual(expected.toReversed());
      expect(await observed([at(-88)], query)).toEqual([at(-90)]);
    },
  );

  it('without a day are of the newest one, or of that of the request', async () => {
    for (const query of ['?providers=ECB,BOC', '']) {
      expect(await observed([at(-88), undefined], query)).toEqual([at(-90), at(1)]);
      expect(await observed([undefined], query)).toEqual([at(1)]);
    }
    expect(await observed([undefined, at(-2)], `?as_of=${FIRST}`)).toEqual([at(-4), at(-4)]);
    expect(await observed([undefined, at(-88)], `?date=${at(-2)}&providers=ECB,BOC`)).toEqual([
      at(-2),
      at(-90),
    ]);
    expect(await observed([undefined, at(-19)], `?date=${at(-2)}&when=before`)).toEqual([at(-4), at(-20)]);
  });

  it('may be of days after the newest, beside those of the newest', async () => {
    for (const query of [`?as_of=${SECOND}`, '', '?providers=ECB,BOC']) {
      const found = await observed([at(900), undefined], query);
      expect([query, found]).toEqual([
        query,
        [expect.stringContaining('no rate for EUR/USD on '), query.includes('as_of') ? at(-2) : at(1)],
      ]);
    }
  });

  it('are none where nothing was stored', async () => {
    const each = openRoutes({ recorded: [{ at: FIRST, rows: [] }], now: `${TODAY}T12:00:00Z` });
    for (const query of ['', `?as_of=${FIRST}`]) {
      const { text, headers } = await post([line(), line(at(-2))], query, each);
      expect((JSON.parse(text) as Converted[]).map(({ error }) => error)).toEqual([
        'no rate for EUR/USD: there are no rates yet',
        `no rate for EUR/USD on ${at(-2)}: there ${query === '' ? 'are no rates of EUR' : 'is none in the 14 days up to then'}`,
      ]);
      expect(headers).toEqual(query === '' ? {} : { 'x-blend-method': '2' });
    }
    expect(await each.ask(PAIR)).toMatchObject({
      status: 404,
      message: 'no rate for EUR/USD: there are no rates yet',
    });
  });

  it('are never kept, and say how they were blended where that is not as now', async () => {
    expect(await post([line()])).toMatchObject({
      cacheControl: 'no-store',
      headers: {},
      tag: undefined,
      dataVersion: undefined,
    });
    expect((await post([line()], `?as_of=${FIRST}`)).headers).toEqual({
      'x-blend-method': '2',
      'x-rates-as-of': at(-4),
    });
  });

  it('may be none', async () => {
    expect((await post([])).text).toBe('[]');
  });

  it('have the format of the request, which is JSON where none is named', async () => {
    const csv = 'amount,base,quote,date\n10,EUR,USD,2026-03-16\n';
    const type = async (contentType: string | undefined, body: string) =>
      (
        await ask('/v2/convert', {
          body,
          headers: contentType === undefined ? {} : { 'content-type': contentType },
        })
      ).type;
    expect(await type(undefined, '[]')).toBe('application/json; charset=utf-8');
    expect(await type('application/json', '[]')).toBe('application/json; charset=utf-8');
    expect(await type(' Text/CSV ;charset=x', csv)).toBe('text/csv; charset=utf-8');
    expect(await type('application/x-ndjson', '')).toBe('application/x-ndjson; charset=utf-8');
    for (const other of ['', 'text', 'text/cs', 'application/json5', 'application/xml']) {
      const refused = await ask('/v2/convert', { body: '[]', headers: { 'content-type': other } });
      expect([other, refused.status, refused.message]).toEqual([
        other,
        415,
        'the body must be application/json, application/x-ndjson or text/csv',
      ]);
    }
  });

  it('cost as much as the most lines, and take two mebibytes of text', async () => {
    const each = openRoutes({ recorded, now: `${TODAY}T12:00:00Z` });
    expect(await each.cost('/v2/convert', 'post')).toEqual({ rows: 10_000, rawDays: 0 });
    const route = each.routes.find(({ method }) => method === 'post');
    expect(route).toMatchObject({ body: 'text', largestBody: 2_097_152 });
  });
});
