import { describe, expect, it } from 'vitest';
import { CLOSED } from '../../../../src/http/reply.js';
import { openSdmx } from './in-process.js';

const OLD = '2026-03-10T16:00:00Z';
const NEW = '2026-03-20T09:00:00Z';
const THEN = [
  ...['ECB 2025-12-31 EUR/USD 1.1', 'ECB 2026-02-27 EUR/USD 1.1815', 'ECB 2026-03-02 EUR/USD 1.1698'],
  ...['ECB 2026-03-02 EUR/GBP 0.87', 'ECB 2026-03-03 EUR/USD 1.1666', 'BOC 2026-03-03 USD/CAD 1.37'],
];
const open = (rows: readonly string[]) => {
  const recorded = [OLD, NEW].map((at, index) => ({ at, rows: index === 0 ? THEN : rows }));
  return openSdmx({ recorded, now: '2026-03-20T12:00:00Z' });
};
const { ask, cost } = open([
  ...THEN.slice(0, 4),
  'ECB 2026-03-03 EUR/USD 1.17',
  'ECB 2026-03-04 EUR/USD 1.9 jump',
  'BOC 2026-03-03 USD/CAD 1.37',
]);

/** The observations of a query, such as `D.USD.EUR.A 2026-03-02 1.1698`, or the status of a refusal. */
async function found(target: string, asked = ask): Promise<string[]> {
  const sign = target.includes('?') ? '&' : '?';
  const { status, text } = await asked(`/sdmx/data/${target}${sign}format=csvdata`);
  if (status !== 200) return [String(status)];
  const lines = text.trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [, freq, currency, denominator, , suffix, time, value] = line.split(',');
    return `${freq}.${currency}.${denominator}.${suffix} ${time} ${value}`;
  });
}
const dollar = (...rows: string[]) => rows.map((row) => `D.USD.EUR.A ${row}`);
const USD = dollar('2025-12-31 1.1', '2026-02-27 1.1815', '2026-03-02 1.1698', '2026-03-03 1.17');
const EURO = 'D.EUR.USD.A 2026-03-03 0.8547';
const CAD = 'D.CAD.EUR.A 2026-03-03 1.6029';
const KEY = 'EXR/D.USD.EUR.SP00.A';
const THREE = 'dataflow/ALMANAC/EXR/1.0';
/** Without the currencies that are pegged to others. */
const unpegged = (rows: string[]) => rows.filter((row) => !/^\w\.(?!CAD|EUR|GBP|USD)/.test(row));

describe('a key', () => {
  it.each([
    // All history of one series.
    ['D.USD.EUR.SP00.A', USD.join()],
    // Several series, by key, then time.
    ['D.USD+GBP+CAD.EUR.SP00.A?startPeriod=2026-03-03', `${CAD},${USD[3]}`],
    [
      'D.EUR+CHF.GBP+USD.SP00.A?startPeriod=2026-03-02',
      `D.EUR.GBP.A 2026-03-02 1.1494,D.EUR.USD.A 2026-03-02 0.85485,${EURO}`,
    ],
    // A wildcard leaves out the base itself, which may be named.
    ['D..USD.SP00.A?startPeriod=2026-03-03', `D.CAD.USD.A 2026-03-03 1.37,${EURO}`],
    ['D.USD.USD.SP00.A?startPeriod=2026-03-03', 'D.USD.USD.A 2026-03-03 1'],
    ['D.USD+EUR.EUR.SP00.A?startPeriod=2026-03-03', `D.EUR.EUR.A 2026-03-03 1,${USD[3]}`],
    // Means and last rates of periods; days have no last rates.
    ['W.USD.EUR.SP00.?startPeriod=2026-03', 'W.USD.EUR.A 2026-W10 1.1699,W.USD.EUR.E 2026-W10 1.17'],
    ['M.USD.EUR.SP00.?startPeriod=2026-03', 'M.USD.EUR.A 2026-03 1.1699,M.USD.EUR.E 2026-03 1.17'],
    ['Q.USD.EUR.SP00.?startPeriod=2026', 'Q.USD.EUR.A 2026-Q1 1.1737,Q.USD.EUR.E 2026-Q1 1.17'],
    ['A.USD.EUR.SP00.?startPeriod=2026', 'A.USD.EUR.A 2026 1.1737,A.USD.EUR.E 2026 1.17'],
    ['D.USD.EUR.SP00.E', '404'],
    ['D.USD.EUR.SP00.', USD.join()],
  ])('%s', async (key, rows) => {
    expect(unpegged(await found(`EXR/${key}`)).join()).toBe(rows);
  });

  it.each(['EXR', 'EXR/all', 'EXR/....', 'EXR/*', 'EXR/*.*.*.*.*'])('of all may be %s', async (target) => {
    const range = '?startPeriod=2025-12&endPeriod=2026-03';
    const rows = await found(target + range);
    expect(unpegged(rows)).toEqual(await found(`EXR/A+D+M+Q+W.GBP+USD+CAD.EUR.SP00.A+E${range}`));
    expect(rows).toContain('D.XOF.EUR.A 2026-03-02 655.957');
    expect(rows).toContain('M.USD.EUR.E 2026-03 1.17');
  });

  it.each([
    ['D.USD.EUR.SP00', 400, 'a key has 5 codes with points between'],
    ['D.USD.EUR.SP00.A.B', 400, 'a key has 5 codes'],
    ['D.U$D!.EUR.SP00.A', 400, 'a key has an invalid code: U$D!'],
    ['D.USD++GBP.EUR.SP00.A', 400, 'a key has a code on both sides of each +'],
    ['X.USD.EUR.SP00.A', 422, 'FREQ is D, W, M, Q or A, not X'],
    ['D.XXY.EUR.SP00.A', 422, 'invalid currency: XXY'],
    ['D.USD.XXY.SP00.A', 422, 'invalid currency: XXY'],
    ['D.USD.EUR.EN00.A', 422, 'EXR_TYPE is SP00, BUY or SELL, not EN00'],
    ['D.USD.EUR.SP00.S', 422, 'EXR_SUFFIX is A or E, not S'],
  ])('%s is refused with %i', async (key, status, text) => {
    const message = expect.stringContaining(text);
    const faults = [{ parameter: 'key' }];
    expect(await ask(`/sdmx/data/EXR/${key}`)).toMatchObject({ status, message, faults });
  });
});

// Those of dataflow/ are the names of SDMX 3.0.
const FLOWS = 'EXR ALMANAC,EXR ECB,EXR all,EXR ALMANAC,EXR,1.0 ECB,EXR,latest';
const FLOWS_3 = `${THREE} dataflow/ECB/EXR/~ dataflow/*/EXR/* dataflow/all/EXR/latest dataflow/ALMANAC/EXR/+`;

describe('a flow', () => {
  it.each([FLOWS, FLOWS_3].join(' ').split(' '))('may be %s', async (flow) => {
    expect(await found(`${flow}/D.USD.EUR.SP00.A`)).toEqual(USD);
  });

  it.each(['ICP', 'IMF,EXR', 'ECB,EXR,2.0'])('is not %s', async (flow) => {
    const message = expect.stringContaining('no such dataflow');
    expect(await ask(`/sdmx/data/${flow}/D.USD.EUR.SP00.A`)).toMatchObject({ status: 404, message });
  });
});

describe('a provider', () => {
  it('has its own rates, with the status of one that is held back', async () => {
    const { text } = await ask(`/sdmx/data/${KEY}/ECB?format=csvdata&startPeriod=2026-03-03`);
    expect(text.split('\n').slice(1)).toEqual([
      'EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-03,1.17,A,0',
      'EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-04,1.9,U,0',
      '',
    ]);
  });

  it('may be several, blended', async () => {
    const day = 'startPeriod=2026-03-03&endPeriod=2026-03-03';
    expect(await found(`EXR/D.CAD+USD.EUR.SP00.A/BOC+ECB?${day}`)).toEqual([CAD, USD[3]]);
    expect(await found('EXR/D.CAD.EUR.SP00.A/ECB')).toEqual(['404']);
  });

  it('of official rates has no means, and rates of periods that begin in the range', async () => {
    const rows = ['HMRC 2026-02-01 GBP/USD 1.3', 'HMRC 2026-03-01 GBP/USD 1.35'];
    const { ask } = openSdmx({ recorded: [{ at: OLD, rows }], now: '2026-03-20T12:00:00Z' });
    const days = await found('EXR/.USD.GBP.SP00./HMRC?startPeriod=2026-02-15', ask);
    expect(days).toEqual(['D.USD.GBP.A 2026-03-01 1.35']);
    expect(await found('EXR/M.USD.GBP.SP00.A/HMRC', ask)).toEqual(['404']);
  });

  it.each([
    ['XXX', 'invalid provider: XXX'],
    ['ECB+XXX', 'invalid provider: XXX'],
    ['+', 'invalid provider'],
  ])('is not %s', async (provider, text) => {
    const message = expect.stringContaining(text);
    const faults = [{ parameter: 'provider' }];
    expect(await ask(`/sdmx/data/EXR/all/${provider}`)).toMatchObject({ status: 422, message, faults });
  });
});

describe('a period', () => {
  it.each([
    ['D.USD.EUR.SP00.A', 'startPeriod=2026-02&endPeriod=2026-02', dollar('2026-02-27 1.1815')],
    ['D.USD.EUR.SP00.A', 'endPeriod=2025', dollar('2025-12-31 1.1')],
    // A row is of all days of its period; its first day counts.
    ['M.USD.EUR.SP00.A', 'startPeriod=2026-02-02&endPeriod=2026-03-01', ['M.USD.EUR.A 2026-03 1.1699']],
    ['M.USD.EUR.SP00.', 'startPeriod=2026-02-02&endPeriod=2026-02-28', ['404']],
    ['W.USD.EUR.SP00.A', 'startPeriod=2026-W10&endPeriod=2026-W10', ['W.USD.EUR.A 2026-W10 1.1699']],
    ['D.USD.EUR.SP00.A', 'startPeriod=2027', ['404']],
  ])('of %s with %s has %j', async (key, query, rows) => {
    expect(await found(`EXR/${key}?${query}`)).toEqual(rows);
  });

  it.each(['9999', '9999-12-31', '9999-W52', '9999-S2'])('may end with the last year: %s', async (end) => {
    const until = (period: string) => found(`EXR/.USD.EUR.SP00.?startPeriod=2026-03-02&endPeriod=${period}`);
    expect(await until(end)).toEqual(await until('2026-12'));
  });
});

const GBP = 'D.GBP.EUR.A 2026-03-02 0.87';
it.each([
  ['firstNObservations=1', [GBP, USD[0]]],
  ['lastNObservations=2', [GBP, USD[2], USD[3]]],
  ['firstNObservations=1&lastNObservations=1', [GBP, USD[0], USD[3]]],
  ['firstNObservations=3&lastNObservations=3', [GBP, ...USD]],
])('the first and last observations of each series: %s', async (query, rows) => {
  expect(await found(`EXR/D.GBP+USD.EUR.SP00.A?${query}`)).toEqual(rows);
});

describe('rates that were known', () => {
  it('as of an instant have its data version', async () => {
    const then = dollar('2026-03-03 1.1666');
    expect(await found(`${KEY}?asOf=${OLD}`)).toEqual([...USD.slice(0, 3), ...then]);
    const { text } = await ask(`/sdmx/data/${KEY}?asOf=${OLD}`);
    expect(text).toContain(`<m:ID>V1</m:ID><m:Test>false</m:Test><m:Prepared>${OLD}</m:Prepared>`);
    expect(await found('EXR/all?asOf=2026-01-01')).toEqual(['404']);
  });

  it.each([OLD, '2026-03-10T16:00:00', '2026-03-10T17:00:00%2B01:00', '2026-03-10T17:00:00+01:00'])(
    'after %s are those that are new or changed since',
    async (instant) => {
      const after = `updatedAfter=${instant}`;
      expect(await found(`EXR/D.USD+GBP+CAD.EUR.SP00.A?${after}`)).toEqual([CAD, USD[3]]);
      const months = ['M.USD.EUR.A 2026-03 1.1699', 'M.USD.EUR.E 2026-03 1.17'];
      expect(await found(`EXR/M.USD.EUR.SP00.?${after}`)).toEqual(months);
    },
  );

  it('after an instant are none where nothing has changed, nor those that are gone', async () => {
    expect(await found(`${KEY}?updatedAfter=${NEW}`)).toEqual(['404']);
    expect(await found(`EXR/D.GBP.EUR.SP00.A?updatedAfter=${OLD}`)).toEqual(['404']);
    const { ask } = open([...THEN.slice(0, 4), 'ECB 2026-03-05 EUR/USD 1.2']);
    expect(await found(`${KEY}?updatedAfter=${OLD}`, ask)).toEqual(dollar('2026-03-05 1.2'));
  });
});

describe('the names of SDMX 3.0', () => {
  it('have wildcards, and several keys', async () => {
    const day = 'c[TIME_PERIOD]=2026-03-02';
    const rows = unpegged(await found(`${THREE}/D.*.EUR.SP00.*?${day}`));
    expect(rows).toEqual(['D.GBP.EUR.A 2026-03-02 0.87', USD[2]]);
    const keys = 'D.USD.EUR.SP00.A,M.EUR.USD.SP00.E';
    const several = [USD[2], USD[3], 'M.EUR.USD.E 2026-03 0.8547'];
    expect(await found(`${THREE}/${keys}?c[TIME_PERIOD]=2026-03`)).toEqual(several);
    const all = await found(`${THREE}/*`);
    for (const path of [THREE, 'dataflow/ALMANAC/EXR']) expect(await found(path)).toEqual(all);
  });

  it.each([
    ['ge:2026-03+le:2026-04', 2],
    ['2026-Q1', 3],
  ])('limit periods with c[TIME_PERIOD]=%s', async (condition, count) => {
    expect(await found(`${THREE}/D.USD.EUR.SP00.A?c[TIME_PERIOD]=${condition}`)).toHaveLength(count);
  });

  it.each([
    ['attributes=dsd&measures=all', 'full'],
    ['attributes=none&measures=all', 'dataonly'],
    ['attributes=none&measures=none', 'serieskeysonly'],
    ['attributes=dsd&measures=none', 'nodata'],
  ])('say with %s what detail=%s does', async (query, detail) => {
    const { text } = await ask(`/sdmx/data/${THREE}/D.USD.EUR.SP00.A?${query}`);
    expect(text).toBe((await ask(`/sdmx/data/${KEY}?detail=${detail}`)).text);
  });
});

it.each<[target: string, status: number, parameter?: string]>([
  ['EXR/all?startPeriod=2026-13', 400, 'startPeriod'],
  ['EXR/all?endPeriod=tomorrow', 400, 'endPeriod'],
  ['EXR/all?startPeriod=2026-03&endPeriod=2026-02', 422, 'startPeriod'],
  ['EXR/all?lastNObservations=0', 400, 'lastNObservations'],
  ['EXR/all?lastNObservations=1.5', 400, 'lastNObservations'],
  ['EXR/all?asOf=2027-01-01', 422],
  [`EXR/all?asOf=${OLD}&updatedAfter=${NEW}`, 422, 'asOf'],
  ['EXR/all?updatedAfter=yesterday', 400, 'updatedAfter'],
  [`${KEY}?dimensionAtObservation=AllDimensions`, 501],
  [`${KEY}?dimensionAtObservation=CURRENCY&format=csvdata`, 501],
  [`${KEY}?dimensionAtObservation=COUNTRY`, 400],
  [`${KEY}?dimensionAtObservation=AllDimensions&format=csvdata`, 200],
  [`${KEY}?dimensionAtObservation=TIME_PERIOD`, 200],
  [`${KEY}?includeHistory=true`, 501],
  [`${KEY}/ECB?includeHistory=true`, 501],
  [`${THREE}/*?c[TIME_PERIOD]=ne:2026`, 400],
  [`${THREE}/*?c[FREQ]=D`, 400],
])('parameters: %s: %i %s', async (target, status, parameter) => {
  const faults = parameter === undefined ? {} : { faults: [{ parameter }] };
  expect(await ask(`/sdmx/data/${target}`)).toMatchObject({ status, ...faults });
});

describe('a reply', () => {
  it('is cached as other rates are', async () => {
    const closed = await ask(`/sdmx/data/${KEY}?startPeriod=2026-03-02&endPeriod=2026-03-03`);
    expect(closed).toMatchObject({ cacheControl: CLOSED, vary: ['accept'], dataVersion: '2' });
    for (const target of [KEY, 'EXR/M.USD.EUR.SP00.A?endPeriod=2026-03-03'])
      expect((await ask(`/sdmx/data/${target}`)).cacheControl).toMatch(/^public, max-age=\d+, stale/);
  });

  it('has a tag of its own for each question, and the same for the same one', async () => {
    const tag = async (target: string) => (await ask(`/sdmx/data/${target}`)).tag;
    const parameters = ['format=csvdata', 'lastNObservations=1', 'detail=dataonly', 'startPeriod=2026'];
    const instants = [`asOf=${OLD}`, `updatedAfter=${OLD}`];
    const others = ['EXR/D.GBP.EUR.SP00.A', `${KEY}/ECB`];
    others.push(...[...parameters, ...instants].map((parameter) => `${KEY}?${parameter}`));
    expect(new Set(await Promise.all([KEY, ...others].map(tag))).size).toBe(9);
    for (const same of [`ECB,${KEY}/all`, 'dataflow/*/EXR/~/D.USD.EUR.SP00.A'])
      expect(await tag(same)).toBe(await tag(KEY));
  });

  it('costs what it has, and what is held for it', async () => {
    const costOf = async (target: string) => (await cost(`/sdmx/data/EXR/${target}`)) ?? { rows: 0 };
    const month = 'startPeriod=2026-02-01&endPeriod=2026-02-28';
    for (const [target, rows] of [
      [`D.USD.EUR.SP00.A?${month}`, 28],
      [`D.USD+GBP.EUR+CHF.SP00.A?${month}`, 4 * 28],
      [`D.USD.EUR.SP00.A?${month}&lastNObservations=1`, 1],
    ] as const)
      expect([target, Math.round((await costOf(target)).rows)]).toEqual([target, rows]);
    const held = async (target: string) => (await cost(`/sdmx/data/EXR/${target}`))?.wholeBytes ?? 0;
    expect(await held('D..EUR.SP00.A')).toBeLessThan(20e6);
    expect(await held('D..EUR.SP00.A/BOC+ECB')).toBeGreaterThan(2 * (await held('D..EUR.SP00.A')));
    expect((await cost('/sdmx/data/EXR/all/BOC+ECB'))?.rawDays).toBeGreaterThan(40_000);
  });

  it('of many bases is only of rates in memory', async () => {
    const key = 'EXR/D.EUR.USD+GBP+CHF+JPY+CAD+AUD+NZD+SEK+NOK.SP00.A';
    expect((await ask(`/sdmx/data/${key}`)).status).toBe(200);
    expect(await ask(`/sdmx/data/${key}/ECB`)).toMatchObject({ status: 413 });
  });
});
