import { describe, expect, it } from 'vitest';
import { CLOSED } from '../../../../src/http/representation.js';
import { openSdmx } from './in-process.js';

const OLD = '2026-03-10T16:00:00Z';
const NEW = '2026-03-20T09:00:00Z';
const THEN = [
  'ECB 2025-12-31 EUR/USD 1.1',
  'ECB 2026-02-27 EUR/USD 1.1815',
  'ECB 2026-03-02 EUR/USD 1.1698',
  'ECB 2026-03-02 EUR/GBP 0.87',
  'ECB 2026-03-03 EUR/USD 1.1666',
  'BOC 2026-03-03 USD/CAD 1.37',
];
const NOW = [
  ...THEN.slice(0, 4),
  'ECB 2026-03-03 EUR/USD 1.17',
  'ECB 2026-03-04 EUR/USD 1.9 jump',
  'BOC 2026-03-03 USD/CAD 1.37',
];
const { ask, cost, json } = openSdmx({
  recorded: [
    { at: OLD, rows: THEN },
    { at: NEW, rows: NOW },
  ],
  now: '2026-03-20T12:00:00Z',
});

/** The observations of a query: `D.USD.EUR.A 2026-03-02 1.1698`. */
async function found(path: string, query = '', root = '/sdmx/data/EXR', asked = ask) {
  const { status, text, message } = await asked(
    `${root}/${path}${query === '' ? '?' : `?${query}&`}format=csvdata`,
  );
  if (status !== 200) return `${status} ${message}`;
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, freq, currency, denominator, , suffix, time, value] = line.split(',');
      return `${freq}.${currency}.${denominator}.${suffix} ${time} ${value}`;
    });
}
/** Without the currencies that are pegged to others. */
const unpegged = (rows: string | string[]) =>
  typeof rows === 'string' ? rows : rows.filter((row) => /^.\.(CAD|EUR|GBP|USD)\./.test(row));
const dollar = (...rows: string[]) => rows.map((row) => `D.USD.EUR.A ${row}`);
const USD = dollar('2025-12-31 1.1', '2026-02-27 1.1815', '2026-03-02 1.1698', '2026-03-03 1.17');

describe('a key', () => {
  it('names one series, of which all history is told', async () => {
    expect(await found('D.USD.EUR.SP00.A')).toEqual(USD);
  });

  it('may name several codes, whose series are sorted by key, then time', async () => {
    expect(await found('D.USD+GBP+CAD.EUR.SP00.A', 'startPeriod=2026-03')).toEqual([
      'D.CAD.EUR.A 2026-03-03 1.6029',
      'D.GBP.EUR.A 2026-03-02 0.87',
      ...USD.slice(2),
    ]);
    expect(await found('D.EUR+CHF.GBP+USD.SP00.A', 'startPeriod=2026-03')).toEqual([
      'D.EUR.GBP.A 2026-03-02 1.1494',
      'D.EUR.GBP.A 2026-03-03 1.1492',
      'D.EUR.USD.A 2026-03-02 0.85485',
      'D.EUR.USD.A 2026-03-03 0.8547',
    ]);
  });

  it.each(['', 'all', '....', '*', '*.*.*.*.*'])('of %j means all of the base EUR', async (key) => {
    const [flow, root] = key === '' ? ['EXR', '/sdmx/data'] : [key];
    const rows = await found(flow ?? '', 'startPeriod=2025-12&endPeriod=2026-03', root);
    expect(unpegged(rows)).toEqual(
      await found('A+D+M+Q+W.GBP+USD+CAD.EUR.SP00.A+E', 'startPeriod=2025-12&endPeriod=2026-03'),
    );
    expect(rows).toContain('D.XOF.EUR.A 2026-03-02 655.957');
    expect(rows).toContain('M.USD.EUR.E 2026-03 1.17');
  });

  it('with a wildcard leaves out the base itself, which may be named', async () => {
    expect(unpegged(await found('D..USD.SP00.A', 'startPeriod=2026-03-03'))).toEqual([
      'D.CAD.USD.A 2026-03-03 1.37',
      'D.EUR.USD.A 2026-03-03 0.8547',
    ]);
    expect(await found('D.USD.USD.SP00.A', 'startPeriod=2026-03-03')).toEqual(['D.USD.USD.A 2026-03-03 1']);
    expect(unpegged(await found('D..USD+EUR.SP00.A', 'startPeriod=2026-03-03'))).toEqual([
      'D.CAD.EUR.A 2026-03-03 1.6029',
      'D.CAD.USD.A 2026-03-03 1.37',
      'D.EUR.USD.A 2026-03-03 0.8547',
      'D.USD.EUR.A 2026-03-03 1.17',
    ]);
  });

  it.each([
    ['W', '2026-W10', '1.1699', '1.17'],
    ['M', '2026-03', '1.1699', '1.17'],
    ['Q', '2026-Q1', '1.1737', '1.17'],
    ['A', '2026', '1.1737', '1.17'],
  ])('of frequency %s has means and last rates of its periods', async (frequency, time, mean, last) => {
    expect(await found(`${frequency}.USD.EUR.SP00.`, 'startPeriod=2026-01&endPeriod=2026-12')).toEqual(
      expect.arrayContaining([
        `${frequency}.USD.EUR.A ${time} ${mean}`,
        `${frequency}.USD.EUR.E ${time} ${last}`,
      ]),
    );
  });

  it.each(['9999', '9999-12-31', '9999-W52', '9999-S2'])('may end with the last year: %s', async (end) => {
    const until = (period: string) => found('.USD.EUR.SP00.', `startPeriod=2026-03-02&endPeriod=${period}`);
    expect(await until(end)).toEqual(await until('2026-12'));
  });

  it('has no last rates of days', async () => {
    expect(await found('D.USD.EUR.SP00.E')).toMatch(/^404 no observations were found/);
    expect(await found('D.USD.EUR.SP00.')).toEqual(USD);
  });

  it.each([
    ['D.USD.EUR.SP00', 400, 'a key has 5 codes with points between'],
    ['D.USD.EUR.SP00.A.B', 400, 'a key has 5 codes'],
    ['D.U$D!.EUR.SP00.A', 400, 'a key has a code that is none: U$D!'],
    ['D.USD++GBP.EUR.SP00.A', 400, 'a key has a code on both sides of each +'],
    ['X.USD.EUR.SP00.A', 422, 'FREQ is D, W, M, Q or A, not X'],
    ['D.XXY.EUR.SP00.A', 422, 'invalid currency: XXY'],
    ['D.USD.XXY.SP00.A', 422, 'invalid currency: XXY'],
    ['D.USD.EUR.EN00.A', 422, 'EXR_TYPE is SP00, not EN00'],
    ['D.USD.EUR.SP00.S', 422, 'EXR_SUFFIX is A or E, not S'],
  ])('%s is refused with %i', async (key, status, message) => {
    expect(await ask(`/sdmx/data/EXR/${key}`)).toMatchObject({
      status,
      message: expect.stringContaining(message),
      faults: [{ parameter: 'key' }],
    });
  });
});

describe('a flow', () => {
  it.each(['EXR', 'ALMANAC,EXR', 'ECB,EXR', 'all,EXR', 'ALMANAC,EXR,1.0', 'ECB,EXR,latest'])(
    'may be %s',
    async (flow) => {
      expect(await found('D.USD.EUR.SP00.A', '', `/sdmx/data/${flow}`)).toEqual(USD);
    },
  );

  it.each(['ICP', 'IMF,EXR', 'ECB,EXR,2.0'])('is not %s', async (flow) => {
    expect(await ask(`/sdmx/data/${flow}/D.USD.EUR.SP00.A`)).toMatchObject({
      status: 404,
      message: expect.stringContaining('no such dataflow'),
    });
  });

  it('with more parts is an error of syntax', async () => {
    expect(await ask('/sdmx/data/a,b,c,d/all')).toMatchObject({
      status: 400,
      faults: [{ parameter: 'flow' }],
    });
  });
});

describe('a provider', () => {
  it('has its own rates, with the status of one that is held back', async () => {
    const { text } = await ask('/sdmx/data/EXR/D.USD.EUR.SP00.A/ECB?format=csvdata&startPeriod=2026-03-03');
    expect(text.split('\n').slice(1)).toEqual([
      'EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-03,1.17,A,0',
      'EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-04,1.9,U,0',
      '',
    ]);
    const body = await json<{
      data: { structure: { attributes: { observation: object[] } }; dataSets: { series: object }[] };
    }>('/sdmx/data/EXR/D.USD.EUR.SP00.A/ECB?startPeriod=2026-03-03', {
      headers: { accept: 'application/json' },
    });
    expect(body.data.structure.attributes.observation).toMatchObject([
      { values: [{ id: 'A' }, { id: 'U', name: 'Low reliability' }] },
    ]);
    expect(body.data.dataSets[0]?.series).toEqual({
      '0:0:0:0:0': { attributes: [0], observations: { 0: [1.17, 0], 1: [1.9, 1] } },
    });
  });

  it('may be several, blended', async () => {
    expect(
      await found('D.CAD+USD.EUR.SP00.A/BOC+ECB', 'startPeriod=2026-03-03&endPeriod=2026-03-03'),
    ).toEqual(['D.CAD.EUR.A 2026-03-03 1.6029', 'D.USD.EUR.A 2026-03-03 1.17']);
    expect(await found('D.CAD.EUR.SP00.A/ECB')).toMatch(/^404/);
  });

  it('of official rates has no means, and rates of periods that begin in the range', async () => {
    const rows = ['HMRC 2026-02-01 GBP/USD 1.3', 'HMRC 2026-03-01 GBP/USD 1.35'];
    const official = openSdmx({ recorded: [{ at: OLD, rows }], now: '2026-03-20T12:00:00Z' });
    const of = (path: string, query?: string) => found(path, query, undefined, official.ask);
    expect(await of('.USD.GBP.SP00./HMRC', 'startPeriod=2026-02-15')).toEqual([
      'D.USD.GBP.A 2026-03-01 1.35',
    ]);
    expect(await of('M.USD.GBP.SP00.A/HMRC')).toMatch(/^404/);
  });

  it.each([
    ['XXX', 'invalid provider: XXX'],
    ['ECB+XXX', 'invalid provider: XXX'],
    ['+', 'invalid provider'],
  ])('is not %s', async (provider, message) => {
    expect(await ask(`/sdmx/data/EXR/all/${provider}`)).toMatchObject({
      status: 422,
      message: expect.stringContaining(message),
      faults: [{ parameter: 'provider' }],
    });
  });
});

describe('a period', () => {
  it.each([
    ['startPeriod=2026-03-02&endPeriod=2026-03-02', ['2026-03-02 1.1698']],
    ['startPeriod=2026-W10', ['2026-03-02 1.1698', '2026-03-03 1.17']],
    ['startPeriod=2026-02&endPeriod=2026-02', ['2026-02-27 1.1815']],
    ['endPeriod=2025', ['2025-12-31 1.1']],
    ['startPeriod=2025-S2&endPeriod=2025-S2', ['2025-12-31 1.1']],
    ['startPeriod=2025-Q4&endPeriod=2025-Q4', ['2025-12-31 1.1']],
    ['startPeriod=2026-03-03T00:00:00', ['2026-03-03 1.17']],
    ['endPeriod=2025-12-31T23:59:59', ['2025-12-31 1.1']],
  ])('%s limits days', async (query, rows) => {
    expect(await found('D.USD.EUR.SP00.A', query)).toEqual(dollar(...rows));
  });

  it('has a row if the first day of the row does, which is then of all its days', async () => {
    const months = async (query: string) => found('M.USD.EUR.SP00.', query);
    expect(await months('startPeriod=2026-02-02&endPeriod=2026-03-01')).toEqual([
      'M.USD.EUR.A 2026-03 1.1699',
      'M.USD.EUR.E 2026-03 1.17',
    ]);
    expect(await months('startPeriod=2026-02-02&endPeriod=2026-02-28')).toMatch(/^404/);
    expect(await found('W.USD.EUR.SP00.A', 'startPeriod=2026-W10&endPeriod=2026-W10')).toEqual([
      'W.USD.EUR.A 2026-W10 1.1699',
    ]);
  });

  it.each(['startPeriod=2026-13', 'endPeriod=tomorrow', 'startPeriod=2025-W53'])(
    '%s is none',
    async (query) => {
      const [name = ''] = query.split('=');
      expect(await ask(`/sdmx/data/EXR/all?${query}`)).toMatchObject({
        status: 400,
        message: expect.stringContaining(`${name} must be a period such as 2026-03-17`),
        faults: [{ parameter: name }],
      });
    },
  );

  it('must not end before it begins', async () => {
    expect(await ask('/sdmx/data/EXR/all?startPeriod=2026-03&endPeriod=2026-02')).toMatchObject({
      status: 422,
      faults: [{ parameter: 'startPeriod' }],
    });
  });

  it('in the future has nothing', async () => {
    expect(await found('D.USD.EUR.SP00.A', 'startPeriod=2027')).toMatch(/^404/);
  });
});

describe('the first and last observations of each series', () => {
  it.each([
    ['firstNObservations=1', ['D.GBP.EUR.A 2026-03-02 0.87', USD[0]]],
    ['lastNObservations=2', ['D.GBP.EUR.A 2026-03-02 0.87', USD[2], USD[3]]],
    ['firstNObservations=1&lastNObservations=1', ['D.GBP.EUR.A 2026-03-02 0.87', USD[0], USD[3]]],
    ['firstNObservations=3&lastNObservations=3', ['D.GBP.EUR.A 2026-03-02 0.87', ...USD]],
  ])('%s', async (query, rows) => {
    expect(await found('D.GBP+USD.EUR.SP00.A', query)).toEqual(rows);
  });

  it.each(['0', '-1', '1.5', 'x'])('are not %s', async (count) => {
    expect(await ask(`/sdmx/data/EXR/all?lastNObservations=${count}`)).toMatchObject({
      status: 400,
      faults: [{ parameter: 'lastNObservations' }],
    });
  });
});

describe('asOf', () => {
  it('has what was known then, and its data version', async () => {
    expect(await found('D.USD.EUR.SP00.A', `asOf=${OLD}`)).toEqual([
      ...USD.slice(0, 3),
      'D.USD.EUR.A 2026-03-03 1.1666',
    ]);
    const { text } = await ask(`/sdmx/data/EXR/D.USD.EUR.SP00.A?asOf=${OLD}`);
    expect(text).toContain(`<m:ID>V1</m:ID><m:Test>false</m:Test><m:Prepared>${OLD}</m:Prepared>`);
  });

  it('before anything was known has nothing, and in the future is an error by its name', async () => {
    expect(await ask('/sdmx/data/EXR/all?asOf=2026-01-01')).toMatchObject({ status: 404 });
    expect(await ask('/sdmx/data/EXR/all?asOf=2027-01-01')).toMatchObject({ status: 422 });
  });

  it('must not be earlier than updatedAfter', async () => {
    expect(await ask(`/sdmx/data/EXR/all?asOf=${OLD}&updatedAfter=${NEW}`)).toMatchObject({
      status: 422,
      faults: [{ parameter: 'asOf' }],
    });
  });
});

describe('updatedAfter', () => {
  it.each([
    OLD,
    '2026-03-10T16:00:00',
    '2026-03-10T17:00:00%2B01:00',
    '2026-03-10T17:00:00+01:00',
    '2026-03-10T11:00:00-05:00',
  ])('%s has what is new or changed since', async (instant) => {
    expect(await found('D.USD+GBP+CAD.EUR.SP00.A', `updatedAfter=${instant}`)).toEqual([
      'D.CAD.EUR.A 2026-03-03 1.6029',
      'D.USD.EUR.A 2026-03-03 1.17',
    ]);
    expect(await found('M.USD.EUR.SP00.', `updatedAfter=${instant}`)).toEqual([
      'M.USD.EUR.A 2026-03 1.1699',
      'M.USD.EUR.E 2026-03 1.17',
    ]);
  });

  it('has nothing where nothing has changed', async () => {
    expect(await found('D.USD.EUR.SP00.A', `updatedAfter=${NEW}`)).toMatch(/^404/);
    expect(await found('D.GBP.EUR.SP00.A', `updatedAfter=${OLD}`)).toMatch(/^404/);
  });

  it('does not tell of what is gone', async () => {
    const { ask } = openSdmx({
      recorded: [
        { at: OLD, rows: THEN },
        { at: NEW, rows: [...THEN.slice(0, 4), 'ECB 2026-03-05 EUR/USD 1.2'] },
      ],
      now: '2026-03-20T12:00:00Z',
    });
    const { text } = await ask(`/sdmx/data/EXR/D.USD.EUR.SP00.A?format=csvdata&updatedAfter=${OLD}`);
    expect(text.trimEnd().split('\n').slice(1)).toEqual([
      'EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-05,1.2,A,0',
    ]);
  });

  it('needs a date or an instant', async () => {
    expect(await ask('/sdmx/data/EXR/all?updatedAfter=yesterday')).toMatchObject({
      status: 400,
      faults: [{ parameter: 'updatedAfter' }],
    });
  });
});

describe('parameters', () => {
  it.each(['start=2026', 'detail=some', 'includeHistory=yes', 'startPeriod=2026&startPeriod=2025'])(
    '%s: 400',
    async (query) => {
      expect(await ask(`/sdmx/data/EXR/all?${query}`)).toMatchObject({ status: 400 });
    },
  );

  it.each([
    ['dimensionAtObservation=AllDimensions', 501],
    ['dimensionAtObservation=CURRENCY&format=csvdata', 501],
    ['dimensionAtObservation=COUNTRY', 400],
    ['dimensionAtObservation=AllDimensions&format=csvdata', 200],
    ['dimensionAtObservation=TIME_PERIOD', 200],
    ['includeHistory=false', 200],
    ['includeHistory=true', 501],
  ])('%s: %i', async (query, status) => {
    expect((await ask(`/sdmx/data/EXR/D.USD.EUR.SP00.A?${query}`)).status).toBe(status);
  });

  it('of a history in XML are not there', async () => {
    expect(await ask('/sdmx/data/EXR/D.USD.EUR.SP00.A/ECB?includeHistory=true')).toMatchObject({
      status: 501,
    });
  });
});

describe('the names of SDMX 3.0', () => {
  const three = (path: string, query = '') => found(path, query, '/sdmx/data/dataflow');

  it.each(['ALMANAC/EXR/1.0', 'ECB/EXR/~', '*/EXR/*', 'all/EXR/latest', 'ALMANAC/EXR/+'])(
    '%s is the flow',
    async (flow) => {
      expect(await three(`${flow}/D.USD.EUR.SP00.A`)).toEqual(USD);
    },
  );

  it('have wildcards, and several keys', async () => {
    expect(unpegged(await three('ALMANAC/EXR/1.0/D.*.EUR.SP00.*', 'c[TIME_PERIOD]=2026-03-02'))).toEqual([
      'D.GBP.EUR.A 2026-03-02 0.87',
      USD[2],
    ]);
    expect(
      await three('ALMANAC/EXR/1.0/D.USD.EUR.SP00.A,M.EUR.USD.SP00.E', 'c[TIME_PERIOD]=2026-03'),
    ).toEqual([USD[2], USD[3], 'M.EUR.USD.E 2026-03 0.8547']);
    const all = await three('ALMANAC/EXR/1.0/*');
    expect(await three('ALMANAC/EXR/1.0')).toEqual(all);
    expect(await three('ALMANAC/EXR')).toEqual(all);
  });

  it.each([
    ['ge:2026-03+le:2026-04', 2],
    ['ge:2026-03%2Ble:2026-04', 2],
    ['gt:2026-02+lt:2026-03-03', 1],
    ['eq:2025', 1],
    ['2026-Q1', 3],
    ['le:2026-02', 2],
  ])('c[TIME_PERIOD]=%s limits periods', async (condition, count) => {
    expect(await three('ALMANAC/EXR/1.0/D.USD.EUR.SP00.A', `c[TIME_PERIOD]=${condition}`)).toHaveLength(
      count,
    );
  });

  it.each(['c[TIME_PERIOD]=ne:2026', 'c[FREQ]=D', 'startPeriod=2026', 'attributes=all', 'measures=dsd'])(
    '%s: 400',
    async (query) => {
      expect(await ask(`/sdmx/data/dataflow/ALMANAC/EXR/1.0/*?${query}`)).toMatchObject({ status: 400 });
    },
  );

  it.each([
    ['attributes=dsd&measures=all', 'full'],
    ['attributes=none&measures=all', 'dataonly'],
    ['attributes=none&measures=none', 'serieskeysonly'],
    ['attributes=dsd&measures=none', 'nodata'],
  ])('%s is detail=%s', async (query, detail) => {
    const body = async (target: string) => (await ask(`/sdmx/data/${target}`)).text;
    expect(await body(`dataflow/ALMANAC/EXR/1.0/D.USD.EUR.SP00.A?${query}`)).toBe(
      await body(`EXR/D.USD.EUR.SP00.A?detail=${detail}`),
    );
  });
});

describe('a reply', () => {
  it('is cached as other rates are', async () => {
    const closed = await ask('/sdmx/data/EXR/D.USD.EUR.SP00.A?startPeriod=2026-03-02&endPeriod=2026-03-03');
    expect(closed).toMatchObject({ cacheControl: CLOSED, vary: ['accept'], dataVersion: '2' });
    const open = ['D.USD.EUR.SP00.A', 'M.USD.EUR.SP00.A?endPeriod=2026-03-03'];
    for (const target of open)
      expect((await ask(`/sdmx/data/EXR/${target}`)).cacheControl).toMatch(/^public, max-age=\d+, stale/);
  });

  it('has a tag of its own for each question, and the same for the same one', async () => {
    const tags = new Map<string, string>();
    for (const target of [
      'EXR/D.USD.EUR.SP00.A',
      'EXR/D.GBP.EUR.SP00.A',
      'EXR/D.USD.EUR.SP00.A/ECB',
      'EXR/D.USD.EUR.SP00.A?format=csvdata',
      'EXR/D.USD.EUR.SP00.A?lastNObservations=1',
      'EXR/D.USD.EUR.SP00.A?detail=dataonly',
      'EXR/D.USD.EUR.SP00.A?startPeriod=2026',
      `EXR/D.USD.EUR.SP00.A?asOf=${OLD}`,
      `EXR/D.USD.EUR.SP00.A?updatedAfter=${OLD}`,
    ])
      tags.set((await ask(`/sdmx/data/${target}`)).tag ?? '', target);
    expect(tags.size).toBe(9);
    const tag = async (target: string) => (await ask(`/sdmx/data/${target}`)).tag;
    expect(await tag('ECB,EXR/D.USD.EUR.SP00.A/all')).toBe(await tag('EXR/D.USD.EUR.SP00.A'));
    expect(await tag('dataflow/*/EXR/~/D.USD.EUR.SP00.A')).toBe(await tag('EXR/D.USD.EUR.SP00.A'));
  });

  it('costs what it has, and what is held for it', async () => {
    const rows = async (target: string) => Math.round((await cost(`/sdmx/data/EXR/${target}`))?.rows ?? 0);
    const month = 'startPeriod=2026-02-01&endPeriod=2026-02-28';
    expect(await rows(`D.USD.EUR.SP00.A?${month}`)).toBe(28);
    expect(await rows(`D.USD+GBP.EUR+CHF.SP00.A?${month}`)).toBe(4 * 28);
    expect(await rows(`D.USD.EUR.SP00.A?${month}&lastNObservations=1`)).toBe(1);
    const held = async (target: string) => (await cost(`/sdmx/data/EXR/${target}`))?.wholeBytes ?? 0;
    expect(await held('D..EUR.SP00.A')).toBeLessThan(20e6);
    expect(await held('D..EUR.SP00.A/BOC+ECB')).toBeGreaterThan(2 * (await held('D..EUR.SP00.A')));
    expect((await cost('/sdmx/data/EXR/all/BOC+ECB'))?.rawDays).toBeGreaterThan(40_000);
  });

  it('of many bases is only of rates in memory', async () => {
    const bases = 'USD+GBP+CHF+JPY+CAD+AUD+NZD+SEK+NOK';
    expect((await ask(`/sdmx/data/EXR/D.EUR.${bases}.SP00.A`)).status).toBe(200);
    expect(await ask(`/sdmx/data/EXR/D.EUR.${bases}.SP00.A/ECB`)).toMatchObject({ status: 413 });
  });
});
