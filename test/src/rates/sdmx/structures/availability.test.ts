import { describe, expect, it } from 'vitest';
import { fromDayNumber } from '../../../../../core/domain/dates.js';
import { daysOfPeriod } from '../../../../../src/rates/sdmx/periods.js';
import { openSdmx } from '../in-process.js';

const rows = [
  ...['ECB 2025-12-30 EUR/USD 1.17', 'ECB 2026-01-05 EUR/USD 1.16', 'ECB 2026-01-05 EUR/GBP 0.87'],
  ...['ECB 2026-03-17 EUR/USD 1.1498', 'BOC 2026-02-10 USD/CAD 1.37', 'BOC 2026-02-10 EUR/CAD 1.6'],
  ...['BRB 2026-02-13 USD/BIF 2970', 'NBU 2026-03-21 EUR/UAH 48.1'],
];
const { ask, json, cost } = openSdmx({
  recorded: [{ at: '2026-03-20T16:02:11Z', rows }],
  now: '2026-03-20T18:00:00Z',
});

interface Values {
  id: string;
  values?: string[];
  timeRange?: Record<'startPeriod' | 'endPeriod', { period: string }>;
}
interface Body {
  data: { contentConstraints: { cubeRegions: { keyValues: Values[] }[] }[] };
}
const JSON_TYPE = { headers: { accept: 'application/json' } };

/** The codes of each dimension, and the first and last day. */
async function region(target: string): Promise<Record<string, string>> {
  const { data } = await json<Body>(`/sdmx/${target}`, JSON_TYPE);
  const all = data.contentConstraints[0]?.cubeRegions[0]?.keyValues ?? [];
  const textOf = ({ values, timeRange }: Values) =>
    values?.join(' ') ?? `${timeRange?.startPeriod.period} ${timeRange?.endPeriod.period}`;
  return Object.fromEntries(all.map((one) => [one.id, textOf(one)]));
}
const available = (rest: string) => region(`availableconstraint/EXR${rest}`);

describe('availability', () => {
  it('has the codes of each dimension, and the first and last day', async () => {
    const region = {
      FREQ: 'D',
      CURRENCY: 'CAD GBP',
      CURRENCY_DENOM: 'EUR',
      EXR_TYPE: 'SP00',
      EXR_SUFFIX: 'A',
    };
    const TIME_PERIOD = '2026-01-05 2026-02-10';
    expect(await available('/D.GBP+CAD+JPY.EUR.SP00.A')).toEqual({ ...region, TIME_PERIOD });
  });

  it('without a key is of all series against the euro, up to today', async () => {
    const all = {
      FREQ: 'A D M Q W',
      CURRENCY_DENOM: 'EUR',
      EXR_SUFFIX: 'A E',
      // The year 2025 begins so.
      TIME_PERIOD: '2025-01-01 2026-03-17',
    };
    for (const rest of ['', '/all', '/all/all', '/all/all/all', '/....'])
      expect(await available(rest)).toMatchObject(all);
    const { CURRENCY = '' } = await available('');
    expect(CURRENCY.split(' ')).toEqual(expect.arrayContaining(['BIF', 'CAD', 'GBP', 'USD']));
    expect(CURRENCY).not.toMatch(/EUR|UAH/);
  });

  it.each([
    ...['/D.JPY.EUR.SP00.A', '/D.UAH.EUR.SP00.A', '/D..EUR.SP00.A/BRB', '/D.USD.EUR.SP00.E'],
    ...['/D.USD.EUR.SP00.A?startPeriod=2026-03-18', '/M.USD.EUR.SP00.A?startPeriod=2026-03-02'],
    '/D.USD.EUR.SP00.A/ECB?startPeriod=2026-01-10&endPeriod=2026-03-01',
  ])('is not found where there is none: %s', async (rest) => {
    expect(await ask(`/sdmx/availableconstraint/EXR${rest}`)).toMatchObject({
      status: 404,
      message: 'no observations were found for this key, provider and period',
    });
  });

  it.each([
    ...['', '/D.USD.EUR.SP00.A', '/D..EUR.SP00.A', '/D..USD+CAD+BIF.SP00.A', '/W+Q..EUR..', '/..EUR..E'],
    ...['/D+M.USD.EUR.SP00.', '/D..EUR.SP00.A/ECB', '/M.BIF+GBP.EUR.SP00.E', '/..EUR+GBP..E/ECB', '/all/BOC'],
    ...['/D.EUR+USD.EUR.SP00.A', '/all/ECB+BOC', '/D.EUR.USD+CAD+JPY.SP00.A', '/D..CAD.SP00.A/BOC'],
    // A month belongs to a period if its first day does.
    ...['startPeriod=2026-01-01', 'startPeriod=2026-01-02', 'startPeriod=2026-03&endPeriod=2026-03-02'].map(
      (period) => `/M.USD.EUR.SP00.A/ECB?${period}`,
    ),
    ...['/A.USD.EUR.SP00.A/ECB?endPeriod=2025-06', '/....?startPeriod=2026-01&endPeriod=2026-02-11'],
    ...['/M.USD.EUR.SP00.?startPeriod=2026-02-02', '/....?startPeriod=2026-03-01', '/all/ECB?endPeriod=2025'],
    '/D.USD.EUR.SP00.A/ECB?startPeriod=2026&endPeriod=2026-02',
  ])('is what the data are: %s', async (rest) => {
    const { text } = await ask(`/sdmx/data/EXR${rest}${rest.includes('?') ? '&' : '?'}format=csvdata`);
    const lines = text.trim().split('\n').slice(1);
    const of = (column: number) => [...new Set(lines.map((line) => line.split(',')[column] ?? ''))].sort();
    const days = of(6).map((period) => daysOfPeriod(period)?.from ?? 0);
    expect(await available(rest)).toEqual({
      FREQ: of(1).join(' '),
      CURRENCY: of(2).join(' '),
      CURRENCY_DENOM: of(3).join(' '),
      EXR_TYPE: 'SP00',
      EXR_SUFFIX: of(5).join(' '),
      TIME_PERIOD: `${fromDayNumber(Math.min(...days))} ${fromDayNumber(Math.max(...days))}`,
    });
  });

  it('of the blend has every code, and every currency', async () => {
    const { CURRENCY = '', ...others } = await region('contentconstraint');
    expect(CURRENCY.split(' ')).toEqual(expect.arrayContaining(['BIF', 'EUR', 'USD']));
    const codes = { FREQ: 'A D M Q W', CURRENCY_DENOM: CURRENCY, EXR_TYPE: 'SP00', EXR_SUFFIX: 'A E' };
    expect(others).toEqual({ ...codes, TIME_PERIOD: '2025-12-30 2026-03-17' });
  });

  it('may be of some components', async () => {
    expect(await available('/D..EUR.SP00.A/ECB/CURRENCY')).toEqual({ CURRENCY: 'GBP USD' });
    const TIME_PERIOD = '2025-12-30 2026-03-17';
    expect(await available('/D..EUR.SP00.A/ECB/TIME_PERIOD')).toEqual({ TIME_PERIOD });
    expect(await available('/D..EUR.SP00.A/ECB/FREQ+CURRENCY')).toEqual({ FREQ: 'D', CURRENCY: 'GBP USD' });
    expect(await ask('/sdmx/availableconstraint/EXR/all/all/AREA')).toMatchObject({ status: 404 });
  });

  it('has other names in SDMX 3.0', async () => {
    const key = 'D.*.EUR.SP00.A';
    const expected = await available('/D..EUR.SP00.A');
    const { TIME_PERIOD } = expected;
    for (const path of [
      ...[`dataflow/ALMANAC/EXR/1.0/${key}`, `dataflow/*/EXR/~/${key}/*`, `dataflow/*/*/*/${key}`],
      `dataflow/ECB/EXR/*/${key}?c[TIME_PERIOD]=ge:1999`,
      'dataflow/*/EXR/*/D.USD.EUR.SP00.A,D.CAD+GBP+BIF.EUR.SP00.A',
    ]) {
      const found = { path, ...(await region(`availability/${path}`)) };
      expect(found).toMatchObject({ path, FREQ: 'D', CURRENCY_DENOM: 'EUR', TIME_PERIOD });
    }
    const { CURRENCY } = expected;
    expect(await region(`availability/dataflow/*/EXR/*/${key}/CURRENCY`)).toEqual({ CURRENCY });
    expect(await region('availability/dataflow/*/EXR/*/*')).toEqual(await available(''));
    expect(await ask('/sdmx/availability/provisionagreement')).toMatchObject({ status: 501 });
  });

  it('comes with all structures for references', async () => {
    const { data } = await json<{ data: Record<string, unknown[]> }>(
      '/sdmx/availableconstraint/EXR/D.USD.EUR.SP00.A?references=all',
      JSON_TYPE,
    );
    const all = 'codelists conceptSchemes contentConstraints dataProviderSchemes dataStructures dataflows';
    expect(Object.keys(data).sort().join(' ')).toBe(all);
  });

  it.each([
    ['EXX', 404],
    ['BIS,EXR', 404],
    ['ECB,EXR,latest', 200],
    ['EXR/D.QQQ.EUR.SP00.A', 422],
    ['EXR?mode=available', 400],
    ['EXR?updatedAfter=2026-03-01', 400],
  ])('of %s is answered with %i', async (rest, status) => {
    expect(await ask(`/sdmx/availableconstraint/${rest}`)).toMatchObject({ status });
  });

  it('costs what the data cost', async () => {
    for (const rest of ['', '/D.USD+GBP.EUR+CHF.SP00.A', '/all/ECB+BOC'])
      expect(await cost(`/sdmx/availableconstraint/EXR${rest}`)).toEqual(await cost(`/sdmx/data/EXR${rest}`));
    expect(await cost('/sdmx/codelist')).toMatchObject({ rows: 1, rawDays: 0 });
  });
});
