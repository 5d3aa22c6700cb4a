import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReceiptInput } from '../../../core/domain/receipt/schema.js';
import { verify } from '../../../core/domain/receipt/verify.js';
import { startApi, type TestApi } from '../../support/api.js';
import { applyAt } from '../../support/changing-store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';

const clock = () => new Date('2026-03-20T12:00:00Z');
const BEFORE = '2026-03-19T00:00:00Z';

/** A row of `DATE BASE RATE BUY SELL` in NPR; a side may be absent. */
function row(text: string) {
  const [date = '', base = '', rate, buy = '-', sell = '-'] = text.split(' ');
  const sides = { ...(buy !== '-' && { buy: Number(buy) }), ...(sell !== '-' && { sell: Number(sell) }) };
  return { date, base, quote: 'NPR', rate: Number(rate), ...sides };
}

const FIRST = [
  ...['2026-03-16 USD 144 143.7 144.3', '2026-03-17 USD 145 144.5 145.5', '2026-03-18 USD 146 145.75 146.25'],
  ...['2026-03-17 EUR 166 165.5 166.5', '2026-03-18 EUR 167 166.5', '2026-03-18 JPY 0.97 0.968 0.972'],
  ...['2026-03-18 GBP 195', '2026-03-18 KWD 475 - 476'],
];
/** Only the sides of the first are others. */
const CORRECTED = ['2026-03-18 USD 146 145.7 146.3', '2026-03-17 EUR 166.2 165.7 166.7'];

let database: TestDatabase;
let api: TestApi;
const open: TestApi[] = [];
const openApi = async () => {
  const opened = await startApi(database, { clock });
  open.push(opened);
  return opened;
};

beforeAll(async () => {
  database = await testDatabase();
  const store = (at: string, provider: string, rows: ReturnType<typeof row>[]) =>
    applyAt(database, { at: new Date(at), kind: 'rows', provider, rows });
  await store('2026-03-18T08:00:00Z', 'NRB', FIRST.map(row));
  await store('2026-03-18T15:00:00Z', 'ECB', [{ ...row('2026-03-18 EUR 1.15'), quote: 'USD' }]);
  const customs = { date: '2026-03-18', base: 'USD', quote: 'CHF', rate: 0.8, sell: 0.8 };
  await store('2026-03-18T16:00:00Z', 'BAZG', [customs]);
  await store('2026-03-19T08:00:00Z', 'NRB', CORRECTED.map(row));
  api = await openApi();
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await database?.close();
});

async function ask(path: string, { url } = api) {
  const response = await fetch(`${url}/v2/${path}`);
  return { status: response.status, body: await response.text(), tag: response.headers.get('etag') };
}
async function json(path: string) {
  const { status, body } = await ask(path);
  return status === 200 ? JSON.parse(body) : status;
}
/** `DATE BASE/QUOTE RATE` of each row. */
async function rows(path: string): Promise<string[]> {
  const found: Record<string, unknown>[] = await json(path);
  return found.map(({ date, base, quote, rate }) => `${date} ${base}/${quote} ${rate}`);
}

const NEPAL = 'providers=NRB';

describe('a side of the rates of one source', () => {
  it.each([
    ['buy', 'base=USD', ['2026-03-18 USD/NPR 145.7']],
    ['sell', 'base=USD', ['2026-03-18 USD/NPR 146.3']],
    ['sell', 'base=EUR&quotes=NPR', ['2026-03-17 EUR/NPR 166.7']],
    ['buy', 'base=JPY&quotes=NPR', ['2026-03-18 JPY/NPR 0.968']],
    ['buy', 'base=KWD&quotes=NPR', []],
    ['buy', 'base=GBP', []],
    ['sell', 'base=GBX&quotes=NPR', []],
  ])('is %s: %s', async (side, query, expected) => {
    const found = await rows(`rates?${NEPAL}&side=${side}&${query}`);
    expect(found.filter((text) => !/ (...)\/\1 /.test(text))).toEqual(expected);
    expect(await rows(`providers/NRB/rates?side=${side}&${query}`)).toEqual(found);
  });

  it('of an inverse pair is the inverse of the other one', async () => {
    expect(await rows(`rates?${NEPAL}&side=buy&base=NPR&quotes=USD,EUR,JPY,KWD`)).toEqual([
      `2026-03-17 NPR/EUR ${Number((1 / 166.7).toPrecision(5))}`,
      `2026-03-18 NPR/JPY ${Number((1 / 0.972).toFixed(4))}`,
      `2026-03-18 NPR/KWD ${Number((1 / 476).toPrecision(5))}`,
      `2026-03-18 NPR/USD ${Number((1 / 146.3).toPrecision(5))}`,
    ]);
    const full = await json('providers/NRB/rate/NPR/USD?side=sell&precision=full');
    expect(full.rate).toBe(Number((1 / 145.7).toPrecision(12)));
  });

  it.each(['buy', 'sell'])('has no cross: %s', async (side) => {
    expect(await (await fetch(`${api.url}/v2/rate/EUR/USD?${NEPAL}&side=${side}`)).json()).toMatchObject({
      message: `no rate for EUR/USD: NRB publishes no ${side}ing rate of this pair`,
    });
    expect(await json(`rate/EUR/USD?${NEPAL}`)).toMatchObject({ date: '2026-03-18' });
  });

  it('converts an amount, and many', async () => {
    const one = await json(`convert/USD/NPR?amount=100&${NEPAL}&side=buy`);
    expect(one).toMatchObject({ rate: 145.7, result: '14570.00', observed: '2026-03-18' });
    const body = JSON.stringify([{ amount: '100', base: 'USD', quote: 'NPR', date: '2026-03-16' }]);
    const headers = { 'content-type': 'application/json' };
    const many = await fetch(`${api.url}/v2/convert?${NEPAL}&side=sell`, { method: 'POST', body, headers });
    expect(await many.json()).toMatchObject([{ rate: 144.3, result: '14430.00' }]);
  });

  it('is that of a day, of a range, filled, and its mean', async () => {
    const pair = `${NEPAL}&side=sell&base=USD&quotes=NPR`;
    expect(await rows(`rates?${pair}&date=2026-03-17`)).toEqual(['2026-03-17 USD/NPR 145.5']);
    expect((await ask(`rates.csv?${pair}&from=2026-03-16`)).body).toBe(
      'date,base,quote,rate\n2026-03-16,USD,NPR,144.3\n2026-03-17,USD,NPR,145.5\n2026-03-18,USD,NPR,146.3\n',
    );
    const filled = await rows(`rates?${NEPAL}&side=sell&base=EUR&quotes=NPR&from=2026-03-18&fill=forward`);
    expect(filled[0]).toBe('2026-03-18 EUR/NPR 166.7');
    const [mean] = await rows(`rates?${pair}&from=2026-03-16&group=week`);
    expect(mean).toBe(`2026-03-16 USD/NPR ${Number(((144.3 + 145.5 + 146.3) / 3).toFixed(2))}`);
  });

  it('was at an instant what was known then', async () => {
    const pair = `${NEPAL}&side=buy&base=USD&quotes=NPR&as_of=`;
    expect(await rows(`rates?${pair}${BEFORE}`)).toEqual(['2026-03-18 USD/NPR 145.75']);
    expect(await rows(`rates?${pair}2026-03-19T09:00:00Z`)).toEqual(['2026-03-18 USD/NPR 145.7']);
    const changed = await rows(`rates?${NEPAL}&side=buy&base=USD&from=2026-03-16&updated_after=${BEFORE}`);
    expect(changed).toEqual(['2026-03-18 USD/NPR 145.7']);
  });
});

describe('both sides of rows', () => {
  it('are null where the source has none', async () => {
    const body = await json(`rates?${NEPAL}&base=NPR&expand=sides&precision=full`);
    const inverse = (side: number) => Number((1 / side).toPrecision(12));
    expect(body.map(({ quote, buy, sell }: Record<string, unknown>) => [quote, buy, sell])).toEqual([
      ['EUR', null, inverse(166.5)],
      ['GBP', null, null],
      ['JPY', inverse(0.972), inverse(0.968)],
      ['KWD', inverse(476), null],
      ['NPR', null, null],
      ['USD', inverse(146.3), inverse(145.7)],
    ]);
  });

  it.each([
    ['rate/USD/NPR?', '{"date":"2026-03-18","base":"USD","quote":"NPR","rate":146,"buy":145.7,"sell":146.3}'],
    ['rate/EUR/USD?', expect.stringMatching(/"buy":null,"sell":null}$/)],
    ['rates.ndjson?base=EUR&quotes=NPR&', expect.stringMatching(/,"rate":167,"buy":166.5,"sell":null}\n$/)],
    ['rates.csv?base=KWD&quotes=NPR&', 'date,base,quote,rate,buy,sell\n2026-03-18,KWD,NPR,475,,476\n'],
    [
      'rates.csv?base=USD&quotes=NPR&from=2026-03-17&fill=forward&to=2026-03-19&',
      [
        'date,base,quote,rate,observed,buy,sell',
        '2026-03-17,USD,NPR,145,2026-03-17,144.5,145.5',
        '2026-03-18,USD,NPR,146,2026-03-18,145.7,146.3',
        '2026-03-19,USD,NPR,146,2026-03-18,145.7,146.3\n',
      ].join('\n'),
    ],
  ])('are in every format: %s', async (path, body) =>
    expect((await ask(`${path}${NEPAL}&expand=sides`)).body).toEqual(body),
  );

  it('are beside an official rate', async () =>
    expect(await json('rate/USD/CHF?providers=BAZG&date=2026-03-18&expand=sides')).toMatchObject({
      ...{ rate: 0.8, valid_from: '2026-03-18', buy: null, sell: 0.8 },
    }));

  it('are those of the instant', async () =>
    expect(await json(`rate/USD/NPR?${NEPAL}&expand=sides&as_of=${BEFORE}`)).toMatchObject({
      ...{ rate: 146, buy: 145.75, sell: 146.25 },
    }));
});

it.each([
  ['rates?side=buy', 'side'],
  ['rates?side=buy&providers=NRB,ECB', 'side'],
  ['rates?side=buy&exclude=ECB', 'side'],
  ['rates?side=buy&providers=BAZG', 'side'],
  ['rate/USD/NPR?side=sell', 'side'],
  ['convert/USD/NPR?side=sell&amount=1', 'side'],
  ['convert/USD/NPR?side=sell&amount=1&rule=eu-customs&date=2026-03-18', 'side'],
  ['rates?side=middle&providers=NRB', 'side'],
  ['rates?expand=sides', 'expand'],
  ['rates?expand=sides&providers=NRB&base=GBX', 'expand'],
  ['rates?expand=sides&providers=NRB,ECB', 'expand'],
  ['rates?expand=sides&providers=NRB&from=2026-03-16&group=week', 'expand'],
])('%s is refused by %s', async (path, parameter) => {
  const { status, body } = await ask(path);
  expect([status, JSON.parse(body).errors[0].parameter]).toEqual([422, parameter]);
});

it.each([
  ['rate/USD/NPR?', 'USD/NPR buy 145.7'],
  ['rate/NPR/USD?', 'USD/NPR sell 146.3'],
  ['rate/NPR/USD?precision=full&', 'USD/NPR sell 146.3'],
  ['convert/JPY/NPR?amount=12&', 'JPY/NPR buy 0.968'],
])('a receipt names the side that is stored, and is verified: %s', async (path, expected) => {
  const { body } = await ask(`${path}${NEPAL}&side=buy&expand=receipt`);
  const { receipt } = JSON.parse(body);
  const inputs = receipt.inputs.map(
    (row: ReceiptInput) => `${row.base}/${row.quote} ${row.side} ${row.rate}`,
  );
  expect(inputs).toEqual([expected]);
  expect(verify(body)).not.toHaveProperty('wrong');
  expect(JSON.parse((await ask(receipt.url.replace('/v2/', ''))).body).receipt.steps).toEqual(receipt.steps);
  const otherSide = body.replaceAll('side=buy', 'side=sell');
  expect(verify(otherSide)).toMatchObject({ wrong: expect.stringContaining('side') });
});

it('corrections have the sides where these have changed, except in CSV', async () => {
  expect(await json('revisions?providers=NRB&quotes=USD')).toMatchObject([
    { rate: 146, was: 146, buy: 145.7, buy_was: 145.75, sell: 146.3, sell_was: 146.25 },
  ]);
  const { body } = await ask('revisions.csv?providers=NRB&quotes=USD');
  expect(body.split('\n')[0]).toBe('provider,date,base,quote,rate,was,recorded_at,replaced_at,cause');
});

describe('SDMX', () => {
  const sdmx = async (path: string) => {
    const response = await fetch(`${api.url}/sdmx/${path}`, { headers: { accept: 'application/json' } });
    return { status: response.status, text: await response.text() };
  };

  it('has the sides of one source as types of rates', async () => {
    const { text } = await sdmx(
      'data/EXR/D.NPR.USD+EUR.BUY+SELL+SP00.A/NRB?startPeriod=2026-03-18&format=csvdata',
    );
    const values = text.matchAll(/^EXR\.(D\.\S+?),.*2026-03-18,(.*?),A/gm);
    expect(Array.from(values, ([, key, value]) => `${key} ${value}`)).toEqual([
      ...['D.NPR.EUR.BUY.A 166.5', 'D.NPR.EUR.SP00.A 167'],
      ...['D.NPR.USD.BUY.A 145.7', 'D.NPR.USD.SELL.A 146.3', 'D.NPR.USD.SP00.A 146'],
    ]);
    const { text: month } = await sdmx('data/EXR/M.NPR.USD.SELL./NRB?format=csvdata');
    expect(month.match(/SELL\.\w|14\d\.\d+/g)).toEqual(['SELL.A', '145.37', 'SELL.E', '146.3']);
    const known = `data/EXR/D.NPR.USD.BUY.A/NRB?startPeriod=2026-03-18&format=csvdata&asOf=${BEFORE}`;
    expect((await sdmx(known)).text).toContain(',145.75,A');
    const { text: changed } = await sdmx(
      `data/EXR/D.NPR.USD+EUR.BUY.A/NRB?format=csvdata&updatedAfter=${BEFORE}`,
    );
    expect(changed.match(/[A-Z]{3}\.BUY\.A,.*,(\d+\.\d+),A/g)?.length).toBe(2);
    expect(changed).toContain(',145.7,A');
  });

  it('has them in JSON and XML too, and nothing for a side that is not published', async () => {
    const key = 'data/EXR/D.NPR.USD.BUY.A/NRB?startPeriod=2026-03-18';
    const { data } = JSON.parse((await sdmx(key)).text);
    expect(data.structure.dimensions.series[3].values).toMatchObject([{ id: 'BUY' }]);
    expect(data.dataSets[0].series['0:0:0:0:0'].observations[0][0]).toBe(145.7);
    const { text: xml } = await sdmx(`${key}&format=genericdata`);
    expect(xml).toContain('<g:Value id="EXR_TYPE" value="BUY"/>');
    expect(xml).toContain('<g:ObsValue value="145.7"/>');
    expect(await sdmx('data/EXR/D.NPR.KWD.BUY.A/NRB')).toMatchObject({ status: 404 });
  });

  it('lists the types that a source has', async () => {
    const types = async (path: string) =>
      (await sdmx(`availableconstraint/EXR/${path}`)).text.match(/BUY|SELL|SP00/g)?.join(' ');
    expect(await types('D.NPR.USD.BUY.A/NRB')).toBe('BUY');
    expect(await types('D.NPR.USD.BUY+SELL+SP00.A/NRB')).toBe('BUY SELL SP00');
    expect(await types('D.USD.EUR.BUY+SELL+SP00.A/ECB')).toBe('SP00');
    expect(await sdmx('availableconstraint/EXR/D.NPR.KWD.BUY.A/NRB')).toMatchObject({ status: 404 });
  });

  it.each(['', '/ECB+NRB', '/BAZG', '/NRB?includeHistory=true'])('refuses a side of %s', async (provider) => {
    expect(await sdmx(`data/EXR/D.NPR.USD.BUY.A${provider}`)).toEqual({
      status: 422,
      text: expect.stringContaining('BUY and SELL are for one source of daily rates'),
    });
  });
});

it('no cache mixes a side with another, or with the rates', async () => {
  const paths = ['', '&side=buy', '&side=sell', '&expand=sides'].flatMap((side) =>
    ['base=USD&from=2026-03-16', `base=USD&as_of=${BEFORE}`].map((query) => `rates?${NEPAL}&${query}${side}`),
  );
  const fresh = new Map<string, Awaited<ReturnType<typeof ask>>>();
  for (const path of paths) {
    fresh.set(path, await ask(path, await openApi()));
  }
  expect(new Set([...fresh.values()].map(({ tag }) => tag)).size).toBe(paths.length);
  expect(new Set([...fresh.values()].map(({ body }) => body)).size).toBe(paths.length);
  const used = await openApi();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...paths), { minLength: 4, maxLength: 20 }), async (asked) => {
      const answers = await Promise.all(asked.map((path) => ask(path, used)));
      expect(answers).toEqual(asked.map((path) => fresh.get(path)));
    }),
    propertyRuns(20),
  );
});
