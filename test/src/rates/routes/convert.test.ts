import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { METHOD, someRates } from '../../../support/rates.js';
import { sharedApi } from '../../../support/shared.js';
import { answers } from './golden.js';
import { type Answer, openRoutes } from './in-process.js';

const TODAY = '2026-03-20';
const at = (days: number) => fromDayNumber(dayNumber(TODAY) + days);
const FIRST = '2026-03-17T16:00:00Z';
const SECOND = '2026-03-18T16:00:00Z';
const THEN = [
  ...[`ECB ${at(-90)} EUR/USD 1.1`, `ECB ${at(-20)} EUR/USD 1.2`],
  ...[`BOC ${at(-4)} EUR/USD 1.25`, `ECB ${at(-20)} EUR/JPY 180`],
];
const routes = openRoutes({
  recorded: [
    { at: FIRST, rows: THEN },
    { at: SECOND, rows: [...THEN, `ECB ${at(-2)} EUR/USD 1.5`, `ECB ${at(1)} EUR/CHF 0.9`] },
  ],
  now: `${TODAY}T23:58:20Z`,
});
const PAIR = '/v2/convert/EUR/USD?amount=10';

/** How one amount is converted: the day that was asked for, that of its rate, and the result. */
const converted = (date: number, observed: number, rate: number, result: string) =>
  `10 ${at(date)} EUR/USD ${rate} = ${result} observed=${at(observed)}`;

describe('one conversion', () => {
  const none = expect.stringMatching(/^404 no rate for EUR\/USD (on|before) /);
  answers(routes, {
    // It is of the newest rate of the day, or of the day before it.
    [PAIR]: converted(1, -2, 1.36363636364, '13.64'),
    [`${PAIR}&date=${at(-2)}`]: converted(-2, -2, 1.36363636364, '13.64'),
    [`${PAIR}&date=${at(-2)}&when=before`]: converted(-2, -4, 1.25, '12.50'),
    [`${PAIR}&date=${at(-7)}&providers=ECB`]: converted(-7, -20, 1.2, '12.00'),
    // It reaches 14 days back, also as of an instant.
    [`${PAIR}&providers=ECB,NBU&date=${at(-76)}`]: converted(-76, -90, 1.1, '11.00'),
    [`${PAIR}&providers=ECB,NBU&date=${at(-75)}`]: none,
    [`${PAIR}&providers=ECB,NBU&date=${at(-75)}&when=before`]: converted(-75, -90, 1.1, '11.00'),
    [`${PAIR}&providers=ECB,NBU&date=${at(-90)}&when=before`]: none,
    [`${PAIR}&as_of=${FIRST}&date=${at(-75)}`]: none,
    [`${PAIR}&as_of=${FIRST}`]: converted(-4, -4, 1.25, '12.50'),
    [`${PAIR}&as_of=${FIRST}&date=${at(-3)}`]: converted(-3, -4, 1.25, '12.50'),
    // An amount with an exponent is shown without one.
    [`/v2/convert/EUR/USD?date=${at(-4)}&amount=1.25e-2`]:
      '0.0125 2026-03-16 EUR/USD 1.25 = 0.02 observed=2026-03-16',
    [`/v2/convert/EUR/USD?date=${at(-4)}&amount=-1E%2B2`]:
      '-100 2026-03-16 EUR/USD 1.25 = -125.00 observed=2026-03-16',
    '/v2/convert/EUR/USD': '422 amount: amount is required',
    '/v2/convert/EUR/KPW?amount=1': '404 no rate for EUR/KPW: there are no rates for KPW',
    '/v2/convert/EUR/ZZZ?amount=1': '404 no such currency: ZZZ',
    '/v2/convert/EUR/USD?amount=1e31':
      '422 amount: invalid amount: 1e31 (write a number of at most 30 digits such as 1250.00)',
  });

  it('is an object, a line or two lines of cells', async () => {
    const found =
      '{"amount":"10","base":"EUR","quote":"USD","date":"2026-03-16","observed":"2026-03-16","rate":1.25,"result":"12.50"}';
    const target = `/v2/convert/eur/usd?amount=10&date=${at(-4)}`;
    const textOf = async (accept: string) => (await routes.ask(target, { headers: { accept } })).text;
    expect(await textOf('application/json')).toBe(found);
    expect(await textOf('application/x-ndjson')).toBe(`${found}\n`);
    expect(await textOf('text/csv')).toBe(
      `amount,base,quote,date,observed,rate,result\n10,EUR,USD,${at(-4)},${at(-4)},1.25,12.50\n`,
    );
  });
});

describe('many conversions', () => {
  const LINE = { amount: '10', base: 'EUR', quote: 'USD' };
  const lines = (dates: readonly (number | undefined)[]) =>
    dates.map((days) => ({ ...LINE, date: days === undefined ? undefined : at(days) }));
  const post = (body: readonly object[], query = '', each = routes): Promise<Answer> =>
    each.ask(`/v2/convert${query}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const observed = async (dates: readonly (number | undefined)[], query: string) =>
    (JSON.parse((await post(lines(dates), query)).text) as { observed?: string; error?: string }[]).map(
      (line) => line.observed ?? line.error,
    );
  const none = expect.stringContaining('no rate for EUR/USD on ');

  it.each(['', '?providers=ECB,BOC', `?as_of=${SECOND}`, `?providers=ECB,BOC&as_of=${SECOND}`])(
    'are each of its own day, whatever order they are in (%s)',
    async (query) => {
      const dates = [-3, -88, -19, -2, -60];
      const expected = [at(-4), at(-90), at(-20), at(-2), none];
      expect(await observed(dates, query)).toEqual(expected);
      expect(await observed(dates.toReversed(), query)).toEqual(expected.toReversed());
      expect(await observed([-88], query)).toEqual([at(-90)]);
    },
  );

  it.each([
    // Without a day they are of the newest one, or of that of the request.
    ['', [-88, undefined], [at(-90), at(-2)]],
    ['', [undefined], [at(-2)]],
    [`?as_of=${FIRST}`, [undefined, -2], [at(-4), at(-4)]],
    [`?date=${at(-2)}&providers=ECB,BOC`, [undefined, -88], [at(-2), at(-90)]],
    [`?date=${at(-2)}&when=before`, [undefined, -19], [at(-4), at(-20)]],
    // They may be of days after the newest, beside those of the newest.
    [`?as_of=${SECOND}`, [900, undefined], [none, at(-2)]],
    ['', [900, undefined], [none, at(-2)]],
  ])('with %s of the days %j are of %j', async (query, dates, expected) => {
    expect(await observed(dates, query)).toEqual(expected);
  });

  it('are never kept, and say how they were blended where that is not as now', async () => {
    expect(await post(lines([undefined]))).toMatchObject({
      cacheControl: 'no-store',
      headers: {},
      tag: undefined,
      dataVersion: undefined,
    });
    const { headers } = await post(lines([undefined]), `?as_of=${FIRST}`);
    expect(headers).toEqual({ 'x-blend-method': METHOD, 'x-rates-as-of': at(-4) });
    expect((await post([])).text).toBe('[]');
  });

  it.each([
    [undefined, '[]', 'application/json'],
    ['application/json', '[]', 'application/json'],
    [' Text/CSV ;charset=x', 'amount,base,quote,date\n10,EUR,USD,2026-03-16\n', 'text/csv'],
    ['application/x-ndjson', '', 'application/x-ndjson'],
    ...['', 'text', 'text/cs', 'application/json5', 'application/xml'].map((type) => [type, '[]', undefined]),
  ])('of %s have the format of the request, or are refused: %j', async (given, body = '', type) => {
    const headers = given === undefined ? {} : { 'content-type': given };
    const answer = await routes.ask('/v2/convert', { body, headers });
    const message = 'the body must be application/json, application/x-ndjson or text/csv';
    expect(answer).toMatchObject(type ? { type: `${type}; charset=utf-8` } : { status: 415, message });
  });
});

describe('POST /v2/convert over HTTP', () => {
  async function post(body: string, type: string): Promise<unknown[]> {
    const { url } = await sharedApi(someRates(), { now: `${TODAY}T12:00:00Z` });
    const headers = { 'content-type': type };
    const response = await fetch(`${url}/v2/convert`, { method: 'POST', headers, body });
    return [response.status, response.headers.get('content-type'), await response.text()];
  }

  it('converts CSV', async () => {
    const body = 'id,amount,base,quote,date\n"a,""b""",100,EUR,XOF,2026-03-10\n';
    const heading = 'amount,base,quote,date,observed,rate,result,id,error';
    const line = '100,EUR,XOF,2026-03-10,2026-03-10,655.957,65596,"a,""b""",';
    expect(await post(body, 'text/csv')).toEqual([200, 'text/csv; charset=utf-8', `${heading}\n${line}\n`]);
  });

  it.each([
    ['[{]', 'application/json', 422, 'is not valid JSON'],
    ['a=1', 'application/x-www-form-urlencoded', 415, 'text/csv'],
    [`[${' '.repeat(2 * 1024 * 1024)}]`, 'application/json', 413, ''],
  ])('refuses what it can not read: %.20s', async (body, type, status, message) => {
    const [found, , text] = await post(body, type);
    expect([found, JSON.parse(String(text)).message]).toEqual([status, expect.stringContaining(message)]);
  });
});
