import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../support/postgres.js';
import { storeRows } from '../../../support/rates.js';
import { ownApi } from '../../own-api.js';
import { rowsOf } from '../sources/in-memory.js';

const FIRST = [
  'ECB 2026-03-16 EUR/USD 1.1453',
  'ECB 2026-03-17 EUR/USD 1.15',
  'ECB 2026-03-17 EUR/GBP 0.8642',
];
const SECOND = ['ECB 2026-03-17 EUR/USD 1.1498', 'BOC 2026-03-17 USD/CAD 1.37'];

const own = ownApi(testDatabase, { clock: () => new Date('2026-03-20T18:00:00Z') });
/** When the first figures were recorded, and when they were replaced. */
let first = '';
let second = '';
beforeAll(async () => {
  for (const rows of [FIRST, SECOND]) {
    await storeRows(own.database, rowsOf(rows));
    await own.api.catchUp();
  }
  const revisions = await (await fetch(`${own.api.url}/v2/revisions?providers=ECB`)).json();
  const [{ recorded_at, replaced_at }] = revisions as [{ recorded_at: string; replaced_at: string }];
  // SDMX leaves out milliseconds of zero.
  [first = '', second = ''] = [recorded_at, replaced_at].map((instant) => instant.replace('.000Z', 'Z'));
});

const get = (path: string, accept = 'text/csv') => {
  const sign = path.includes('?') ? '&' : '?';
  return fetch(`${own.api.url}/sdmx/data/EXR/${path}${sign}includeHistory=true`, { headers: { accept } });
};
const lines = async (path: string, accept?: string) =>
  (await (await get(path, accept)).text()).trimEnd().split('\n');
const USD = 'D.USD.EUR.SP00.A/ECB?detail=dataonly';
const ofDollar = (rest: string) => `EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,${rest}`;

describe('a history', () => {
  it('has each figure that a provider published, and from when to when it was valid', async () => {
    expect(await lines('D.USD+GBP.EUR.SP00.A/ECB')).toEqual([
      'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,UNIT_MULT,ACTION,VALID_FROM,VALID_TO',
      `EXR.D.GBP.EUR.SP00.A,D,GBP,EUR,SP00,A,2026-03-17,0.8642,A,0,Replace,${first},`,
      ofDollar(`2026-03-16,1.1453,A,0,Replace,${first},`),
      ofDollar(`2026-03-17,1.15,A,0,Replace,${first},${second}`),
      ofDollar(`2026-03-17,1.1498,A,0,Replace,${second},`),
    ]);
    expect(await lines(`${USD}&lastNObservations=1`, 'application/vnd.sdmx.data+csv;version=2.0.0')).toEqual([
      'STRUCTURE,STRUCTURE_ID,ACTION,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,VALID_FROM,VALID_TO',
      `dataflow,ALMANAC:EXR(1.0),R,D,USD,EUR,SP00,A,2026-03-17,1.15,${first},${second}`,
      `dataflow,ALMANAC:EXR(1.0),R,D,USD,EUR,SP00,A,2026-03-17,1.1498,${second},`,
    ]);
  });

  it('in JSON has a data set for each validity', async () => {
    const body = (await (await get('..EUR.SP00./ECB?format=jsondata')).json()) as { dataSets: object[] };
    const series = (observations: object) => ({ attributes: [0], observations });
    const [gbp, usd] = ['0:0:0:0:0', '0:1:0:0:0'];
    const set = { action: 'Replace', links: [] };
    expect(body.dataSets).toEqual([
      { ...set, validFrom: first, validTo: second, series: { [usd]: series({ 1: [1.15, 0] }) } },
      {
        ...set,
        validFrom: first,
        series: { [gbp]: series({ 1: [0.8642, 0] }), [usd]: series({ 0: [1.1453, 0] }) },
      },
      { ...set, validFrom: second, series: { [usd]: series({ 1: [1.1498, 0] }) } },
    ]);
  });

  it('is of the time that is asked for', async () => {
    expect((await lines(`${USD}&asOf=${first}&startPeriod=2026-03-17`)).slice(1)).toEqual([
      ofDollar(`2026-03-17,1.15,Replace,${first},`),
    ]);
    expect((await lines(`${USD}&updatedAfter=${first}`)).slice(1)).toEqual([
      ofDollar(`2026-03-17,1.1498,Replace,${second},`),
    ]);
    expect(await lines(`${USD}&endPeriod=2026-03-16`)).toHaveLength(2);
    expect(await lines('D..USD.SP00.A/BOC')).toHaveLength(2);
  });

  it.each([
    // The provider did not publish them.
    ['D.EUR.USD.SP00.A/ECB', 'text/csv', 404],
    ['D.CAD.EUR.SP00.A/ECB', 'text/csv', 404],
    ['M.USD.EUR.SP00.A/ECB', 'text/csv', 404],
    ['D.USD.EUR.SP00.A/BOC', 'text/csv', 404],
    ['D.USD.EUR.SP00.A', 'text/csv', 501],
    ['D.USD.EUR.SP00.A/BOC+ECB', 'text/csv', 501],
    ['D.USD.EUR.SP00.A/ECB', 'application/xml', 501],
  ])('of %s as %s is answered with %i', async (path, accept, status) => {
    expect((await get(path, accept)).status).toBe(status);
  });
});
