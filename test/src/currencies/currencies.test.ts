import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLEND_METHOD } from '../../../core/domain/blend/method.js';
import { describeCurrency } from '../../../src/currencies/list.js';
import { entityTag, etagHeader } from '../../../src/http/representation.js';
import { startApi, type TestApi } from '../../support/api.js';
import { publish } from '../../support/coverage.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

let database: TestDatabase;
let api: TestApi;

interface Listed {
  iso_code: string;
  start_date: string;
  end_date: string;
}

beforeAll(async () => {
  database = await testDatabase();
  await publish(database, [
    ['ECB', 'EUR', '1999-01-04', '2026-03-18'],
    ['ECB', 'USD', '1999-01-04', '2026-03-18'],
    ['ECB', 'GBP', '1999-01-04', '2026-03-18'],
    ['ECB', 'HRK', '1999-01-04', '2022-12-30'],
    ['ECB', 'BGN', '2000-07-19', '2026-03-10'],
    ['BOC', 'USD', '1950-10-01', '2026-03-17'],
    ['BOC', 'CAD', '1950-10-01', '2026-03-17'],
    ['BOC', 'MRU', '2020-01-01', '2026-02-16'],
    ['BOC', 'SVC', '2020-01-01', '2026-02-15'],
    ['CBR', 'AED', '1995-01-01', '2020-01-01'],
    ['BBK', 'DEM', '1948-06-21', '1998-12-31'],
  ]);
  api = await startApi(database, { clock: () => new Date('2026-03-18T20:00:00Z') });
});

afterAll(async () => {
  await api?.close();
  await database?.close();
});

const get = (path: string) => fetch(`${api.url}${path}`);

async function list(query = ''): Promise<Listed[]> {
  const response = await get(`/v2/currencies${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Listed[];
}

describe('GET /v2/currencies', () => {
  it('lists current currencies by code', async () => {
    const codes = (await list()).map(({ iso_code }) => iso_code);
    expect(codes).toEqual([...codes].sort());
    // Observed within 30 days of the newest observation, the 30th included.
    expect(codes).toEqual(expect.arrayContaining(['CAD', 'EUR', 'GBP', 'MRU', 'USD']));
    // Retired, retired but still printed, and no longer observed.
    for (const code of ['DEM', 'HRK', 'BGN', 'SVC']) expect(codes).not.toContain(code);
    // Pegged to one that is observed.
    expect(codes).toEqual(expect.arrayContaining(['AED', 'JEP', 'CVE']));
    // Its peg has ended.
    expect(codes).not.toContain('ANG');
  });

  it('gives the fields in their order', async () => {
    const listed = await list();
    expect(JSON.stringify(listed.find(({ iso_code }) => iso_code === 'GBP'))).toBe(
      '{"iso_code":"GBP","iso_numeric":"826","name":"British Pound","symbol":"£",' +
        '"start_date":"1999-01-04","end_date":"2026-03-18"}',
    );
  });

  it('adds the others with scope=all', async () => {
    const codes = (await list('?scope=ALL')).map(({ iso_code }) => iso_code);
    expect(codes).toEqual(expect.arrayContaining(['BGN', 'DEM', 'EUR', 'HRK', 'SVC']));
  });

  it('narrows to what providers publish, on the days on which they do', async () => {
    const ours = await list('?providers=boc');
    expect(ours.map(({ iso_code }) => iso_code)).toEqual(['CAD', 'MRU', 'USD']);
    expect(ours.find(({ iso_code }) => iso_code === 'USD')?.end_date).toBe('2026-03-17');
    const both = await list('?providers=BOC&providers=ECB&scope=all');
    expect(both.find(({ iso_code }) => iso_code === 'USD')).toMatchObject({
      start_date: '1950-10-01',
      end_date: '2026-03-18',
    });
    expect(both.map(({ iso_code }) => iso_code)).not.toContain('AED');
    expect(await list('?providers=BCN')).toEqual([]);
  });

  it.each(['scope=current', 'providers=NOPE', 'provider=ECB', 'scope=all&scope=all'])(
    'refuses %s',
    async (query) => {
      expect((await get(`/v2/currencies?${query}`)).status).toBe(422);
    },
  );

  it('may be kept for five minutes', async () => {
    const { headers } = await get('/v2/currencies');
    expect(headers.get('cache-control')).toBe(
      'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400',
    );
  });
});

describe('GET /v2/currency/{code}', () => {
  it('describes a currency, in any case', async () => {
    const response = await get('/v2/currency/usd');
    expect(await response.json()).toEqual({
      iso_code: 'USD',
      iso_numeric: '840',
      name: 'United States Dollar',
      symbol: '$',
      start_date: '1950-10-01',
      end_date: '2026-03-18',
      providers: ['BOC', 'ECB'],
    });
  });

  it('describes a retired one', async () => {
    expect(await (await get('/v2/currency/DEM')).json()).toMatchObject({
      start_date: '1948-06-21',
      end_date: '1998-12-31',
      providers: ['BBK'],
    });
  });

  it('shows the peg, and starts with what was published before it', async () => {
    expect(await (await get('/v2/currency/AED')).json()).toMatchObject({
      start_date: '1995-01-01',
      end_date: '2026-03-18',
      providers: ['CBR'],
      peg: { base: 'USD', rate: 3.6725, authority: 'Central Bank of the UAE', source: expect.any(String) },
    });
  });

  it('ends a pegged one with its peg', async () => {
    expect(await (await get('/v2/currency/ANG')).json()).toMatchObject({
      start_date: '1971-12-18',
      end_date: '2025-06-30',
      peg: { base: 'USD', rate: 1.79 },
    });
  });

  it('shows no peg where the newest rate is not that of the peg', () => {
    const of = (end: string) =>
      describeCurrency(
        {
          version: 1n,
          coverage: new Map(),
          currencies: new Map([['AED', { start: '1995-01-01', end }]]),
          newest: end,
          providers: new Map(),
          readingPlan: null,
        },
        'AED',
      );
    expect([of('1997-11-01')?.peg, of('1997-11-02')?.peg?.rate]).toEqual([undefined, 3.6725]);
  });

  it('starts an unpublished pegged one with the later of its peg and its anchor', async () => {
    // The peg of the Jersey pound is older than the first rate of the British pound here.
    expect(await (await get('/v2/currency/JEP')).json()).toMatchObject({
      start_date: '1999-01-04',
      end_date: '2026-03-18',
      providers: [],
      peg: { base: 'GBP', rate: 1 },
    });
    expect(await (await get('/v2/currency/BHD')).json()).toMatchObject({ start_date: '2001-01-01' });
  });

  it.each(['ZZZ', 'NOK', 'XXX', 'US', 'a%20b', '%00'])('knows no %s', async (code) => {
    const response = await get(`/v2/currency/${code}`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false, status: 404 });
  });
});

describe('the tags', () => {
  it('have the method, of which the pegs are a part', async () => {
    const { version = 0n } = api.context.catalogue.current() ?? {};
    const headers = { 'accept-encoding': 'identity' };
    const tagOf = async (path: string) => (await fetch(`${api.url}${path}`, { headers })).headers.get('etag');
    const one = entityTag('currency', BLEND_METHOD, version, 'AED');
    expect(await tagOf('/v2/currency/AED')).toBe(etagHeader(one));
    const today = api.context.clock().toISOString().slice(0, 10);
    const all = entityTag('currencies', BLEND_METHOD, version, today, 'all', 'ECB');
    expect(await tagOf('/v2/currencies?scope=all&providers=ECB')).toBe(etagHeader(all));
  });
});

describe('a new data version', () => {
  it('changes what is listed and its tag', async () => {
    const before = (await get('/v2/currency/NZD')).status;
    const tag = (await get('/v2/currency/USD')).headers.get('etag');
    await publish(database, [['NB', 'NZD', '1960-01-04', '2026-03-18']]);
    await api.catchUp();
    expect(before).toBe(404);
    expect(await (await get('/v2/currency/NZD')).json()).toMatchObject({ providers: ['NB'] });
    expect((await get('/v2/currency/USD')).headers.get('etag')).not.toBe(tag);
  });
});
