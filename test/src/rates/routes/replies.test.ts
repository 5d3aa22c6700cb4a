import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { CLOSED, PAST } from '../../../../src/http/reply.js';
import { METHOD } from '../../../support/rates.js';
import { answers, routesOn, shown, tagsOf } from './golden.js';
import { openRoutes } from './in-process.js';

// How long answers are kept, their tags, headers, formats and costs, whatever their rates are.

const TODAY = '2026-03-20';
const ago = (days: number) => fromDayNumber(dayNumber(TODAY) - days);
const ROWS = [
  ...['ECB 2026-03-04 EUR/USD 1.1', 'ECB 2026-03-17 EUR/USD 1.25', 'ECB 2026-03-04 EUR/JPY 180'],
  ...['BOC 2026-03-18 EUR/USD 1.35', 'BOC 2026-03-18 EUR/CHF 0.9', 'BOC 2026-03-18 EUR/CAD 1.6'],
  ...['HMRC 2026-03-01 GBP/USD 1.3', 'BCEAO 2026-03-18 USD/XOF 500', 'ECB 2026-03-21 EUR/GBP 0.87'],
];
const FIRST = '2026-03-17T16:00:00Z';
const SECOND = '2026-03-18T16:00:00Z';
const recorded = [
  { at: FIRST, rows: ROWS.slice(0, 3) },
  { at: SECOND, rows: ROWS },
];
const NOW = `${TODAY}T23:58:20Z`;
const OPEN = 'public, max-age=100, stale-while-revalidate=60, stale-if-error=86400';
const open = (now = NOW, versions = recorded) => openRoutes({ recorded: versions, now });
const routes = open();
const tomorrow = open('2026-03-21T12:00:00Z');
const before = open(NOW, recorded.slice(0, 1));
const corrected = open(NOW, [
  ...recorded,
  { at: '2026-03-19T00:00:00Z', rows: [...ROWS, 'NBU 2026-03-18 EUR/USD 1.3'] },
]);
const { ask } = routes;
const accepting = (accept: string) => ({ headers: { accept } });
const CSV = accepting('text/csv');

describe('an answer', () => {
  const CONVERT = '/v2/convert/EUR/USD?amount=10';
  const CONVERTED_RECEIPT = `${CONVERT}&expand=receipt`;
  const RECEIPT = '/v2/rate/EUR/USD?expand=receipt';

  it.each([
    ...['/v2/rates', '/v2/rates?date=2026-03-20', '/v2/rates?from=2026-03-01', '/v2/rate/EUR/USD'],
    ...['/v2/rates?from=2026-03-01&to=2026-03-20', '/v2/rates?from=2026-03-01&to=2026-03-19&group=week'],
    ...['/v2/coverage', CONVERT, `${CONVERT}&date=${TODAY}`, '/v1/latest', '/v1/blend/latest'],
    ...['', '&date=2026-03-18', `&as_of=${FIRST}`].flatMap((rest) => [
      RECEIPT + rest,
      CONVERTED_RECEIPT + rest,
    ]),
  ])('is moving until the end of the day where it may change yet: %s', async (target) => {
    expect(await ask(target)).toMatchObject({ cacheControl: OPEN, dataVersion: '2' });
  });

  it.each([
    ...['/v2/rates?date=2026-03-19', '/v2/rates?from=2026-03-01&to=2026-03-19', `${CONVERT}&date=2026-03-19`],
    ...['/v2/rates?from=2026-03-01&to=2026-03-15&group=week', '/v2/rates?date=2026-03-05&when=next'],
  ])('is closed where its days are over: %s', async (target) => {
    expect(await ask(target)).toMatchObject({ cacheControl: CLOSED, dataVersion: '2', vary: ['accept'] });
    expect(await tagsOf(routes, [target])).toEqual(await tagsOf(tomorrow, [target]));
  });

  it.each([
    [`/v2/rates?as_of=${FIRST}`, '2026-03-17'],
    [`/v2/rates?as_of=${FIRST}&from=2026-03-01`, undefined],
    [`/v2/rates?as_of=${FIRST}&providers=ECB&from=2026-03-01`, undefined],
    [`/v2/rates?as_of=${FIRST}&providers=ECB,BOC&from=2026-03-01`, undefined],
    [`/v2/rates?as_of=${NOW}&providers=ECB`, '2026-03-21'],
    [`/v2/rates?as_of=${NOW}&expand=providers`, '2026-03-21'],
    [`${CONVERT}&as_of=${FIRST}`, '2026-03-17'],
    [`${RECEIPT}&date=2026-03-18&as_of=${FIRST}`, '2026-03-17'],
    [`${CONVERTED_RECEIPT}&date=2026-03-18&as_of=${FIRST}`, undefined],
  ])('as of an instant is kept for a day: %s', async (target, asOf) => {
    const { cacheControl, vary, dataVersion, headers } = await ask(target);
    expect([cacheControl, vary, dataVersion]).toEqual([PAST, ['accept'], '2']);
    expect(headers).toEqual({ 'x-blend-method': METHOD, ...(asOf && { 'x-rates-as-of': asOf }) });
  });

  it.each([
    ['/v2/rates', '.ndjson .csv .csv?header=off ?base=USD ?quotes=USD ?date=2026-03-20 ?date=2026-03-19'],
    ['/v2/rates', '?from=2026-03-20 ?providers=ECB ?expand=providers ?shape=object ?shape=v1'],
    ['/v2/rates?from=2026-03-20', '&group=week &group=month'],
    ['/v2/rates', `?as_of=${FIRST} ?as_of=2026-03-18T12:00:00Z ?as_of=${SECOND}`],
    [`/v2/rates?as_of=${FIRST}`, '&base=USD &quotes=USD &providers=ECB'],
    ['/v2/rates?quotes=GBX', ',GBP ,USD'],
    ['/v2/rate/EUR/USD', '.txt ?providers=ECB ?precision=full ?as_of=2026-03-18T12:00:00Z'],
    [RECEIPT, `&date=2026-03-18 &as_of=${FIRST} &providers=ECB &precision=full`],
    [CONVERT, '1 &providers=ECB &providers=ECB,BOC &date=2026-03-19 &date=2026-03-19&when=before'],
    [CONVERT, `&as_of=${FIRST} &as_of=${SECOND} &date=2026-03-16&as_of=${FIRST}`],
    [CONVERTED_RECEIPT, `&date=2026-03-18 &date=2026-03-18&when=before &as_of=${FIRST}`],
    ['/v2/coverage', '?base=USD ?quotes=USD ?quotes=CAD,USD ?quotes=USD,CAD'],
    ['/v2/coverage?providers=', 'ECB,BOC BOC,ECB ECB'],
    ['/v1/latest', '?amount=2 ?base=GBP ?symbols=GBP ?symbols=GBP,JPY'],
    ['/v1/2026-03-04', '.. ..2026-03-17'],
  ])('has a tag for all that it depends on: %s %s', async (target, endings) => {
    const asked = ['/v1/currencies', '/v2/rates?base=GBP', '/v2/rate/USD/EUR', target];
    const others = endings.split(' ').map((rest) => target + rest);
    const tags = await tagsOf(routes, [...asked, ...others]);
    expect(new Set(tags).size).toBe(tags.length);
  });

  it.each([
    ...['/v2/rates', '/v2/rate/EUR/USD', RECEIPT, CONVERT, CONVERTED_RECEIPT, '/v2/coverage', '/v1/latest'],
  ])('has another tag the next day, on other data and in another format: %s', async (target) => {
    const tags = await tagsOf(routes, [
      target,
      ...[tomorrow, corrected, before].map((other) => [target, other] as const),
      ...(target === '/v2/coverage' || target === '/v1/latest' ? [] : [[target, routes, CSV] as const]),
    ]);
    expect(new Set(tags).size).toBe(target === '/v1/latest' ? tags.length - 1 : tags.length);
  });

  it.each([
    ['/v2/rates?quotes=GBP,USD', '/v2/rates?base=eur&quotes=usd,gbp,USD'],
    ['/v2/rates?as_of=2026-03-18T00:00:00Z', '/v2/rates?as_of=2026-03-18T15:59:59Z'],
    [`${CONVERT}&providers=ECB,BOC`, `${CONVERT}&providers=boc,ecb`],
    [`${CONVERT}`, CONVERT.replace('10', '1e1')],
    ['/v2/coverage?quotes=USD&providers=ECB,BOC', '/v2/coverage?providers=ECB,BOC&quotes=USD&base=EUR'],
    ['/v1/latest', '/v1/current'],
  ])('has one tag for what means the same: %s and %s', async (one, other) => {
    const [first, second] = [await ask(one), await ask(other)];
    expect([second.tag, second.text]).toEqual([first.tag, first.text]);
  });

  it.each([
    ['/v2/rates', '2026-03-21'],
    ['/v2/rates?providers=BOC', '2026-03-18'],
    ['/v2/rates?providers=BOC,NBU', '2026-03-18'],
    ['/v2/rates?expand=providers', '2026-03-21'],
    ['/v2/rates?expand=providers&date=2026-03-04', '2026-03-04'],
    ['/v2/rates?date=2026-03-04', '2026-03-04'],
    ['/v2/rates?from=2026-03-04', undefined],
    ['/v2/rates?providers=ECB&from=2026-03-04', undefined],
    ['/v2/rates?expand=providers&from=2026-03-04', undefined],
    ['/v2/rates?shape=object', '2026-03-21'],
  ])('says up to which day newest rates were looked for: %s', async (target, asOf) => {
    expect((await ask(target)).headers).toEqual(asOf ? { 'x-rates-as-of': asOf } : {});
  });
});

it('before the first snapshot there are no rates', async () => {
  const loading = openRoutes({ recorded, now: NOW, current: () => undefined });
  expect(await loading.ask('/v2/rates')).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
});

describe('the format', () => {
  const [JSON_TYPE, NDJSON, CSV_TYPE] = ['application/json', 'application/x-ndjson', 'text/csv'].map(
    (type) => `${type}; charset=utf-8`,
  );

  it.each([...['/v2/rates', '/v2/providers/ecb/rates', '/v2/rate/EUR/USD', '/v2/convert/EUR/USD?amount=1']])(
    'is the one that is accepted: %s',
    async (target) => {
      expect((await ask(target)).type).toBe(JSON_TYPE);
      expect((await ask(target, CSV)).type).toBe(CSV_TYPE);
      expect((await ask(target, accepting('application/x-ndjson'))).type).toBe(NDJSON);
    },
  );

  it.each(['/v2/rates', '/v2/providers/ecb/rates'])(
    'is that of the extension before it: %s',
    async (path) => {
      expect(await ask(`${path}.json`, CSV)).toMatchObject({ type: JSON_TYPE, vary: [] });
      expect((await ask(`${path}.ndjson`, CSV)).type).toBe(NDJSON);
      expect((await ask(`${path}.csv`, accepting('application/json'))).type).toBe(CSV_TYPE);
    },
  );

  it('of a bare number is text', async () => {
    const type = 'text/plain; charset=utf-8';
    expect(await ask('/v2/rate/EUR/CHF.txt', CSV)).toMatchObject({ text: '0.86538', type });
  });

  const FILLED = 'from=2026-03-05&to=2026-03-05&fill=forward';
  const MONTH = 'from=2026-03-01&group=month&expand=stats&providers=ECB';
  const STATS = ',first,last,last_date,low,high,average,days';
  it.each([
    ['/v2/rates?quotes=USD&providers=BOC', '', '2026-03-18,EUR,USD,1.35'],
    ['/v2/providers/BOC/rates?quotes=USD', '', '2026-03-18,EUR,USD,1.35'],
    ['/v2/rate/EUR/USD?providers=BOC', '', '2026-03-18,EUR,USD,1.35'],
    ['/v2/rates?quotes=EUR&providers=BOC&expand=providers', ',providers', '2026-03-18,EUR,EUR,1,'],
    ['/v2/rates?quotes=USD&providers=BOC&expand=providers', ',providers', '2026-03-18,EUR,USD,1.35,BOC:1.35'],
    [`/v2/rates?quotes=USD&${FILLED}`, ',observed', '2026-03-05,EUR,USD,1.1,2026-03-04'],
    [`/v2/rates?quotes=USD&${MONTH}`, STATS, '2026-03-01,EUR,USD,1.175,1.1,1.25,2026-03-17,1.1,1.25,1.175,2'],
  ])('of CSV begins with the names of its columns, unless these are off: %s', async (target, more, line) => {
    expect(await shown(routes, target, CSV)).toBe(`date,base,quote,rate${more}\n${line}\n`);
    expect(await shown(routes, `${target}&header=off`, CSV)).toBe(`${line}\n`);
  });

  it('is whole where it is short, however many rows there could have been', async () => {
    for (const days of [16_000, 16_001]) {
      const target = `/v2/rates.csv?quotes=USD&from=${ago(days - 1)}&to=${TODAY}&fill=forward`;
      for (const rest of ['', '&providers=ECB']) {
        const { isStream, text } = await ask(target + rest);
        // From the first rate on.
        expect([isStream, text.trimEnd().split('\n').length]).toEqual([false, 18]);
      }
    }
  });
});

describe('the routes of rates', () => {
  describe('of one provider take no others', () => {
    answers(routes, {
      '/v2/providers/ecb/rates?quotes=USD': '[2026-03-17 EUR/USD 1.25]',
      '/v2/providers/ecb/rate/eur/usd': '2026-03-17 EUR/USD 1.25',
      '/v2/providers/ECB/rates?providers=BOC': expect.stringMatching(/^422 providers: /),
      '/v2/providers/ECB/rate/EUR/USD?providers=BOC': expect.stringMatching(/^422 providers: /),
      '/v2/providers/ECB/rates?exclude=NBU': expect.stringMatching(/^422 exclude: /),
    });
  });

  it.each([
    ...['/v2/convert/EUR/USD?amount=1&providers=ECB,BOC', '/v2/coverage?quotes=USD,CAD&providers=ECB,BOC'],
    ...['/v2/rates?quotes=USD,CAD&providers=ECB,BOC', '/v2/rate/EUR/USD?providers=ECB,BOC'],
    ...['/v2/providers/BOC/rates?quotes=USD,CAD', '/v2/rates?exclude=NBU,ECB'],
  ])('take lists as parameters that are given more than once: %s', async (target) => {
    // As the queries that a route takes are made with it.
    const twice = open();
    const given = target.replaceAll(/(\w+)=(\w+),(\w+)/g, '$1=$2&$1=$3');
    expect(await shown(twice, given)).toEqual(await shown(routes, target));
  });

  it.each([
    ...['/v2/rates?', '/v2/rates.csv?from=2026-03-01&group=week&', '/v2/rate/EUR/USD?'],
    ...['/v2/rate/EUR/USD.txt?', '/v2/convert/EUR/USD?amount=10&'],
  ])('blend all others where some are excluded: %s', async (target) => {
    const others = 'providers=ECB,BOC,BCEAO';
    expect(await shown(corrected, `${target}exclude=nbu&exclude=cbr`)).toEqual(
      await shown(corrected, target + others),
    );
    expect(await shown(corrected, target)).not.toEqual(await shown(corrected, target + others));
  });
});

describe('the cost', () => {
  it.each([
    ['/v2/rates?quotes=USD,CAD', 2, 0, false],
    ['/v2/rates?quotes=USD&from=2026-03-11&providers=ECB,BOC', 10, 38, true],
    ['/v2/rates?quotes=USD&expand=providers', 12, 0, true],
    ['/v2/rate/EUR/USD', 1, 0, false],
    ['/v2/rate/EUR/USD?providers=ECB', 1, 0, true],
    ['/v2/rate/EUR/USD?expand=receipt', 12, 0, true],
    ['/v2/rate/EUR/USD?expand=receipt&date=2026-03-11', 12, 29, true],
    ['/v2/rate/EUR/USD?providers=ECB,BOC', 1, 29, true],
    // The newest data version was known then already.
    ['/v2/rate/EUR/USD?as_of=2026-03-19', 1, 0, false],
    ['/v2/coverage', 1, 0, false],
    ['/v2/coverage?providers=ECB,BOC', 1, Number.POSITIVE_INFINITY, true],
  ])('of %s is that of its rows, and of what is read for them', async (target, rows, rawDays, reads) => {
    expect(await open('2026-03-20T12:00:00Z').cost(target)).toEqual({ rows, rawDays, reads });
  });

  it('of many conversions is that of the most lines', async () => {
    expect(await open().cost('/v2/convert', 'post')).toMatchObject({ rows: 10_000, rawDays: 0, reads: true });
  });
});

describe('an answer that needs reads of the store', () => {
  it('of newest rates with their sources reads once for any of them', async () => {
    const each = open();
    const list = await each.json<{ quote: string }[]>('/v2/rates?expand=providers');
    each.reads.length = 0;
    for (const quotes of ['CHF', 'CHF,USD', 'AED,CHF,EUR,USD,XOF']) {
      const { text } = await each.ask(`/v2/rates?expand=providers&quotes=${quotes}`);
      expect(JSON.parse(text)).toEqual(list.filter(({ quote }) => quotes.includes(quote)));
    }
    expect(each.reads).toEqual([]);
  });

  it('reads nothing for the newest rates whose sources are known', async () => {
    const each = open();
    const isRead = async (query: string) => {
      each.reads.length = 0;
      await each.ask(`/v2/rates?${query}`);
      return each.reads.length > 0;
    };
    expect(await isRead('')).toBe(false);
    expect(await isRead('expand=providers&quotes=CHF')).toBe(true);
    expect(await isRead('expand=providers&quotes=CHF')).toBe(false);
    expect(await isRead('expand=providers,quality')).toBe(false);
    const francs = 'expand=providers&quotes=CHF';
    const read = [`${francs}&date=${ago(2)}`, `${francs}&from=2026-03-01`, `${francs}&providers=BOC`];
    for (const other of read) expect([other, await isRead(other)]).toEqual([other, true]);
  });
});

describe('coverage', () => {
  const covered = routesOn(
    [
      ...['ECB 2026-01-02 EUR/USD 1.1', 'ECB 2026-01-16 EUR/CHF 0.9', 'ECB 2026-02-02 EUR/USD 1.2'],
      ...['BOC 2026-02-10 USD/CAD 1.4', 'BOC 2026-02-17 USD/CAD 1.4'],
    ],
    '2026-02-20T12:00:00Z',
  );

  it.each([
    // Both have a rate of their own, the base too.
    ['quotes=USD', '2026-01-02', '2026-02-02'],
    ['base=USD&quotes=EUR', '2026-01-02', '2026-02-02'],
    ['base=USD&quotes=CAD,EUR', '2026-01-02', '2026-02-17'],
    ['base=CHF&quotes=CAD', null, null],
    ['base=EUR&quotes=CAD', null, null],
    ['base=CAD&quotes=EUR', null, null],
    // The row of the base counts only if it alone is asked for.
    ['base=USD&quotes=EUR,USD', '2026-01-02', '2026-02-02'],
    ['base=USD&quotes=USD', '2026-01-02', '2026-02-17'],
    ['providers=BOC&base=CAD', '2026-02-10', '2026-02-17'],
    ['providers=ECB&quotes=USD', '2026-01-02', '2026-02-02'],
    ['providers=ECB,NBU&base=USD', '2026-01-02', '2026-02-02'],
    ['providers=BOC,NBU&base=USD', '2026-02-10', '2026-02-17'],
    ['quotes=KPW', null, null],
    ['base=KPW', null, null],
    ['providers=IMF', null, null],
    ['providers=IMF,NBU', null, null],
  ])('of %s is from %s to %s', async (query, start_date, end_date) => {
    expect(await covered.json(`/v2/coverage?${query}`)).toMatchObject({ start_date, end_date });
  });

  answers(covered, {
    '/v2/coverage':
      '{"base":"EUR","quotes":null,"providers":null,"start_date":"2026-01-02","end_date":"2026-02-02"}',
    '/v2/coverage?base=usd&quotes=eur,cad&providers=ecb':
      '{"base":"USD","quotes":["EUR","CAD"],"providers":["ECB"],"start_date":"2026-01-02","end_date":"2026-02-02"}',
  });
});
