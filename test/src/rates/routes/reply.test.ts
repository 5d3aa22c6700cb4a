import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { CLOSED, PAST } from '../../../../src/http/representation.js';
import { openRoutes } from './in-process.js';

const TODAY = '2026-03-20';
const ago = (days: number) => fromDayNumber(dayNumber(TODAY) - days);
const ROWS = [
  `ECB ${ago(16)} EUR/USD 1.1`,
  `ECB ${ago(3)} EUR/USD 1.25`,
  `BOC ${ago(2)} EUR/USD 1.35`,
  `BOC ${ago(2)} EUR/CHF 0.9`,
  `HMRC 2026-03-01 GBP/USD 1.3`,
  `BCEAO ${ago(2)} USD/XOF 500`,
];
const BEFORE = '2026-03-18T09:00:00Z';
const recorded = [
  { at: '2026-03-17T16:00:00Z', rows: ROWS.slice(0, 2) },
  { at: '2026-03-18T16:00:00Z', rows: ROWS },
];
const NOW = `${TODAY}T23:58:20Z`;
const routes = openRoutes({ recorded, now: NOW });
const tomorrow = openRoutes({ recorded, now: '2026-03-21T12:00:00Z' });
const corrected = openRoutes({
  recorded: [...recorded, { at: '2026-03-19T00:00:00Z', rows: [...ROWS, `NBU ${ago(2)} EUR/USD 1.3`] }],
  now: NOW,
});
const { ask, json } = routes;

describe('a reply with rates', () => {
  it('is moving until the end of the day where a row of it may come yet, and else closed', async () => {
    for (const open of ['', '?date=2026-03-20', '?from=2026-03-01', '?from=2026-03-01&to=2026-03-20']) {
      const { cacheControl, vary, dataVersion } = await ask(`/v2/rates${open}`);
      expect([open, cacheControl]).toEqual([
        open,
        'public, max-age=100, stale-while-revalidate=60, stale-if-error=86400',
      ]);
      expect([vary, dataVersion]).toEqual([['accept'], '2']);
    }
    for (const over of ['?date=2026-03-19', '?from=2026-03-01&to=2026-03-19']) {
      expect([over, (await ask(`/v2/rates${over}`)).cacheControl]).toEqual([over, CLOSED]);
    }
  });

  it('has another tag the next day where it may differ then', async () => {
    const tags = async (target: string) => [(await ask(target)).tag, (await tomorrow.ask(target)).tag];
    for (const open of ['', '?providers=ECB', '?expand=providers', '?from=2026-03-01&to=2026-03-20']) {
      const [today, next] = await tags(`/v2/rates${open}`);
      expect([open, today]).not.toEqual([open, next]);
    }
    const [today, next] = await tags('/v2/rates?date=2026-03-19');
    expect(today).toBe(next);
  });

  it('has a tag of its own for its data, its rows, its format and its layout', async () => {
    const targets = [
      '/v2/rates',
      '/v2/rates?base=USD',
      '/v2/rates?quotes=USD',
      '/v2/rates.ndjson',
      '/v2/rates.csv',
      '/v2/rates.csv?header=off',
      '/v2/rate/EUR/USD',
      '/v2/rate/EUR/USD.txt',
      '/v2/rates?expand=providers',
      '/v2/rates?date=2026-03-19',
    ];
    const found: (string | undefined)[] = [];
    for (const each of [routes, corrected]) {
      for (const target of targets) found.push((await each.ask(target)).tag);
    }
    expect(new Set(found).size).toBe(2 * targets.length);
    expect(found).not.toContain(undefined);
  });

  it('keeps the tag of one provider where another one publishes', async () => {
    const ofOne = '/v2/rates?providers=ECB';
    expect((await corrected.ask(ofOne)).tag).toBe((await ask(ofOne)).tag);
  });

  it('says up to which day the newest rates were looked for, and not with a range', async () => {
    const asOf = async (query: string) => (await ask(`/v2/rates${query}`)).headers['x-rates-as-of'];
    expect(await asOf('')).toBe(ago(2));
    expect(await asOf('?providers=ECB')).toBe(ago(3));
    expect(await asOf('?providers=ECB,NBU')).toBe(ago(3));
    expect(await asOf('?expand=providers')).toBe(ago(2));
    expect(await asOf('?expand=providers&date=2026-03-04')).toBe('2026-03-04');
    expect(await asOf('?date=2026-03-04')).toBe('2026-03-04');
    expect(await asOf('?from=2026-03-04')).toBeUndefined();
    expect(await asOf('?providers=ECB&from=2026-03-04')).toBeUndefined();
    expect(await asOf('?expand=providers&from=2026-03-04')).toBeUndefined();
  });

  it('is in memory up to 16,000 rows, and else sent while it is made', async () => {
    const filled = async (days: number, rest = '') => {
      const from = ago(days - 1);
      const { isStream, text, type } = await ask(
        `/v2/rates.csv?quotes=USD&from=${from}&to=${TODAY}&fill=forward&header=off${rest}`,
      );
      expect(type).toBe('text/csv; charset=utf-8');
      // From the first rate on.
      expect(text.trimEnd().split('\n')).toHaveLength(17);
      return isStream;
    };
    for (const rest of ['', '&providers=ECB']) {
      expect(await filled(16_000, rest)).toBe(false);
      expect(await filled(16_001, rest)).toBe(true);
    }
  });

  it('of a pair is its row, its bare rate, or a 404', async () => {
    const row = { date: ago(2), base: 'EUR', quote: 'CHF', rate: 0.86538 };
    expect(await json('/v2/rate/eur/chf')).toEqual(row);
    expect(await ask('/v2/rate/EUR/CHF.txt')).toMatchObject({
      text: '0.86538',
      type: 'text/plain; charset=utf-8',
    });
    for (const path of ['/v2/rate/EUR/KPW', '/v2/rate/EUR/KPW.txt', '/v2/rate/EUR/KPW?providers=ECB']) {
      expect(await ask(path)).toMatchObject({
        status: 404,
        message: `no rate for EUR/KPW: there are no rates of KPW${path.endsWith('ECB') ? ' from ECB' : ''}`,
      });
    }
    expect((await ask('/v2/rate/EUR/CHF', { headers: { accept: 'text/csv' } })).text).toBe(
      `date,base,quote,rate\n${ago(2)},EUR,CHF,0.86538\n`,
    );
    const bare = await ask('/v2/rate/EUR/CHF?header=off', { headers: { accept: 'text/csv' } });
    expect(bare.text).toBe(`${ago(2)},EUR,CHF,0.86538\n`);
    expect(await ask('/v2/rates?quotes=KPW')).toMatchObject({ status: 200, text: '[]' });
  });

  it('has the columns of its request: where a value comes from, for how long it is valid', async () => {
    const columns = async (query: string) =>
      (await ask(`/v2/rates.csv?quotes=USD&${query}`)).text.split('\n', 1)[0];
    expect(await columns('date=2026-03-04')).toBe('date,base,quote,rate');
    expect(await columns('from=2026-03-04')).toBe('date,base,quote,rate');
    expect(await columns('from=2026-03-04&fill=forward')).toBe('date,base,quote,rate,observed');
    expect(await columns('providers=HMRC')).toBe('date,base,quote,rate,valid_from,valid_to');
    expect(await columns('providers=HMRC&expand=providers')).toBe(
      'date,base,quote,rate,valid_from,valid_to,providers',
    );
  });

  it('shows twelve digits where they are wanted', async () => {
    const rate = async (query: string) =>
      (await json<{ rate: number }>(`/v2/rate/USD/CHF?date=${ago(2)}${query}`)).rate;
    const full = await rate('&precision=full');
    expect(String(full)).toMatch(/^0\.\d{11,12}$/);
    expect(await rate('')).toBe(Number(full.toPrecision(5)));
  });
});

describe('a reply that needs reads of the store', () => {
  const BLEND = '/v2/rates?providers=ECB,BOC&quotes=USD';

  it.each([BLEND, `${BLEND}&date=2026-03-18`, '/v2/rates?expand=quality&date=2026-03-18'])(
    'is read once for all processes: %s',
    async (target) => {
      const each = openRoutes({ recorded, now: NOW });
      const first = await each.ask(target);
      expect(each.reads.length).toBeGreaterThan(0);
      each.reads.length = 0;
      expect(await each.ask(target)).toEqual(first);
      expect([each.reads, each.cached.size]).toEqual([[], 1]);
    },
  );

  it.each(['/v2/rates?providers=ECB', '/v2/rates?expand=providers', `${BLEND}&from=2026-03-01`])(
    'is not kept where its rows are cached anyway, or are many: %s',
    async (target) => {
      const each = openRoutes({ recorded, now: NOW });
      const first = await each.ask(target);
      expect(await each.ask(target)).toEqual(first);
      expect(each.cached.size).toBe(0);
    },
  );

  it('of newest rates with their sources reads once for any of them', async () => {
    const each = openRoutes({ recorded, now: NOW });
    const list = await each.json<{ quote: string }[]>('/v2/rates?expand=providers');
    each.reads.length = 0;
    for (const quotes of ['CHF', 'CHF,USD', 'AED,CHF,EUR,USD,XOF']) {
      const { text, isImmediate } = await each.ask(`/v2/rates?expand=providers&quotes=${quotes}`);
      expect(JSON.parse(text)).toEqual(list.filter(({ quote }) => quotes.includes(quote)));
      expect(isImmediate).toBe(true);
    }
    const sure = await each.json<object[]>('/v2/rates?expand=quality&quotes=CHF');
    expect(sure).toEqual([
      {
        date: ago(2),
        base: 'EUR',
        quote: 'CHF',
        rate: 0.86538,
        quality: { sources: 1, excluded: 0, spread: 0, age_days: 0, suspects: 0 },
      },
    ]);
    expect((await each.ask('/v2/rates?expand=quality&quotes=CHF')).headers['x-rates-as-of']).toBe(ago(2));
    expect(each.reads).toEqual([]);
  });

  it('is there without waiting for a few quotes of the newest rates whose sources are known', async () => {
    const each = openRoutes({ recorded, now: NOW });
    const isImmediate = async (query: string) => (await each.ask(`/v2/rates?${query}`)).isImmediate;
    expect(await isImmediate('')).toBe(true);
    expect(await isImmediate('expand=providers&quotes=CHF')).toBe(false);
    expect(await isImmediate('expand=providers&quotes=CHF')).toBe(true);
    const many = 'AED,AUD,BGN,BRL,CAD,CHF,CNY,CZK,DKK,EUR,GBP,HKD,HUF,IDR,ILS,INR';
    expect(await isImmediate(`expand=quality&quotes=${many}`)).toBe(true);
    for (const other of [
      `expand=quality&quotes=${many},USD`,
      'expand=providers',
      `expand=providers&quotes=CHF&date=${ago(2)}`,
      'expand=providers&quotes=CHF&from=2026-03-01',
      'expand=providers&quotes=CHF&providers=BOC',
    ]) {
      expect([other, await isImmediate(other)]).toEqual([other, false]);
    }
  });

  it('of a range is one buffer where it is short', async () => {
    const { isStream, type, text } = await ask(`${BLEND}&from=2026-03-01`);
    expect([isStream, type]).toEqual([false, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toHaveLength(3);
    const csv = await ask('/v2/rates.csv?providers=ECB,BOC&quotes=USD&from=2026-03-01&header=off');
    expect(csv.text.split('\n')[0]).toBe(`${ago(16)},EUR,USD,1.1`);
  });
});

describe('a reply as of an instant', () => {
  it('is that of its time, for a day', async () => {
    const past = await ask(`/v2/rates?as_of=${BEFORE}&quotes=CHF,EUR,USD`);
    expect(past).toMatchObject({ cacheControl: PAST, vary: ['accept'], dataVersion: '2' });
    expect(past.headers).toEqual({ 'x-blend-method': '2', 'x-rates-as-of': ago(3) });
    expect(JSON.parse(past.text)).toMatchObject([
      { date: ago(3), quote: 'EUR', rate: 1 },
      { date: ago(3), quote: 'USD', rate: 1.25 },
    ]);
  });

  it('says up to which day its own rates were looked for', async () => {
    const asOf = async (query: string, at: string) =>
      (await ask(`/v2/rates?as_of=${at}${query}`)).headers['x-rates-as-of'];
    expect(await asOf('&from=2026-03-01', BEFORE)).toBe(ago(3));
    expect(await asOf('&providers=ECB', `${TODAY}T12:00:00Z`)).toBe(ago(3));
    expect(await asOf('&expand=providers', `${TODAY}T12:00:00Z`)).toBe(ago(2));
    for (const some of ['ECB', 'ECB,BOC']) {
      const { headers } = await ask(`/v2/rates?providers=${some}&from=2026-03-01&as_of=${BEFORE}`);
      expect([some, headers]).toEqual([some, { 'x-blend-method': '2' }]);
    }
  });

  it('has the same tag between two versions on a day, and another on any other, or in another form', async () => {
    const tag = async (at: string, rest = '', path = '/v2/rates') =>
      (await ask(`${path}?as_of=${at}${rest}`)).tag;
    expect(await tag('2026-03-18T00:00:00Z')).toBe(await tag('2026-03-18T15:59:59Z'));
    const at = '2026-03-18T12:00:00Z';
    const tags = [
      await tag(at),
      await tag('2026-03-18T17:00:00Z'),
      await tag('2026-03-17T17:00:00Z'),
      await tag(at, '&base=USD'),
      await tag(at, '', '/v2/rates.csv'),
      await tag(at, '&header=off', '/v2/rates.csv'),
      await tag(at, '&quotes=USD'),
      await tag(at, '', '/v2/rate/EUR/USD'),
      (await ask('/v2/rates')).tag,
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('that reads the store is read once, and not again for another instant of the same version and day', async () => {
    const each = openRoutes({ recorded, now: NOW });
    const target = (at: string) => `/v2/rates?expand=providers&as_of=${at}`;
    const first = await each.ask(target('2026-03-18T02:00:00Z'));
    each.reads.length = 0;
    expect(await each.ask(target('2026-03-18T03:00:00Z'))).toEqual(first);
    expect(each.reads).toEqual([]);
  });
});
