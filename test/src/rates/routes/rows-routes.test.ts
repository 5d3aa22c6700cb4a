import { describe, expect, it } from 'vitest';
import { openRoutes } from './in-process.js';

const ROWS = ['ECB 2026-03-17 EUR/USD 1.2', 'BOC 2026-03-18 EUR/USD 1.5', 'BOC 2026-03-18 EUR/CAD 1.6'];
const open = (...more: string[]) =>
  openRoutes({
    recorded: [{ at: '2026-03-18T16:00:00Z', rows: [...ROWS, ...more] }],
    now: '2026-03-20T12:00:00Z',
  });
const { ask, json } = open();
const accepting = (accept: string) => ({ headers: { accept } });
const [JSON_TYPE, NDJSON, CSV] = [
  'application/json; charset=utf-8',
  'application/x-ndjson; charset=utf-8',
  'text/csv; charset=utf-8',
];

describe('the routes of rates', () => {
  it('are these, in this order', () => {
    const listed = open().routes.map(({ method, path }) => `${method} ${path}`);
    expect(listed).toEqual([
      ...['get /v2/rates', 'get /v2/rates.json', 'get /v2/rates.ndjson', 'get /v2/rates.csv'],
      // A bare number before the pair, of which the quote would take its extension.
      ...['get /v2/rate/:base/:quote.txt', 'get /v2/rate/:base/:quote'],
      ...['', '.json', '.ndjson', '.csv'].map((extension) => `get /v2/providers/:key/rates${extension}`),
      'get /v2/providers/:key/rate/:base/:quote',
      ...['get /v2/convert/:base/:quote', 'post /v2/convert', 'get /v2/coverage'],
      // Words before days.
      ...['/v1', '/v1/blend'].flatMap((path) =>
        ['latest', 'current', 'currencies', ':days'].map((last) => `get ${path}/${last}`),
      ),
    ]);
  });

  it.each(['/v2/rates', '/v2/providers/ecb/rates'])('have the format that is accepted: %s', async (path) => {
    expect((await ask(path)).type).toBe(JSON_TYPE);
    expect((await ask(path, accepting('text/csv'))).type).toBe(CSV);
    expect((await ask(path, accepting('application/x-ndjson'))).type).toBe(NDJSON);
  });

  it.each(['/v2/rates', '/v2/providers/ecb/rates'])(
    'have that of the extension before it: %s',
    async (path) => {
      expect((await ask(`${path}.json`, accepting('text/csv'))).type).toBe(JSON_TYPE);
      expect((await ask(`${path}.ndjson`, accepting('text/csv'))).type).toBe(NDJSON);
      expect((await ask(`${path}.csv`, accepting('application/json'))).type).toBe(CSV);
    },
  );

  it('are lists, or one row of a pair', async () => {
    const row = { date: '2026-03-17', base: 'EUR', quote: 'USD', rate: 1.2 };
    expect(await json('/v2/rates?providers=ECB&quotes=USD')).toEqual([row]);
    expect(await json('/v2/providers/ecb/rates?quotes=USD')).toEqual([row]);
    expect(await json('/v2/rate/EUR/USD?providers=ECB')).toEqual(row);
    expect(await json('/v2/providers/ecb/rate/eur/usd')).toEqual(row);
    expect((await ask('/v2/rate/EUR/USD.txt?providers=ECB', accepting('text/csv'))).text).toBe('1.2');
  });

  it('begin CSV with the names of its columns, unless these are off', async () => {
    for (const path of [
      '/v2/rates?quotes=USD&providers=ECB',
      '/v2/providers/ECB/rates?quotes=USD',
      '/v2/rate/EUR/USD?providers=ECB',
    ]) {
      const text = async (header: string) =>
        (await ask(`${path}${path.includes('?') ? '&' : '?'}header=${header}`, accepting('text/csv'))).text;
      const line = '2026-03-17,EUR,USD,1.2\n';
      expect([path, await text('on')]).toEqual([path, `date,base,quote,rate\n${line}`]);
      expect([path, await text('off')]).toEqual([path, line]);
    }
  });

  it('below the key of a provider take no others', async () => {
    for (const path of ['/v2/providers/ECB/rates', '/v2/providers/ECB/rate/EUR/USD']) {
      expect(await ask(`${path}?providers=BOC`)).toMatchObject({
        status: 422,
        faults: [{ parameter: 'providers' }],
      });
    }
    for (const path of ['/v2/providers/nope/rates', '/v2/providers/nope/rate/EUR/USD']) {
      expect(await ask(path)).toMatchObject({ status: 404, message: 'no such provider: NOPE' });
    }
  });

  it('may be asked for quotes and providers more than once', async () => {
    // As the queries that a route takes are made with it.
    const { ask, json } = open();
    const once = 'providers=ECB,BOC&amount=1';
    const twice = 'providers=ECB&providers=BOC&amount=1';
    expect(await json(`/v2/convert/EUR/USD?${twice}`)).toEqual(await json(`/v2/convert/EUR/USD?${once}`));
    const lines = { body: '[{"amount":1,"base":"EUR","quote":"USD"}]' };
    const converted = async (query: string) => (await ask(`/v2/convert?${query}`, lines)).text;
    expect(await converted('providers=ECB&providers=BOC')).toBe(await converted('providers=ECB,BOC'));
    expect(await json('/v2/coverage?quotes=USD&quotes=CAD&providers=ECB&providers=BOC')).toEqual(
      await json('/v2/coverage?quotes=USD,CAD&providers=ECB,BOC'),
    );
    const target = '/v2/rates?quotes=USD&quotes=CAD&providers=ECB&providers=BOC';
    expect(await json<object[]>(target)).toHaveLength(2);
    expect(await json('/v2/rate/EUR/USD?providers=ECB&providers=BOC')).toEqual(
      await json('/v2/rate/EUR/USD?providers=ECB,BOC'),
    );
    expect(await json<object[]>('/v2/providers/BOC/rates?quotes=USD&quotes=CAD')).toHaveLength(2);
  });
});

describe('a blend without some sources', () => {
  const { ask } = open('NBU 2026-03-18 EUR/USD 1.4');

  it.each([
    '/v2/rates?',
    '/v2/rates.csv?from=2026-03-01&group=week&',
    '/v2/rate/EUR/USD?',
    '/v2/rate/EUR/USD.txt?',
    '/v2/convert/EUR/USD?amount=10&',
  ])('is that of all others: %s', async (target) => {
    const [without, others, all] = await Promise.all(
      ['exclude=nbu&exclude=cbr', 'providers=ECB,BOC', ''].map((rest) => ask(target + rest)),
    );
    expect([without?.status, without?.text]).toEqual([200, others?.text]);
    expect(without?.text).not.toBe(all?.text);
  });

  it('is refused where the path names its source', async () => {
    expect(await ask('/v2/providers/ECB/rates?exclude=NBU')).toMatchObject({
      status: 422,
      faults: [{ parameter: 'exclude' }],
    });
  });
});

describe('the cost', () => {
  const cost = (target: string) => open().cost(target);

  it('of lists is that of their rows and of the raw rows read for them', async () => {
    expect(await cost('/v2/rates?quotes=USD,CAD')).toEqual({ rows: 2, rawDays: 0 });
    expect(await cost('/v2/rates?quotes=USD&from=2026-03-11&providers=ECB,BOC')).toEqual({
      rows: 10,
      rawDays: 38,
    });
    expect(await cost('/v2/providers/ECB/rates?quotes=USD&from=2026-03-11&expand=providers')).toEqual({
      rows: 120,
      rawDays: 0,
    });
    expect(await cost('/v2/providers/ECB/rates.csv?from=2026-03-20')).toEqual({ rows: 180, rawDays: 0 });
  });

  it('of a pair is that of one row', async () => {
    expect(await cost('/v2/rate/EUR/USD')).toEqual({ rows: 1, rawDays: 0 });
    expect(await cost('/v2/rate/EUR/USD.txt')).toEqual({ rows: 1, rawDays: 0 });
    expect(await cost('/v2/rate/EUR/USD?expand=receipt')).toEqual({ rows: 12, rawDays: 0 });
    expect(await cost('/v2/rate/EUR/USD?expand=receipt&date=2026-03-11')).toEqual({ rows: 12, rawDays: 29 });
    expect(await cost('/v2/rate/EUR/USD?providers=ECB,BOC')).toEqual({ rows: 1, rawDays: 29 });
    expect(await cost('/v2/rate/EUR/USD?as_of=2026-03-19')).toEqual({ rows: 1, rawDays: 29 });
  });
});

describe('a number of days to fill', () => {
  const days = (value: string) => ask(`/v2/rates?from=2026-03-01&fill=forward&fill_days=${value}`);

  it.each(['1', '14', '366'])('is %s', async (value) => {
    expect((await days(value)).status).toBe(200);
  });

  it.each(['0', '367', '1000', '-1', '1.5', '1x', 'x1', '00'])('is not %s', async (value) => {
    expect(await days(value)).toMatchObject({
      status: 422,
      message: `fill_days must be a number of days from 1 to 366, not ${value}`,
      faults: [{ parameter: 'fill_days' }],
    });
  });
});
