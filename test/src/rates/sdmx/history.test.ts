import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../support/api.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { storeRows } from '../../../support/rates.js';

const clock = () => new Date('2026-03-20T18:00:00Z');
const ecb = (date: string, quote: string, rate: number) => ({
  provider: 'ECB',
  date,
  base: 'EUR',
  quote,
  rate,
});
const boc = (rate: number) => ({ provider: 'BOC', date: '2026-03-17', base: 'USD', quote: 'CAD', rate });

let database: TestDatabase;
let api: TestApi;
/** When the first figures were recorded, and when they were replaced. */
const instants: string[] = [];
beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database, { clock });
  for (const rows of [
    [ecb('2026-03-16', 'USD', 1.1453), ecb('2026-03-17', 'USD', 1.15), ecb('2026-03-17', 'GBP', 0.8642)],
    [ecb('2026-03-17', 'USD', 1.1498), boc(1.37)],
  ]) {
    await storeRows(database, rows);
    await api.catchUp();
  }
  instants.push(...(await instantsOfRevision()));
}, 60_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function instantsOfRevision(): Promise<string[]> {
  const [revision] = (await (await fetch(`${api.url}/v2/revisions?providers=ECB`)).json()) as {
    recorded_at: string;
    replaced_at: string;
  }[];
  const { recorded_at = '', replaced_at = '' } = revision ?? {};
  return [recorded_at, replaced_at];
}

const get = (path: string, accept = 'text/csv') =>
  fetch(`${api.url}/sdmx/data/EXR/${path}`, { headers: { accept } });
const lines = async (path: string, accept?: string) =>
  (await (await get(path, accept)).text()).trimEnd().split('\n');

describe('a history', () => {
  it('has each figure that a provider published, and from when to when it was valid', async () => {
    const [first, second] = instants;
    expect(await lines('D.USD+GBP.EUR.SP00.A/ECB?includeHistory=true')).toEqual([
      'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT,ACTION,VALID_FROM,VALID_TO',
      `EXR.D.GBP.EUR.SP00.A,D,GBP,EUR,SP00,A,2026-03-17,0.8642,A,0,Replace,${first},`,
      `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-16,1.1453,A,0,Replace,${first},`,
      `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-17,1.15,A,0,Replace,${first},${second}`,
      `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-17,1.1498,A,0,Replace,${second},`,
    ]);
    expect(
      await lines(
        'D.USD.EUR.SP00.A/ECB?includeHistory=true&lastNObservations=1&detail=dataonly',
        'application/vnd.sdmx.data+csv;version=2.0.0',
      ),
    ).toEqual([
      'STRUCTURE,STRUCTURE_ID,ACTION,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,VALID_FROM,VALID_TO',
      `dataflow,ALMANAC:EXR(1.0),R,D,USD,EUR,SP00,A,2026-03-17,1.15,${first},${second}`,
      `dataflow,ALMANAC:EXR(1.0),R,D,USD,EUR,SP00,A,2026-03-17,1.1498,${second},`,
    ]);
  });

  it('in JSON has a data set for each validity', async () => {
    const [first, second] = instants;
    const answer = await get('..EUR.SP00./ECB?includeHistory=true&format=jsondata');
    const body = (await answer.json()) as { dataSets: object[] };
    const action = 'Replace';
    expect(body.dataSets).toEqual([
      {
        action,
        validFrom: first,
        validTo: second,
        links: [],
        series: { '0:1:0:0:0': { attributes: [0], observations: { 1: [1.15, 0] } } },
      },
      {
        action,
        validFrom: first,
        links: [],
        series: {
          '0:0:0:0:0': { attributes: [0], observations: { 1: [0.8642, 0] } },
          '0:1:0:0:0': { attributes: [0], observations: { 0: [1.1453, 0] } },
        },
      },
      {
        action,
        validFrom: second,
        links: [],
        series: { '0:1:0:0:0': { attributes: [0], observations: { 1: [1.1498, 0] } } },
      },
    ]);
  });

  it('is of the time that is asked for', async () => {
    const [first = '', second = ''] = instants;
    const usd = 'D.USD.EUR.SP00.A/ECB?includeHistory=true&detail=dataonly';
    expect((await lines(`${usd}&asOf=${first}&startPeriod=2026-03-17`)).slice(1)).toEqual([
      `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-17,1.15,Replace,${first},`,
    ]);
    expect((await lines(`${usd}&updatedAfter=${first}`)).slice(1)).toEqual([
      `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-17,1.1498,Replace,${second},`,
    ]);
    expect((await lines(`${usd}&endPeriod=2026-03-16`)).slice(1)).toHaveLength(1);
  });

  it('has nothing that the provider did not publish', async () => {
    for (const path of [
      'D.EUR.USD.SP00.A/ECB',
      'D.CAD.EUR.SP00.A/ECB',
      'M.USD.EUR.SP00.A/ECB',
      'D.USD.EUR.SP00.A/BOC',
    ])
      expect((await get(`${path}?includeHistory=true`)).status).toBe(404);
    expect(await lines('D..USD.SP00.A/BOC?includeHistory=true')).toHaveLength(2);
  });

  it.each([
    ['D.USD.EUR.SP00.A', 'text/csv'],
    ['D.USD.EUR.SP00.A/BOC+ECB', 'text/csv'],
    ['D.USD.EUR.SP00.A/ECB', 'application/xml'],
  ])('of %s as %s is not there', async (path, accept) => {
    expect((await get(`${path}?includeHistory=true`, accept)).status).toBe(501);
  });
});

describe('over HTTP', () => {
  it('a trailing slash is the same, and a media type is sent as it is', async () => {
    const one = await get('D.USD.EUR.SP00.A/all/?startPeriod=2026-03', 'application/xml');
    const other = await get('D.USD.EUR.SP00.A?startPeriod=2026-03', 'application/xml');
    expect(one.headers.get('content-type')).toBe('application/xml');
    expect(one.headers.get('etag')).toBe(other.headers.get('etag'));
    expect(await one.text()).toBe(await other.text());
    const type = 'application/vnd.sdmx.data+json;version=1.0.0';
    expect((await get('all', type)).headers.get('content-type')).toBe(type);
  });

  it.each([
    ['/sdmx/data/EXR/D.USD', 400, 140],
    ['/sdmx/data/EXR/D.XXY.EUR.SP00.A', 422, 150],
    ['/sdmx/data/EXR/D.USD.EUR.SP00.A?startPeriod=2027', 404, 100],
    ['/sdmx/data/ICP/all', 404, 100],
    ['/sdmx/codelist/all/all/latest/D/more', 404, 100],
    ['/sdmx/nothing', 501, 501],
    ['/sdmx/data/EXR/all/all?dimensionAtObservation=AllDimensions', 501, 501],
    ['/sdmx/data/EXR/all?format=parquet', 406, 406],
    ['/sdmx/data/EXR/all?asOf=2999-01-01', 422, 150],
  ])('%s is refused with %i and code %i, in both forms', async (path, status, code) => {
    const xml = await fetch(api.url + path, { headers: { accept: 'application/xml' } });
    expect(xml.headers.get('content-type')).toBe('application/xml');
    expect(await xml.text()).toContain(`<m:ErrorMessage code="${code}"><c:Text xml:lang="en">`);
    expect(xml.status).toBe(status);
    const json = await fetch(api.url + path, { headers: { accept: 'application/json' } });
    expect(json.status).toBe(status);
    expect(await json.json()).toMatchObject({ success: false, status, errors: [{ code }] });
  });

  it('other methods are refused in the same form', async () => {
    const answer = await fetch(`${api.url}/sdmx/data/EXR/all`, { method: 'POST' });
    expect(answer.status).toBe(405);
    expect(await answer.text()).toContain('<m:ErrorMessage code="405">');
  });
});
