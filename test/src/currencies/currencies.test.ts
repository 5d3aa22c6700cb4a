import { expect, it } from 'vitest';
import { BLEND_METHOD } from '../../../core/domain/providers.js';
import { describeCurrency } from '../../../src/currencies/routes.js';
import { entityTag, etagHeader } from '../../../src/http/reply.js';
import { publish } from '../../support/coverage.js';
import { testDatabase } from '../../support/postgres.js';
import { ownApi } from '../own-api.js';

const published = async () => {
  const database = await testDatabase();
  await publish(database, [
    ['ECB', 'EUR', '1999-01-04', '2026-03-18'],
    ['ECB', 'USD', '1999-01-04', '2026-03-18'],
    ['ECB', 'GBP', '1999-01-04', '2026-03-18'],
    ['ECB', 'HRK', '1999-01-04', '2022-12-30'],
    ['ECB', 'BGN', '2000-07-19', '2026-03-10'],
    ['BOC', 'USD', '1950-10-01', '2026-03-17'],
    ['BOC', 'CAD', '1950-10-01', '2026-03-17'],
    ['BOC', 'MRU', '2020-01-01', '2026-02-16'],
    ['BOC', 'PYG', '2020-01-01', '2026-02-15'],
    ['CBR', 'AED', '1995-01-01', '2020-01-01'],
    ['BBK', 'DEM', '1948-06-21', '1998-12-31'],
  ]);
  return database;
};
const own = ownApi(published, { clock: () => new Date('2026-03-18T20:00:00Z') });
const get = (path: string) => own.ask(path, { 'accept-encoding': 'identity' });
const described = (code: string) => own.read(`/v2/currency/${code}`);

async function list(query = ''): Promise<{ iso_code: string; start_date: string; end_date: string }[]> {
  const response = await get(`/v2/currencies${query}`);
  expect(response.status).toBe(200);
  return response.json() as ReturnType<typeof list>;
}
const codesOf = async (query?: string) => (await list(query)).map(({ iso_code }) => iso_code);

it('GET /v2/currencies lists current currencies by code', async () => {
  const codes = await codesOf();
  expect(codes).toEqual([...codes].sort());
  // Observed within 30 days of the newest observation, the 30th included; pegged to one that is observed.
  const current = ['CAD', 'EUR', 'GBP', 'MRU', 'USD', 'AED', 'JEP', 'CVE'];
  expect(codes).toEqual(expect.arrayContaining(current));
  // Retired, retired but still printed, no longer observed, and one whose peg has ended.
  for (const code of ['DEM', 'HRK', 'BGN', 'PYG', 'ANG']) expect(codes).not.toContain(code);
});

it('GET /v2/currencies gives the fields in their order', async () => {
  expect(JSON.stringify((await list()).find(({ iso_code }) => iso_code === 'GBP'))).toBe(
    '{"iso_code":"GBP","iso_numeric":"826","name":"British Pound","symbol":"£",' +
      '"start_date":"1999-01-04","end_date":"2026-03-18"}',
  );
});

it('GET /v2/currencies adds the others with scope=all', async () => {
  expect(await codesOf('?scope=ALL')).toEqual(expect.arrayContaining(['BGN', 'DEM', 'EUR', 'HRK', 'PYG']));
});

it('GET /v2/currencies narrows to what providers publish, on the days on which they do', async () => {
  const dollar = async (query: string) => (await list(query)).find(({ iso_code }) => iso_code === 'USD');
  expect(await codesOf('?providers=boc')).toEqual(['CAD', 'MRU', 'USD']);
  expect((await dollar('?providers=boc'))?.end_date).toBe('2026-03-17');
  const both = '?providers=BOC&providers=ECB&scope=all';
  expect(await dollar(both)).toMatchObject({ start_date: '1950-10-01', end_date: '2026-03-18' });
  expect(await codesOf(both)).not.toContain('AED');
  expect(await list('?providers=BCN')).toEqual([]);
});

it.each(['scope=current', 'providers=NOPE', 'provider=ECB', 'scope=all&scope=all'])(
  'GET /v2/currencies refuses %s',
  async (query) => expect((await get(`/v2/currencies?${query}`)).status).toBe(422),
);

it('GET /v2/currencies may be kept for five minutes', async () => {
  const { headers } = await get('/v2/currencies');
  const kept = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400';
  expect(headers.get('cache-control')).toBe(kept);
});

it('GET /v2/currency/{code} describes a currency, in any case', async () => {
  expect(await described('usd')).toEqual({
    ...{ iso_code: 'USD', iso_numeric: '840', name: 'United States Dollar', symbol: '$' },
    ...{ start_date: '1950-10-01', end_date: '2026-03-18', providers: ['BOC', 'ECB'] },
  });
});

it.each([
  ['DEM', 'retired', '1948-06-21', '2001-12-31', { providers: ['BBK'] }],
  ['AED', 'older than its peg', '1995-01-01', '2026-03-18', { providers: ['CBR'] }],
  ['ANG', 'of a peg that has ended', '1971-12-18', '2025-06-30', { peg: { base: 'USD', rate: 1.79 } }],
  // Its peg is older than the first rate of the British pound here.
  ['JEP', 'as its anchor', '1999-01-04', '2026-03-18', { providers: [], peg: { base: 'GBP', rate: 1 } }],
  ['BHD', 'as old as its peg', '2001-01-01', '2026-03-18', {}],
])('GET /v2/currency/{code}: %s is %s: from %s to %s', async (code, _, start_date, end_date, more) => {
  expect(await described(code)).toMatchObject({ start_date, end_date, ...more });
});

it('GET /v2/currency/{code} shows the peg with its source', async () => {
  const peg = { base: 'USD', rate: 3.6725, authority: 'Central Bank of the UAE' };
  expect(await described('AED')).toMatchObject({ peg: { ...peg, source: expect.any(String) } });
});

it('GET /v2/currency/{code} shows no peg where the newest rate is not that of the peg', () => {
  const none = { version: 1n, coverage: new Map(), providers: new Map(), readingPlan: null, unreached: null };
  const pegUntil = (to: string) => {
    const currencies = new Map([['AED', { from: '1995-01-01', to }]]);
    return describeCurrency({ ...none, currencies, newest: to }, 'AED')?.peg?.rate;
  };
  expect(['1997-11-01', '1997-11-02'].map(pegUntil)).toEqual([undefined, 3.6725]);
});

it.each(['ZZZ', 'NOK', 'XXX', 'US', 'a%20b', '%00'])('GET /v2/currency/{code} knows no %s', async (code) => {
  const response = await get(`/v2/currency/${code}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ success: false, status: 404 });
});

it('the tags have the method, of which the pegs are a part', async () => {
  const { version = 0n } = own.api.context.catalogue.current() ?? {};
  const tagOf = async (path: string) => (await get(path)).headers.get('etag');
  const one = entityTag('currency', BLEND_METHOD, version, 'AED');
  expect(await tagOf('/v2/currency/AED')).toBe(etagHeader(one));
  const all = entityTag('currencies', BLEND_METHOD, version, '2026-03-18', 'all', 'ECB');
  expect(await tagOf('/v2/currencies?scope=all&providers=ECB')).toBe(etagHeader(all));
});

it('a new data version changes what is listed and its tag', async () => {
  expect((await get('/v2/currency/NZD')).status).toBe(404);
  const tag = (await get('/v2/currency/USD')).headers.get('etag');
  await publish(own.database, [['NB', 'NZD', '1960-01-04', '2026-03-18']]);
  await own.api.catchUp();
  expect(await described('NZD')).toMatchObject({ providers: ['NB'] });
  expect((await get('/v2/currency/USD')).headers.get('etag')).not.toBe(tag);
});
